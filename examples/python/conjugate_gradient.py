"""A linear system by conjugate gradients, with fused vector kernels."""

import numpy as np
import scipy.sparse as sp

import lacuna


def solve(A: sp.csr_array, b: np.ndarray, tolerance: float = 1e-10) -> np.ndarray:
    times = lacuna.compile("q(i) = A(i,j) * p(j)")
    plus = lacuna.compile("z(i) = x(i) + a * y(i)")
    dot = lacuna.compile("s = x(i) * y(i)")
    x, r = np.zeros_like(b), b.copy()
    p, rr = r, float(dot(r, r))
    while np.sqrt(rr) > tolerance * np.linalg.norm(b):
        q = times(A, p)
        alpha = rr / float(dot(p, q))
        x, r = plus(x=x, y=p, a=alpha), plus(x=r, y=q, a=-alpha)
        before, rr = rr, float(dot(r, r))
        p = plus(x=r, y=p, a=rr / before)
    return np.asarray(x)


def main(n: int = 40) -> None:
    line = sp.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1])
    A = sp.csr_array(sp.kron(line, sp.eye_array(n)) + sp.kron(sp.eye_array(n), line))
    b = np.ones(n * n)
    x = solve(A, b)
    residual = np.linalg.norm(A @ x - b) / np.linalg.norm(b)
    assert residual < 1e-9
    print(f"{n * n} unknowns: relative residual {residual:.1e}, largest value {x.max():.3f}")


if __name__ == "__main__":
    main()
