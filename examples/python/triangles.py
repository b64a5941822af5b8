"""Counts the triangles of a graph: one kernel, and nothing of the size of the product is ever stored."""

import numpy as np
import scipy.sparse as sp

import lacuna


def triangles(edges: sp.csr_array) -> int:
    lower = sp.csr_array(sp.tril(edges, -1))
    return int(lacuna.evaluate("s = L(i,j) * L(j,k) * L(i,k)", L=lower))


def main(n: int = 3000) -> None:
    graph = sp.random_array((n, n), density=10 / n, format="csr", rng=5)
    graph = sp.csr_array(graph + graph.T)
    graph.data = np.ones(graph.nnz, dtype=np.int64)
    count = triangles(graph)
    lower = sp.csr_array(sp.tril(graph, -1))
    assert count == (lower @ lower).multiply(lower).sum()
    print(f"{n} vertices, {lower.nnz} edges: {count} triangles")


if __name__ == "__main__":
    main()
