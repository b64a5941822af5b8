"""Where a random walk ends: the stationary distribution of a Markov chain, and times until states are reached."""

import numpy as np
import scipy.sparse as sp

import lacuna


def stationary(P: sp.csr_array, tolerance: float = 1e-12) -> np.ndarray:
    step = lacuna.compile("q(j) = p(i) * P(i,j)")
    p = np.full(P.shape[0], 1 / P.shape[0])
    while True:
        q = np.asarray(step(p=p, P=P))
        if np.abs(q - p).max() < tolerance:
            return q
        p = q


def main(n: int = 400) -> None:
    chain = sp.random_array((n, n), density=5 / n, format="csr", rng=7) + sp.eye_array(n) * 0.1
    ring = sp.diags_array([np.ones(n - 1), np.ones(1)], offsets=[1, 1 - n], shape=(n, n))
    chain = sp.csr_array(chain + ring)
    total = np.asarray(lacuna.asarray(chain).sum(axis=1))
    P = lacuna.evaluate("P(i,j) = C(i,j) / t(i)", C=chain, t=total)
    p = stationary(P)
    assert np.allclose(p @ P.todense(), p, atol=1e-10) and np.isclose(p.sum(), 1)
    print(f"{n} states: the walk is in state {p.argmax()} most, {100 * p.max():.2f} % of the time")


if __name__ == "__main__":
    main()
