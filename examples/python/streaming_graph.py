"""A graph that grows: batches of edges go into a tree in place, while an analysis reads what was there before."""

import numpy as np

import lacuna


def main(n: int = 1000, batches: int = 5, size: int = 2000) -> None:
    rng = np.random.default_rng(9)
    graph = lacuna.empty((n, n), format="dense,btree")
    degree = lacuna.compile("d(i) = G(i,j)")
    seen = np.zeros((n, n))
    for batch in range(batches):
        snapshot = graph.snapshot()
        before = snapshot.nnz
        source, target = rng.integers(0, n, (2, size))
        new = graph.insert((source, target), np.ones(size))
        np.add.at(seen, (source, target), 1)
        assert snapshot.nnz == before and graph.nnz == before + new
        print(f"batch {batch}: {new} new edges, {graph.nnz} in all, most frequent vertex {np.asarray(degree(graph)).argmax()}")
    np.testing.assert_array_equal(graph.todense(), seen)


if __name__ == "__main__":
    main()
