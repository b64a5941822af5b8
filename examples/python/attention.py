"""Sparse attention: scores at the entries of a mask, a softmax over each row, and the weighted sum of values."""

import numpy as np
import scipy.sparse as sp

import lacuna


def attention(mask: sp.csr_array, queries: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    scale = 1 / np.sqrt(queries.shape[1])
    # exp(0) would be 1 where the mask has no entry: the mask is a factor.
    weights = lacuna.evaluate("P(i,j) = M(i,j) * exp(c * sum(d, Q(i,d) * K(j,d)))", M=mask, Q=queries, K=keys, c=scale)
    total = np.asarray(weights.sum(axis=1))
    return np.asarray(lacuna.evaluate("O(i,d) = P(i,j) * V(j,d) / t(i)", P=weights, V=values, t=total))


def main(n: int = 256, width: int = 16) -> None:
    rng = np.random.default_rng(4)
    band = sp.csr_array(sp.diags_array([np.ones(n)] * 9, offsets=range(-4, 5), shape=(n, n)))
    q, k, v = (rng.standard_normal((n, width)) for _ in range(3))
    out = attention(band, q, k, v)
    scores = np.where(band.toarray() > 0, q @ k.T / np.sqrt(width), -np.inf)
    weights = np.exp(scores)
    np.testing.assert_allclose(out, weights / weights.sum(axis=1, keepdims=True) @ v, rtol=1e-10)
    print(f"{n} positions, {band.nnz} scores: norm of the result {np.linalg.norm(out):.4f}")


if __name__ == "__main__":
    main()
