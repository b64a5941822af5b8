"""A sparse tensor times a tensor train: all modes but one are contracted, core by core, in one statement."""

import numpy as np
import scipy.sparse as sp

import lacuna


def main(n: int = 20, rank: int = 4) -> None:
    rng = np.random.default_rng(8)
    dense = rng.random((n, n, n)) * (rng.random((n, n, n)) < 0.02)
    T = lacuna.asarray(sp.coo_array(dense)).to("csf")
    first, second, third = rng.random((n, rank)), rng.random((rank, n, rank)), rng.random((rank, n))
    value = lacuna.evaluate("s = T(i,j,k) * F(i,a) * G(a,j,b) * H(b,k)", T=T, F=first, G=second, H=third)
    np.testing.assert_allclose(float(value), np.einsum("ijk,ia,ajb,bk->", dense, first, second, third))
    core = lacuna.einsum("ijk,ia,bk->ajb", T, first, third)
    np.testing.assert_allclose(core.todense(), np.einsum("ijk,ia,bk->ajb", dense, first, third))
    print(f"{T.nnz} entries, rank {rank}: inner product {float(value):.4f}, gradient of the middle core {core.shape}")


if __name__ == "__main__":
    main()
