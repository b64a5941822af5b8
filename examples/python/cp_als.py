"""CP decomposition of a sparse tensor by alternating least squares: MTTKRP as one fused kernel for each mode."""

import numpy as np
import scipy.sparse as sp

import lacuna


def cp_als(tensor, rank: int, steps: int = 30) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    factors = [rng.random((n, rank)) for n in tensor.shape]
    mttkrp = [
        lacuna.compile("M(i,r) = T(i,j,k) * B(j,r) * C(k,r)"),
        lacuna.compile("M(j,r) = T(i,j,k) * A(i,r) * C(k,r)"),
        lacuna.compile("M(k,r) = T(i,j,k) * A(i,r) * B(j,r)"),
    ]
    # Modes come outermost in the tensor that a kernel goes through.
    stored = [tensor.to("csf"), tensor.to("sss:1,0,2"), tensor.to("sss:2,0,1")]
    for _ in range(steps):
        for mode, kernel in enumerate(mttkrp):
            others = {name: factors[m] for m, name in enumerate("ABC") if m != mode}
            a, b = others.values()
            product = np.asarray(kernel(T=stored[mode], **others))
            factors[mode] = np.linalg.lstsq((a.T @ a) * (b.T @ b), product.T, rcond=None)[0].T
    return factors


def main(n: int = 30, rank: int = 3) -> None:
    rng = np.random.default_rng(2)
    parts = [rng.random((n, rank)) * (rng.random((n, rank)) < 0.4) for _ in range(3)]
    dense = np.einsum("ir,jr,kr->ijk", *parts)
    tensor = lacuna.asarray(sp.coo_array(dense))
    factors = cp_als(tensor, rank)
    error = np.linalg.norm(np.einsum("ir,jr,kr->ijk", *factors) - dense) / np.linalg.norm(dense)
    assert error < 0.05, error
    print(f"{tensor.nnz} entries, rank {rank}: relative error {error:.1e}")


if __name__ == "__main__":
    main()
