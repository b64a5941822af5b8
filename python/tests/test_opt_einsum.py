"""opt_einsum computes with Lacuna: on the expressions of its own tests."""

import numpy as np
import pytest

import lacuna

opt_einsum = pytest.importorskip("opt_einsum")
from opt_einsum.tests.test_contract import tests as EXPRESSIONS  # noqa: E402
from opt_einsum.testing import build_views  # noqa: E402


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_contract(text):
    arrays = build_views(text)
    want = opt_einsum.contract(text, *arrays, optimize="greedy")
    given = [np.asarray(a) for a in arrays]
    by_name = opt_einsum.contract(text, *given, optimize="greedy", backend="lacuna")
    by_type = opt_einsum.contract(text, *(lacuna.asarray(a) for a in given), optimize="greedy")
    for got in (by_name, by_type):
        assert isinstance(got, lacuna.Tensor) and got.shape == np.shape(want)
        np.testing.assert_allclose(got.todense(), want, rtol=1e-8, atol=1e-8)


def test_sparse_operands_stay_sparse(rng):
    a = lacuna.asarray((rng.random((20, 30)) < 0.05).astype(float)).to("csr")
    b = lacuna.asarray((rng.random((30, 40)) < 0.05).astype(float)).to("csr")
    got = opt_einsum.contract("ij,jk,lk->il", a, b, a.todense()[:, :1] @ np.ones((1, 40)))
    np.testing.assert_allclose(got.todense(), a.todense() @ b.todense() @ (a.todense()[:, :1] @ np.ones((1, 40))).T)
    assert "compressed" in opt_einsum.contract("ij,jk->ik", a, b).levels
