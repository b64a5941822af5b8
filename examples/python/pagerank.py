"""PageRank of a random graph: a power iteration, one kernel a step."""

import numpy as np
import scipy.sparse as sp

import lacuna


def pagerank(links: sp.csr_array, damping: float = 0.85, tolerance: float = 1e-10) -> np.ndarray:
    """links[i, j]: page j links to page i."""
    n = links.shape[0]
    out = np.asarray(links.sum(axis=0)).ravel()
    share = np.divide(1.0, out, out=np.zeros(n), where=out > 0)
    step = lacuna.compile("r(i) = d * L(i,j) * s(j) * q(j) + rest")
    rank = np.full(n, 1 / n)
    while True:
        dangling = rank[out == 0].sum()
        rest = (1 - damping + damping * dangling) / n
        new = np.asarray(step(L=links, s=share, q=rank, d=damping, rest=rest))
        if np.abs(new - rank).sum() < tolerance:
            return new
        rank = new


def main(n: int = 2000) -> None:
    links = sp.random_array((n, n), density=8 / n, format="csr", rng=1)
    links.data[:] = 1
    rank = pagerank(links)
    assert np.isclose(rank.sum(), 1)
    print("the five pages with the highest rank:", np.argsort(rank)[:-6:-1].tolist())


if __name__ == "__main__":
    main()
