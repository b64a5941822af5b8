"""What tensors have of SciPy's and NumPy's methods beside operators: keys, assignment, extremes, changes of shape."""

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_tensor

import lacuna

FORMATS = ["csr", "csc", "coo", "dense"]
ROWS, COLUMNS = np.array([[0, 2], [-1, 2]]), np.array([1, -3])
MASK = np.arange(30).reshape(5, 6) % 4 == 1


@pytest.fixture(params=FORMATS)
def pair(rng, request):
    return random_tensor(rng, (5, 6), 0.4, request.param)


KEYS = [
    (ROWS, COLUMNS), (ROWS, slice(None)), (slice(1, 4), ROWS), MASK, (MASK[:, 0], MASK[1]), (None, [1, 2]), ([1, 0], None, 2),
    (slice(None, None, -2), slice(5, 1, -1)), (np.array(-1), 2), ([], []), (Ellipsis, [0, 0]), ([[]], slice(None)), (2, slice(1, 1)),
]


@pytest.mark.parametrize("key", KEYS)
def test_keys(pair, key):
    A, dense = pair
    got = A[key]
    assert np.shape(got) == dense[_numpys(key)].shape
    np.testing.assert_array_equal(np.asarray(got), dense[_numpys(key)])


def _numpys(key):
    """Empty lists as NumPy indexes by them."""
    return tuple(np.array(k, int) if isinstance(k, list) and not np.size(k) else k for k in key) if isinstance(key, tuple) else key


@pytest.mark.parametrize("key", [k for k in KEYS if not (isinstance(k, tuple) and None in [x for x in k if x is None])])
@pytest.mark.parametrize("kind", ["number", "zero", "array"])
def test_assignment(pair, key, kind):
    A, dense = pair
    A, dense = A.copy(), dense.copy()
    shape = dense[_numpys(key)].shape
    value = {"number": 7.5, "zero": 0, "array": np.arange(np.prod(shape)).reshape(shape)}[kind]
    A[key] = value
    dense[_numpys(key)] = value
    np.testing.assert_array_equal(A.todense(), dense)


def test_assignment_of_many_dimensions(rng):
    B, dense = random_tensor(rng, (3, 4, 5), 0.4)
    for key in [(0, slice(None), [1, 2]), ([1, 0], slice(None), 2), (slice(None), [0, 3], slice(1, 3)), (slice(None), [1, 2], [1, 2])]:
        value = rng.random(dense[key].shape)
        B[key] = lacuna.asarray(value)
        dense[key] = value
        np.testing.assert_array_equal(B.todense(), dense)


def test_assignment_leaves_no_zeros_and_takes_sparse_values():
    A = lacuna.asarray(np.ones((3, 4))).to("csr")
    before = A.snapshot()
    A[1:] = 0
    assert A.nnz == 4 and before.nnz == 12
    A[[0, 0], [2, 2]] = [8, 0]
    assert A.nnz == 3
    A[2:, :2] = sp.csr_array([[0.0, 5]])
    assert A.todense().tolist() == [[1, 1, 0, 1], [0, 0, 0, 0], [0, 5, 0, 0]]


@pytest.mark.parametrize("key, value, error", [
    ((0, 9), 1, IndexError), (([0, 5], 0), 1, IndexError), ((0, 0), [1, 2], ValueError), ((slice(0, 2), 0), [1, 2, 3], ValueError),
    ((0, 0), 1j, TypeError), ("name", 1, IndexError), (np.ones((5, 5), bool), 1, IndexError), ((0, 0, 0), 1, IndexError),
    (([0, 1], [0, 1, 2]), 1, IndexError), ((0, 1.5), 1, IndexError),
])
def test_assignments_that_are_refused(rng, key, value, error):
    A, dense = random_tensor(rng, (5, 6), 0.4, "csr")
    with pytest.raises(error):
        A[key] = value
    np.testing.assert_array_equal(A.todense(), dense)


@pytest.mark.parametrize("k", [-3, 0, 2])
@pytest.mark.parametrize("values", [4, [1, 2], np.arange(9)])
def test_setdiag(pair, k, values):
    A, dense = pair[0].copy(), pair[1].copy()
    want = sp.lil_array(dense)
    want.setdiag(values, k)
    A.setdiag(values, k)
    np.testing.assert_array_equal(A.todense(), want.toarray())
    with pytest.raises(ValueError):
        A.setdiag(1, 6)


@pytest.mark.parametrize("shape", [(3, 2), (7, 6), (5, 9), (0, 4)])
def test_resize(pair, shape):
    A, dense = pair[0].copy(), pair[1]
    A.resize(shape)
    want = np.zeros(shape)
    rows, columns = min(5, shape[0]), min(6, shape[1])
    want[:rows, :columns] = dense[:rows, :columns]
    np.testing.assert_array_equal(A.todense(), want)
    with pytest.raises(ValueError):
        A.resize(-1, 2)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_places_of_extremes(rng, name, axis):
    for low, high in ((-3, 4), (0, 2), (-2, 1), (1, 3)):
        dense = rng.integers(low, high, (5, 6)).astype(float)
        for values in (dense, np.where(dense == low, np.nan, dense), np.zeros((5, 6))):
            for format in FORMATS:
                got = getattr(lacuna.asarray(values).to(format), name)(axis=axis)
                np.testing.assert_array_equal(got, getattr(values, name)(axis=axis))
    with pytest.raises(ValueError, match="Cannot apply"):
        getattr(lacuna.empty((0, 3)), name)()


def test_extremes_of_stored_entries_and_beside_nan():
    dense = np.array([[0, -2.0, np.nan], [0, 0, 0], [3, np.nan, 1]])
    A = lacuna.asarray(dense).to("csr").drop_zeros()
    np.testing.assert_array_equal(A.nanmax(axis=1).todense(), [0, 0, 3])
    np.testing.assert_array_equal(A.nanmin(axis=0).todense(), [0, -2, 0])
    assert A.nanmax().item() == 3
    B = lacuna.asarray(np.array([[0, -2.0], [5, 4]])).to("csr").drop_zeros()
    assert B.max(axis=1, explicit=True).todense().tolist() == [-2, 5]
    assert B.min(axis=0, explicit=True).todense().tolist() == [5, -2]
    assert B.argmax(axis=1, explicit=True).tolist() == [1, 0]


@pytest.mark.parametrize("f", [
    lambda a: a % 3, lambda a: a // 2, np.deg2rad, lambda a: np.round(a, 1), lambda a: a.round(1),
    lambda a: np.maximum(a, a * 1j), lambda a: a < a * 1j, lambda a: (a * 1j) >= a,
])
def test_functions_of_stored_entries(pair, f):
    A, dense = pair
    got, want = f(A), f(dense)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got.todense(), want)


def test_functions_of_stored_entries_are_broadcast_and_refused(rng):
    A, dense = random_tensor(rng, (5, 6), 0.4, "csr")
    row = lacuna.asarray(np.array([0, 2.0, 0, 1, 0, 3])).to("csf")
    np.testing.assert_array_equal(np.fmax(A, row).todense(), np.fmax(dense, row.todense()))
    for got, want in zip(np.modf(A), np.modf(dense)):
        np.testing.assert_array_equal(got.todense(), want)
    for refused in (lambda: np.logaddexp(A, 0), lambda: 2 // A, lambda: np.fmax(A, np.ones((5, 6)))):
        with pytest.raises(lacuna.Error, match="sparse"):
            refused()


class Other:
    def __radd__(self, other):
        return "added"

    def __rmatmul__(self, other):
        return "multiplied"

    def __lt__(self, other):
        return "compared"


def test_operators_leave_unknown_types_to_them(pair):
    A, _ = pair
    assert A + Other() == "added" and A @ Other() == "multiplied" and (A > Other()) == "compared"
    for f in (lambda: None * A, lambda: A - Other(), lambda: A @ None):
        with pytest.raises(TypeError):
            f()


def test_arrays_take_results_in_place(pair):
    A, dense = pair
    x = np.ones((5, 6))
    x += A
    np.testing.assert_array_equal(x, 1 + dense)
    y = np.ones((5, 6), int)
    with pytest.raises(TypeError):
        y += A


def test_forms_that_scipy_has(pair):
    A, dense = pair
    assert A.toarray(order="F").flags.f_contiguous
    out = np.ones((5, 6))
    assert A.todense(out=out) is out and (out == dense).all()
    with pytest.raises(ValueError):
        A.todense(out=np.ones((6, 5)))
    np.testing.assert_array_equal(A.reshape((6, 5), order="F").todense(), dense.reshape((6, 5), order="F"))
    np.testing.assert_array_equal(A.transpose(axes=(1, 0)).todense(), dense.T)
    assert A.reshape((5, 6)) is A and A.to(A.format) is A and A.asformat(A.format, copy=True) is not A
    assert lacuna.Tensor(A, dtype=np.float32, copy=True).dtype == np.float32
    np.testing.assert_array_equal(A.data, A.entries[1])


def test_dot_is_numpys(rng):
    A, a = random_tensor(rng, (2, 3), 0.6)
    B, b = random_tensor(rng, (4, 3, 5), 0.6)
    np.testing.assert_allclose(A.dot(B).todense(), a.dot(b))
    np.testing.assert_array_equal(A.dot(2).todense(), a * 2)


def test_zeros_are_eliminated_in_place():
    A = lacuna.asarray(sp.csr_array(([1.0, 0.0], ([0, 1], [0, 1])), shape=(2, 2)))
    before = A.nnz
    A.eliminate_zeros()
    assert before == 2 and A.nnz == 1


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod", "any", "all", "argmax"])
def test_reductions_write_to_out(rng, name):
    A, dense = random_tensor(rng, (4, 5), format="csr")
    expected = getattr(dense, name)(axis=1)
    out = np.empty(4, expected.dtype)
    assert getattr(A, name)(axis=1, out=out) is out
    np.testing.assert_allclose(out, expected)
    with pytest.raises(ValueError, match="does not match shape"):
        getattr(A, name)(axis=1, out=np.empty(3))


def test_a_column_is_assigned_to_a_row(rng):
    A, dense = random_tensor(rng, (4, 4), format="csr")
    A[1, :] = dense[:, 2:3]
    dense[1, :] = dense[:, 2].copy()
    np.testing.assert_array_equal(A.todense(), dense)
