"""Tensors of other packages, and whose memory is whose."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix

import lacuna
from lacuna import _core


def addresses(t):
    return [a.__array_interface__["data"][0] for a in (t.positions(1), t.coordinates(1), t.values)]


@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_compressed_matrices_are_used_where_they_are(rng, kind, index):
    A = random_matrix(rng, 9, 7, format=kind)
    A.indices, A.indptr = A.indices.astype(index), A.indptr.astype(index)
    t = lacuna.asarray(A)
    assert t.format == kind and t.nnz == A.nnz
    assert addresses(t) == [a.__array_interface__["data"][0] for a in (A.indptr, A.indices, A.data)]
    np.testing.assert_array_equal(t.todense(), A.toarray())
    back = t.to_scipy()
    assert back.format == kind and np.shares_memory(back.data, A.data) and np.shares_memory(back.indices, A.indices)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"])
def test_all_formats_of_scipy(rng, kind):
    A = random_matrix(rng, 8, 6, 0.4).asformat(kind)
    for B in (A, A.astype(np.float32), A.astype(np.int64), A.astype(complex)):
        t = lacuna.asarray(B)
        assert t.dtype == B.dtype
        np.testing.assert_array_equal(t.todense(), B.toarray())


def test_coordinates_of_any_order(rng):
    dense = rng.random((3, 4, 5)) * (rng.random((3, 4, 5)) < 0.3)
    A = sp.coo_array(dense)
    np.testing.assert_array_equal(lacuna.asarray(A).todense(), dense)
    np.testing.assert_array_equal(lacuna.asarray(A).to_scipy().todense(), dense)
    x = sp.coo_array(dense[0, 0])
    np.testing.assert_array_equal(lacuna.asarray(x).todense(), dense[0, 0])


def test_columns_that_do_not_ascend_and_those_that_repeat():
    data, pos = np.array([1.0, 2.0, 4.0]), np.array([0, 3])
    unordered = sp.csr_array((data, np.array([2, 0, 1]), pos), shape=(1, 3))
    assert lacuna.asarray(unordered).todense().tolist() == [[2, 4, 1]]
    repeating = sp.csr_array((data.copy(), np.array([2, 0, 2]), pos), shape=(1, 3))
    assert lacuna.asarray(repeating).todense().tolist() == [[2, 0, 5]]
    repeating.data[0] = 10  # summed in a copy, which is made anew
    assert lacuna.asarray(repeating).todense().tolist() == [[2, 0, 14]]
    coo = sp.coo_array((data, (np.array([1, 0, 1]), np.array([0, 0, 0]))), shape=(2, 1))
    assert lacuna.asarray(coo).todense().tolist() == [[2], [5]]


def test_malformed_matrices_are_refused():
    A = sp.csr_array(np.eye(3))
    A.indices[1] = 7
    with pytest.raises(lacuna.Error, match="coordinate 7"):
        lacuna.asarray(A)
    B = sp.csr_array(np.eye(3))
    B.indptr[1] = 5
    with pytest.raises(lacuna.Error, match="pos"):
        lacuna.evaluate("y(i) = B(i,j)", B=B)


def test_what_is_no_tensor_is_refused():
    for thing in (None, "abc", b"abc", {}, np.datetime64("2020"), np.timedelta64(3), np.array(["2020"], "M8[D]"), object()):
        with pytest.raises(lacuna.Error):
            lacuna.asarray(thing)


def test_other_buffers():
    import array
    import ctypes

    for thing in ((ctypes.c_int * 3)(1, 2, 3), array.array("d", [1, 2, 3]), memoryview(np.arange(1, 4))):
        np.testing.assert_array_equal(lacuna.asarray(thing).todense(), [1, 2, 3])
    A = sp.csr_array(np.eye(3))
    A.indices, A.data = A.indices.astype(">i4"), A.data.astype(">f8")
    np.testing.assert_array_equal(lacuna.asarray(A).todense(), np.eye(3))


def test_positions_that_do_not_begin_at_zero():
    f, x = lacuna.compile("y(i) = A(i,j) * x(j)"), np.array([1.0, 10, 100])
    A = sp.csr_array(np.array([[1.0, 0, 2], [0, 0, 3]]))
    piece = A.copy()
    piece.indptr[0] = 1
    for matrix, want in ((A, [201, 300]), (piece, [200, 300]), (A, [201, 300])):
        assert f(A=matrix, x=x).todense().tolist() == want


@pytest.mark.parametrize("known", [False, True])
def test_threads_may_adopt_one_matrix(rng, known):
    import sys
    import threading

    A, interval = random_matrix(rng, 50, 50), sys.getswitchinterval()
    if known:
        lacuna.asarray(A)
    barrier = threading.Barrier(8)

    def adopt():
        barrier.wait()
        for _ in range(2000):
            _core.Tensor.adopt(A, "A")

    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=adopt, daemon=True) for _ in range(8)]
    try:
        for t in threads:
            t.start()
        for t in threads:
            t.join(60)
    finally:
        sys.setswitchinterval(interval)
    assert not any(t.is_alive() for t in threads)


def test_garbage_may_be_collected_while_a_matrix_is_looked_at(rng):
    class Matrix(sp.csr_array):
        @property
        def shape(self):
            gc.collect()
            return super().shape

    A = Matrix(random_matrix(rng, 5, 5))
    for _ in range(3):
        other = random_matrix(rng, 5, 5)
        lacuna.asarray(other)
        other.itself = other
        del other
        lacuna.asarray(A)


def test_changes_to_a_matrix_are_seen(rng):
    A, x = sp.csr_array(np.eye(3)), np.ones(3)
    f = lacuna.compile("y(i) = A(i,j) * x(j)")
    assert np.asarray(f(A, x)).tolist() == [1, 1, 1]
    A.data[0] = 5
    assert np.asarray(f(A, x)).tolist() == [5, 1, 1]
    A.data = np.array([2.0, 2.0, 2.0])
    assert np.asarray(f(A, x)).tolist() == [2, 2, 2]
    A.indices = np.array([0, 0, 0], dtype=A.indices.dtype)
    assert np.asarray(f(A, np.array([1.0, 7, 7]))).tolist() == [2, 2, 2]
    with pytest.warns(sp.SparseEfficiencyWarning):
        A[0, 2] = 1
    assert np.asarray(f(A, x)).tolist() == [3, 2, 2]
    A.resize((2, 2))
    assert np.asarray(f(A, np.ones(2))).tolist() == [2, 2]


@pytest.mark.parametrize("make", [
    lambda a: a, lambda a: a.T, lambda a: np.asfortranarray(a), lambda a: a[::2], lambda a: a[:, ::-1],
    lambda a: a[:, 1:3], lambda a: a[None], lambda a: a.swapaxes(0, 1)[..., None], lambda a: a[:0], lambda a: a[2, 3],
    lambda a: np.broadcast_to(a[0], (3, 5)), lambda a: a.astype(">f8"), lambda a: a.astype(np.float16),
    lambda a: a.astype(bool), lambda a: (9 * a).astype(np.uint16), lambda a: a.astype(np.complex64), lambda a: a.tolist(),
    lambda a: a.transpose(1, 0).copy()[1:, :].T, lambda a: np.frombuffer(b"x" + a.tobytes(), dtype=np.uint8)[1:].view(a.dtype)
])
def test_all_dense_arrays(rng, make):
    array = make(rng.random((4, 5)))
    t = lacuna.asarray(array)
    np.testing.assert_array_equal(np.asarray(t), np.asarray(array))
    assert t.shape == np.shape(array)
    y = lacuna.evaluate("y = 2 * x" if t.ndim == 0 else f"y({','.join('ijkl'[:t.ndim])}) = 2 * x({','.join('ijkl'[:t.ndim])})", x=array)
    np.testing.assert_allclose(np.asarray(y), 2 * np.asarray(array).astype(t.dtype).astype(y.dtype))


def test_contiguous_arrays_are_used_where_they_are(rng):
    for a in (rng.random((4, 5)), np.asfortranarray(rng.random((4, 5))), rng.random((2, 3, 4)).transpose(1, 2, 0)):
        a.flags.writeable = False
        view = np.asarray(lacuna.asarray(a))
        assert np.shares_memory(view, a) and view.strides == a.strides and not view.flags.writeable


def test_pydata_arrays(rng):
    sparse = pytest.importorskip("sparse")
    a = sparse.random((4, 5, 6), density=0.3)
    np.testing.assert_array_equal(lacuna.asarray(a).todense(), a.todense())
    np.testing.assert_array_equal(lacuna.asarray(sparse.GCXS(a)).todense(), a.todense())
    with pytest.raises(lacuna.Error, match="fill value"):
        lacuna.asarray(a + 1)


def test_torch_tensors(rng):
    torch = pytest.importorskip("torch")
    dense = rng.random((4, 5)) * (rng.random((4, 5)) < 0.4)
    d = torch.from_numpy(dense)
    for t in (d, d.T.contiguous().T, d.to_sparse_csr(), d.to_sparse_csc(), d.to_sparse_coo(), d.requires_grad_()):
        np.testing.assert_array_equal(lacuna.asarray(t).todense(), dense)
    assert np.shares_memory(np.asarray(lacuna.asarray(d)), d.detach().numpy())


def test_results_outlive_what_they_came_from(rng):
    A, x = random_matrix(rng, 50, 50), rng.random(50)
    want = A @ x
    view = np.asarray(lacuna.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x))
    t = lacuna.asarray(A)
    dense = A.toarray()
    del A, x
    gc.collect()
    np.testing.assert_allclose(view, want)
    np.testing.assert_array_equal(t.todense(), dense)


def test_nothing_keeps_operands_alive(rng):
    f = lacuna.compile("y(i) = A(i,j) * x(j)")
    kept = _core.adopted_count()

    class Vector(np.ndarray):
        pass

    x = rng.random(50).view(Vector)
    gone = weakref.ref(x)
    A = random_matrix(rng, 50, 50)
    f(A, x)
    assert _core.adopted_count() == kept + 1
    del A, x
    gc.collect()
    assert gone() is None and _core.adopted_count() == kept


def test_memory_does_not_grow(rng):
    f = lacuna.compile("C(i,k) = A(i,j) * B(j,k)")

    def work(times):
        for _ in range(times):
            A = random_matrix(rng, 40, 40)
            np.asarray(f(A, lacuna.asarray(A)).values)

    work(50)
    gc.collect()
    tracemalloc.start()
    work(20)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    work(200)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000
