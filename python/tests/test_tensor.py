"""lacuna.Tensor: operators, reductions, indexing, changes, other forms."""

import copy
import pickle

import numpy as np
import pytest
from conftest import random_matrix, random_tensor

import lacuna


@pytest.fixture
def pair(rng):
    return random_tensor(rng, (5, 6), 0.4, "csr")


@pytest.mark.parametrize("f", [
    lambda A: A + A, lambda A: A - 2 * A, lambda A: A * A, lambda A: -A, lambda A: A / 4, lambda A: A * 3 + 1,
    lambda A: np.exp(A) * A, lambda A: np.sqrt(A), lambda A: abs(A - 0.5), lambda A: A @ A.T, lambda A: A.T @ A,
    lambda A: (A @ np.ones(6) - 1) * 2, lambda A: np.ones(5) @ A, lambda A: A + np.arange(6.0), lambda A: A.T + np.arange(5),
    lambda A: np.arange(6.0) - A, lambda A: 1 - A, lambda A: A ** 2, lambda A: np.maximum(A, 0.5), lambda A: A > 0.5,
    lambda A: A != 0, lambda A: np.sin(A) + np.log1p(A), lambda A: A[:, None] * A[None, :5], lambda A: A.sum(),
    lambda A: A.sum(axis=0), lambda A: A.sum(axis=1, keepdims=True) * A, lambda A: A.mean(axis=0), lambda A: A.mean(),
    lambda A: (A * A).sum(axis=1), lambda A: np.sum(A), lambda A: np.arctan2(A, 1), lambda A: np.hypot(A, A),
    lambda A: A.astype(np.float32) * 2, lambda A: (9 * A).astype(np.int8) + 100,
    lambda A: (A > 0.5) + (A > 0.2), lambda A: A.T.T - A, lambda A: A * np.float32(2), lambda A: A * 1j, lambda A: np.conjugate(A * 1j),
    lambda A: (A * 1j).imag, lambda A: A.astype(np.int32) / 3, lambda A: A.astype(np.float32).sum(),
])
def test_as_numpy_does(pair, f):
    A, dense = pair
    got, want = f(A), f(dense)
    assert isinstance(got, lacuna.Tensor)
    assert got.shape == np.shape(want) and got.dtype == np.asarray(want).dtype
    np.testing.assert_allclose(got.todense(), want, rtol=1e-6)
    assert got.dtype == np.asarray(want).dtype  # computed, too


def test_expressions_are_computed_once_by_one_kernel(pair):
    A, dense = pair
    e = (A @ np.ones(6) - 1) * 2
    assert "not computed" in repr(e)
    np.testing.assert_allclose(np.asarray(e), (dense @ np.ones(6) - 1) * 2)
    assert "not computed" not in repr(e)


def test_long_sums_are_computed_in_between(pair):
    A, dense = pair
    total = A
    for _ in range(300):
        total = total + A
    np.testing.assert_allclose(total.todense(), 301 * dense)


def test_products_with_sparse_factors_stay_sparse(pair):
    A, dense = pair
    B = (np.exp(A) * A).evaluate()
    assert B.format == "csr" and B.nnz == A.nnz
    assert (A * 2).evaluate().format == "csr"


def test_small_integers_wrap_as_in_numpy():
    a = np.array([100, 100], dtype=np.int8)
    t = lacuna.asarray(a)
    np.testing.assert_array_equal(((t + t) / 2).todense(), (a + a) / 2)


@pytest.mark.parametrize("name", ["max", "min", "prod", "any", "all", "sum", "mean"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(rng, name, axis, keepdims):
    dense = rng.integers(-3, 4, (3, 4, 5)) * (rng.random((3, 4, 5)) < 0.7)
    dense[1], dense[:, :, 2] = 0, rng.integers(1, 5, (3, 4))
    for values in (dense, dense.astype(np.int8), dense * 1.5, abs(dense) + 1.0, np.zeros((3, 4, 5)), -abs(dense) - 1):
        want = getattr(values, name)(axis=axis, keepdims=keepdims)
        for format in ("csf", "coo", "dense", "sss:2,0,1"):
            got = getattr(lacuna.asarray(values).to(format), name)(axis=axis, keepdims=keepdims)
            assert got.dtype == np.asarray(want).dtype and got.shape == np.shape(want)
            np.testing.assert_allclose(got.todense(), want)
    np.testing.assert_array_equal(np.max(lacuna.asarray(dense).to("csf"), axis=0).todense(), dense.max(axis=0))


@pytest.mark.parametrize("shape", [(30,), (6, 5), (-1, 3), (2, -1, 5), (5, 6, 1), 30])
def test_reshaping(pair, shape):
    A, dense = pair
    for t in (A, A.to("csc"), A.to("dense")):
        np.testing.assert_array_equal(t.reshape(shape).todense(), dense.reshape(shape))
    with pytest.raises(lacuna.Error):
        A.reshape(7, 7)


@pytest.mark.parametrize("k", [-7, -4, -1, 0, 1, 5, 8])
def test_diagonals(pair, k):
    A, dense = pair
    np.testing.assert_array_equal(A.diagonal(k), np.diagonal(dense, k) if -5 <= k <= 6 else [])
    assert A.trace(k) == pytest.approx(np.trace(dense, k))


def test_concatenating(pair):
    A, dense = pair
    for axis in (0, 1, -1):
        C = lacuna.concatenate([A, A.to("csr"), dense if axis == 5 else A], axis=axis)
        np.testing.assert_array_equal(C.todense(), np.concatenate([dense] * 3, axis=axis))
        assert C.format == "csr"
    assert lacuna.concatenate([A, dense]).format == "coo"
    with pytest.raises(lacuna.Error, match="do not go together"):
        lacuna.concatenate([A, A[:, 1:]])


def test_names_of_scipy(pair):
    A, dense = pair
    np.testing.assert_array_equal(A.multiply(dense).todense(), dense * dense)
    np.testing.assert_allclose(A.power(2).todense(), dense ** 2)
    np.testing.assert_array_equal(A.maximum(0.5).todense(), np.maximum(dense, 0.5))
    np.testing.assert_array_equal(A.minimum(0.5).todense(), np.minimum(dense, 0.5))
    assert [t.format for t in (A.tocsc(), A.tocsr(), A.tocoo(), A.asformat("csf"))] == ["csc", "csr", "coo", "dcsr"]
    assert A.count_nonzero() == A.getnnz() == np.count_nonzero(dense)
    for axis in (0, 1):
        np.testing.assert_array_equal(A.getnnz(axis), np.count_nonzero(dense, axis=axis))
        np.testing.assert_array_equal(A.count_nonzero(axis), np.count_nonzero(dense, axis=axis))
    for got, want in zip(A.nonzero(), np.nonzero(dense)):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("key", [
    (2, 3), (-1, -2), 2, -1, slice(None), slice(1, 4), (slice(None), slice(None, None, 2)), (slice(4, 0, -2), 1), Ellipsis,
    (Ellipsis, 2), (1, Ellipsis), (None, 2), (slice(None), None), [0, 3, 3, 1], (slice(None), [5, 0]), ([-1, 2], 3),
    np.array([True, False, True, False, True]), slice(3, 3), (slice(10, 20), 0), [],
])
def test_indexing(pair, key):
    A, dense = pair
    key = tuple(key) if isinstance(key, tuple) else key
    want = dense[np.array(key, dtype=int) if isinstance(key, list) else key]
    for t in (A, A.to("coo"), A.to("csc"), A.to("dense")):
        got = t[key]
        assert np.shape(got) == np.shape(want)
        np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize("key", [(0, slice(None), [1, 2]), (slice(None), 1, [0, 2, 2]), ([1, 0], slice(None), 2), (0, [1], 1),
                                 (slice(None), np.array([True, False, True]), -1), (1, None, slice(None), [1, 2])])
def test_numbers_beside_arrays(rng, key):
    B, dense = random_tensor(rng, (2, 3, 4), 0.7)
    np.testing.assert_array_equal(B.to("dense")[key].todense(), dense[key])
    np.testing.assert_array_equal(B[key].todense(), dense[key])


def test_masks_have_the_length_of_their_dimension(pair):
    for t in (pair[0], pair[0].to("dense")):
        for mask in ([True], [True] * 7):
            with pytest.raises(IndexError):
                t[:, np.array(mask)]
    x = lacuna.asarray(np.zeros(4))
    x[np.array([True, False, True, True])] = 5
    assert x.todense().tolist() == [5, 0, 5, 5]


@pytest.mark.parametrize("base, exponent", [
    (np.array([7], "u8"), 22), (np.array([2**53 + 1]), 1), (np.array([100], "i1"), 2), (np.array([[0, 2], [3, 0]]), 5),
    (np.array([3], "i4"), np.int8(3)), (np.array([5], "u1"), 64), (np.array([2, 3]), np.array([3, 2])), (np.array([2, 3]), 0),
])
def test_powers_of_integers_are_exact(base, exponent):
    want = base ** exponent
    got = lacuna.asarray(base) ** exponent
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got.todense(), want)
    if isinstance(exponent, int) and exponent:
        np.testing.assert_array_equal((lacuna.asarray(base).to("dcsr" if base.ndim == 2 else "csf") ** exponent).todense(), want)
    with pytest.raises(ValueError):
        lacuna.asarray(np.array([2, 3])) ** -1


def test_signed_and_unsigned_integers_compare_by_value():
    a, b = np.array([-3, 5]), np.array([2, 2**63], np.uint64)
    for f in (np.less, np.greater_equal, np.equal, np.not_equal):
        for x, y in ((a, b), (a.astype(np.int32), b), (b, a), (np.uint8([1]), -1), (np.uint8([1]), 300), (np.int8([1]), np.uint8(1)), (a, 5)):
            np.testing.assert_array_equal(f(lacuna.asarray(x), y).todense(), f(x, y))


def test_reductions_take_no_options_that_they_ignore(pair):
    A, _ = pair
    for options in ({"initial": 5.0}, {"out": np.zeros(6)}, {"where": True}):
        with pytest.raises(TypeError):
            np.add.reduce(A, axis=0, **options)
    with pytest.raises(ValueError):
        A.sum(axis=(0, 0))
    D = lacuna.asarray(np.array([[1, 2], [4, 4]]))
    assert D.mean(dtype=int).dtype == int


def test_threads_may_read_one_expression(rng):
    import sys
    import threading

    T, failed, interval = lacuna.asarray(np.ones((20, 20))), [], sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(50):
            e, barrier = T * 2 + 1, threading.Barrier(4)

            def read():
                barrier.wait()
                try:
                    assert (np.asarray(e) == 3).all() and e.dtype == float and (e.T * 3).shape == (20, 20)
                except Exception as error:
                    failed.append(error)

            threads = [threading.Thread(target=read) for _ in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
    finally:
        sys.setswitchinterval(interval)
    assert failed == []


def test_shapes_larger_than_any_array():
    h = lacuna.empty((2**40, 2**40, 2**40), format="csf")
    h.insert((1, 2, 3), 4.0)
    assert (h * h).item(1, 2, 3) == 16 and (h + h).nnz == 1


@pytest.mark.parametrize("key", [5, (0, 6), (0, 0, 0), [7]])
def test_indices_outside_are_refused(pair, key):
    with pytest.raises(IndexError):
        pair[0][key]


def test_indexing_keeps_compressed_formats(pair):
    A, _ = pair
    assert A[1:3].format == "csr" and A[[0, 2]].format == "csr" and A[:, 1:].to("csc")[1:].format == "csc"


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "csf", "dense", "bitmap", "hashed", "dense,btree", "ds:1,0"])
def test_formats(pair, format):
    A, dense = pair
    t = A.to(format)
    np.testing.assert_array_equal(t.todense(), dense)
    assert t.shape == (5, 6) and len(t.levels) == 2
    np.testing.assert_array_equal(t.to("csr").to_scipy().toarray(), dense)
    coordinates, values = t.entries
    assert len(coordinates) == 2 and len(values) == len(coordinates[0])
    assert all(dense[i, j] == v for i, j, v in zip(*coordinates, values))


@pytest.mark.parametrize("format", ["dense", "dense,btree", "csr"])
def test_changes(format):
    t = lacuna.empty((4, 4), format=format)
    t.insert((1, 2), 3.0)
    t.insert((1, 2), 1.0)
    before = t.snapshot()
    t.assign((0, 0), 2)
    t[3, 3] = 7
    t[[2, 2], [0, 1]] = np.array([5.0, 6.0])
    want = np.zeros((4, 4))
    want[1, 2], want[0, 0], want[3, 3], want[2, 0], want[2, 1] = 4, 2, 7, 5, 6
    np.testing.assert_array_equal(t.todense(), want)
    assert before.todense().sum() == 4
    if format != "dense":
        assert t.erase((3, 3)) and not t.erase((3, 2))
        assert t.erase(([0, 1], [0, 2])) == 2
    assert t.insert((np.array([0, 0]), np.array([1, 1])), 1.5) in (0, 1)
    assert t.item(0, 1) == 3.0
    with pytest.raises(lacuna.Error):
        t.insert((4, 0), 1.0)
    with pytest.raises(lacuna.Error):
        lacuna.empty((2, 2), np.int8, format).insert((0, 0), 1000)


def test_expressions_are_of_the_moment_in_which_they_are_written(pair):
    t = lacuna.empty(3, format="dense")
    t.insert((0,), 1.0)
    twice = t * 2
    t.insert((0,), 1.0)
    assert twice.todense().tolist() == [2, 0, 0]


def test_scalars(pair):
    A, dense = pair
    s = A.sum()
    assert float(s) == pytest.approx(dense.sum()) and int(s) == int(dense.sum()) and bool(s)
    assert A[1, 1] == dense[1, 1] and isinstance(A[1, 1], np.float64)
    with pytest.raises(ValueError):
        bool(A)
    assert np.arange(3)[lacuna.asarray(np.int64(1))] == 1


def test_transposing_shares_memory(rng):
    B, dense = random_tensor(rng, (3, 4, 5))
    t = B.transpose(2, 0, 1)
    np.testing.assert_array_equal(t.todense(), dense.transpose(2, 0, 1))
    assert np.shares_memory(t.values, B.values)
    np.testing.assert_array_equal(B.mT.todense(), dense.swapaxes(-1, -2))
    with pytest.raises(lacuna.Error):
        B.transpose(0, 0, 1)


def test_copies_and_pickles(pair):
    A, dense = pair
    for t in (A.copy(), copy.copy(A), copy.deepcopy(A), pickle.loads(pickle.dumps(A)), pickle.loads(pickle.dumps(A * 1))):
        np.testing.assert_array_equal(t.todense(), dense)
        assert t.format == "csr"
    assert float(pickle.loads(pickle.dumps(A.sum()))) == pytest.approx(dense.sum())
    assert not np.shares_memory(A.copy().values, A.values)


def test_views_are_read_only_and_copies_are_not(pair):
    D = lacuna.asarray(np.ones(3)) * 2
    assert not np.asarray(D).flags.writeable and np.array(D).flags.writeable and D.todense().flags.writeable
    with pytest.raises(ValueError):
        pair[0].__array__(copy=False)


def test_pictures(pair):
    A, _ = pair
    assert A.spy().startswith("<svg") and A.picture().startswith("<svg") and "<svg" in A._repr_html_()


def test_files(pair, tmp_path):
    A, dense = pair
    for name in ("A.mtx", "A.tns", "A.mtx.gz", "A.npz"):
        A.write(tmp_path / name)
        np.testing.assert_allclose(lacuna.read(tmp_path / name).todense(), dense)
    assert lacuna.read(tmp_path / "A.mtx", "csc").format == "csc"
    lacuna.write(tmp_path / "x.npy", np.arange(3.0))
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.arange(3.0))
    with pytest.raises((lacuna.Error, lacuna.RuntimeFailure), match="missing"):
        lacuna.read(tmp_path / "missing.mtx")


def test_shapes_that_do_not_go_together_are_refused(pair):
    A, _ = pair
    for f in (lambda: A + np.ones(5), lambda: A @ A, lambda: A @ 2.0, lambda: A.sum(axis=2), lambda: A.transpose(2, 3),
              lambda: A.sum(axis=(0, -2))):
        with pytest.raises(ValueError):
            f()
    with pytest.raises(TypeError):
        A + None


@pytest.mark.parametrize("f, has_sum", [
    (lambda A, B, x: abs(A @ B), False),
    (lambda A, B, x: (A @ B) / 2, False),
    (lambda A, B, x: np.exp(A @ B), False),
    (lambda A, B, x: (A @ B) * x, False),
    (lambda A, B, x: A * (A @ B), True),  # only at the entries of A
    (lambda A, B, x: (A @ B) * 2, True),  # the core takes the number into the sum
    (lambda A, B, x: A @ B - A, True),
    (lambda A, B, x: A @ B + 1, True),
    (lambda A, B, x: -(A @ B), True),
    (lambda A, B, x: abs(A @ x), True),
])
def test_products_of_sparse_matrices_are_no_sums_inside_functions(rng, f, has_sum):
    """There each row would meet each column."""
    A, B = random_matrix(rng, 20, 20), random_matrix(rng, 20, 20)
    x = rng.random(20)
    made = f(lacuna.asarray(A), lacuna.asarray(B), x)
    from lacuna import _lazy

    assert ("sum(" in _lazy.statement(made._lazy)[0]) == has_sum
    expected = f(A.toarray(), B.toarray(), x)
    np.testing.assert_allclose(made.todense(), expected)
