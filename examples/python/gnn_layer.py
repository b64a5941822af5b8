"""A layer of a graph neural network, max(D^-1/2 A D^-1/2 X W, 0), as one statement over the graph."""

import numpy as np
import scipy.sparse as sp

import lacuna


def layer(graph: sp.csr_array, features: np.ndarray, weights: np.ndarray) -> np.ndarray:
    scale = 1 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel())
    hidden = lacuna.evaluate("H(i,o) = s(i) * A(i,j) * s(j) * X(j,f) * W(f,o)", A=graph, s=scale, X=features, W=weights)
    return np.asarray(np.maximum(hidden, 0.0))


def main(n: int = 500) -> None:
    rng = np.random.default_rng(3)
    graph = sp.random_array((n, n), density=6 / n, format="csr", rng=rng)
    graph = sp.csr_array(graph + graph.T + sp.eye_array(n))
    features, weights = rng.standard_normal((n, 32)), rng.standard_normal((32, 8))
    out = layer(graph, features, weights)
    scale = sp.diags_array(1 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel()))
    np.testing.assert_allclose(out, np.maximum(scale @ graph @ scale @ features @ weights, 0), atol=1e-10)
    print(f"{n} vertices, {graph.nnz} edges: mean activation {out.mean():.4f}")


if __name__ == "__main__":
    main()
