"""einsum, tensordot and matmul beside NumPy's."""

import numpy as np
import pytest
from conftest import random_tensor

import lacuna

SHAPE = {"i": 3, "j": 4, "k": 5, "l": 2, "I": 3, "J": 4}


@pytest.mark.parametrize("subscripts", [
    "ij,jk->ik", "ij,jk", "ij,jk->ki", "ij->ji", "ii->i", "ii", "ij->", "ijk,kl->ijl", "ijk,ijk->", "ij,ij->ij",
    "i,j->ij", "ijk,jl,kl->il", "ij,jk,kl->il", "Ij,jI->jI", "iI,Ij->ij", "ba,cb", " i j , j k -> i k ",
    "...j,jk->...k", "ij...->j...i", "...,...", "i...,i...->...", "ij,j", "ijk->kji", "iij->j", ",ij->ij", "ij,kl->ijkl",
])
def test_as_numpy_does(rng, subscripts):
    sizes = {**SHAPE, **({"a": 4, "b": 3, "c": 2} if "b" in subscripts else {})}
    tensors, arrays = [], []
    for term in subscripts.split("->")[0].replace(" ", "").split(","):
        shape = tuple(sizes[c] for c in term.replace("...", "")) if term else ()
        at = term.find("...")
        if at >= 0:
            shape = shape[:at] + (2, 3) + shape[at:]
        t, a = random_tensor(rng, shape, 0.5, "csf" if shape else "dense") if shape else (2.0, 2.0)
        tensors.append(t)
        arrays.append(a)
    want = np.einsum(subscripts, *arrays)
    for given in (tensors, arrays):
        got = lacuna.einsum(subscripts, *given)
        assert got.shape == want.shape
        np.testing.assert_allclose(got.todense(), want, atol=1e-14)


@pytest.mark.parametrize("types", [("int8", "int8"), ("bool", "bool"), ("uint8", "int16"), ("float32", "int32"), ("float32", "complex64"), ("int64", "float32"), ("uint64", "int64")])
def test_types_are_those_of_numpy(types):
    a, b = (np.array([[100, 2**24 + 1], [3, 1]]).astype(t) for t in types)
    want = np.einsum("ij,jk->ik", a, b)
    for got in (lacuna.einsum("ij,jk->ik", a, b), lacuna.asarray(a) @ lacuna.asarray(b), lacuna.tensordot(a, b, 1)):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.todense(), want)


def test_dimensions_of_one_are_broadcast(rng):
    a, b = rng.random((1, 3, 4)), rng.random((5, 4, 2))
    np.testing.assert_allclose(lacuna.einsum("...ij,...jk->...ik", a, b).todense(), np.einsum("...ij,...jk->...ik", a, b))


def test_lists_of_axes(rng):
    a, b = rng.random((3, 4)), rng.random((4, 5))
    np.testing.assert_allclose(lacuna.einsum(a, [0, 1], b, [1, 2], [2, 0]).todense(), (a @ b).T)
    np.testing.assert_allclose(lacuna.einsum(a, [0, 1], b, [1, 2]).todense(), a @ b)


@pytest.mark.parametrize("axes", [0, 1, 2, ([1], [0]), ([0, 1], [1, 0]), ([-1], [-1])])
def test_tensordot(rng, axes):
    shapes = {0: ((2, 3), (4,)), 1: ((2, 3), (3, 4)), 2: ((2, 3, 4), (3, 4, 5))}
    sa, sb = shapes.get(axes if isinstance(axes, int) else None, ((3, 4), (4, 3, 4)))
    a, b = rng.random(sa), rng.random(sb)
    np.testing.assert_allclose(lacuna.tensordot(a, b, axes).todense(), np.tensordot(a, b, axes))


@pytest.mark.parametrize("sa, sb", [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)),
                                    ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4))])
def test_matmul(rng, sa, sb):
    a, b = rng.random(sa), rng.random(sb)
    np.testing.assert_allclose(lacuna.matmul(a, b).todense(), a @ b)
    np.testing.assert_allclose((lacuna.asarray(a) @ b).todense(), a @ b)


@pytest.mark.parametrize("subscripts, message", [
    ("ij,jk->ik", "2 term"), ("i->i", "1 subscript"), ("ij->ik", "no operand"), ("i1->i", "letters"), ("ij->ii", "twice"),
])
def test_mistakes_are_told(subscripts, message):
    with pytest.raises(lacuna.Error, match=message):
        lacuna.einsum(subscripts, np.ones((2, 2)))


def test_contractions_are_over_as_many_coordinates():
    for f in (lambda: lacuna.matmul(np.ones((2, 1)), np.ones((3, 2))), lambda: lacuna.tensordot(np.ones((2, 1)), np.ones((3, 2)), 1),
              lambda: lacuna.tensordot(np.ones((2, 2)), np.ones((2, 2)), ([3], [0])),
              lambda: lacuna.tensordot(np.ones((2, 2)), np.ones((2, 2, 2)), 3)):
        with pytest.raises(ValueError):
            f()
    a = np.arange(6.0).reshape(2, 3)
    for axes in (np.int64(1), (np.int64(1), np.int64(0))):
        np.testing.assert_array_equal(lacuna.tensordot(a, a.T, axes).todense(), np.tensordot(a, a.T, axes))


def test_large_products_of_sparse_tensors_stay_sparse(rng):
    a, da = random_tensor(rng, (20, 30), 0.1, "csr")
    c = lacuna.einsum("ij,jk->ik", a, a.T)
    assert c.format == "csr"
    np.testing.assert_allclose(c.todense(), da @ da.T)
