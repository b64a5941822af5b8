"""The array API: lacuna as a namespace."""

import numpy as np
import pytest

import lacuna
from lacuna import _namespace

UNARY = ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "conj", "cos", "cosh", "exp", "expm1", "floor",
         "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2", "logical_not", "negative", "positive",
         "reciprocal", "sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "round"]
BINARY = ["add", "atan2", "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot", "less",
          "less_equal", "logaddexp", "maximum", "minimum", "multiply", "nextafter", "not_equal", "pow", "remainder", "subtract",
          "logical_and", "logical_or", "logical_xor"]
BITWISE = ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"]


def check(got, want):
    assert isinstance(got, lacuna.Tensor) and got.dtype == want.dtype and got.shape == want.shape
    # Functions of float32 round otherwise than NumPy's, which have other implementations.
    np.testing.assert_allclose(got.todense(), want, rtol=1e-6 if want.dtype == np.float32 else 1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_tensor(name):
    for values in (np.array([[0.0, 0.5, -0.25], [1.0, 2.0, -3.0]]), np.array([0.0, -0.0, np.inf, np.nan]),
                   np.array([1, 2, 3]), np.array([0.5, 0.25], dtype=np.float32)):
        if name == "signbit" and values.dtype.kind == "i":
            continue
        if name == "sign":
            values = np.nan_to_num(values)  # the sign of NaN is 0 in index notation
        function = getattr(np, name)
        check(getattr(lacuna, name)(lacuna.asarray(values)), np.asarray(function(values)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_tensors(name):
    a, b = np.array([[0.5, -2.0, 3.0], [1.0, 0.0, 4.0]]), np.array([1.0, 2.0, -0.5])
    for x, y in ((a, b), (a.astype(np.float32), b.astype(np.float32)), (np.array([[1, 2], [3, 4]]), np.array([[2, 1], [1, 3]]))):
        if name in ("atan2", "copysign", "hypot", "logaddexp", "nextafter") and x.dtype.kind == "i":
            continue
        check(getattr(lacuna, name)(lacuna.asarray(x), lacuna.asarray(y)), getattr(np, name)(x, y))


@pytest.mark.parametrize("name", BITWISE)
def test_bits(name):
    a, b = np.array([5, 6, 7], dtype=np.uint8), np.array([1, 2, 3], dtype=np.uint8)
    check(getattr(lacuna, name)(lacuna.asarray(a), lacuna.asarray(b)), getattr(np, name)(a, b))
    if "shift" not in name:
        check(getattr(lacuna, name)(lacuna.asarray(a > 5), lacuna.asarray(b > 1)), getattr(np, name)(a > 5, b > 1))
    check(~lacuna.asarray(a), ~a)
    check(~lacuna.asarray(a > 5), ~(a > 5))


def test_tensors_are_made():
    for name, arguments in (("arange", (5,)), ("eye", (3,)), ("full", ((2, 3), 7)), ("linspace", (0, 1, 5)), ("ones", (3,)),
                            ("zeros", ((2, 2),))):
        check(getattr(lacuna, name)(*arguments), getattr(np, name)(*arguments))
    x = lacuna.asarray(np.arange(4, dtype=np.int16))
    check(lacuna.zeros_like(x), np.zeros(4, np.int16))
    check(lacuna.full_like(x, 3), np.full(4, 3, np.int16))
    assert lacuna.empty((), dtype=np.float32).shape == ()
    check(lacuna.asarray([[1, 2], [3, 4]], dtype=lacuna.float32), np.array([[1, 2], [3, 4]], np.float32))
    with pytest.raises(ValueError):
        lacuna.asarray(np.ones(3), dtype=np.int32, copy=False)
    with pytest.raises(lacuna.Error, match="cpu"):
        lacuna.ones(3, device="gpu")


@pytest.mark.parametrize("format", ["dense", "csr", "coo"])
def test_shapes(format):
    a = np.array([[0, 1, 2], [3, 0, 5]])
    x = lacuna.asarray(a).to(format)
    check(lacuna.expand_dims(x, axis=1), np.expand_dims(a, 1))
    check(lacuna.squeeze(lacuna.expand_dims(x, axis=-1), axis=-1), a)
    check(lacuna.permute_dims(x, (1, 0)), a.T)
    check(lacuna.moveaxis(lacuna.expand_dims(x, axis=0), 0, 2), np.moveaxis(a[None], 0, 2))
    check(lacuna.matrix_transpose(x), a.T)
    check(lacuna.reshape(x, (3, 2)), a.reshape(3, 2))
    check(lacuna.concat([x, x * 1.5], axis=1), np.concatenate([a, a * 1.5], axis=1))
    check(lacuna.concat([x, x], axis=None), np.concatenate([a, a], axis=None))
    check(lacuna.stack([x, x], axis=-1), np.stack([a, a], axis=-1))
    check(lacuna.broadcast_to(x, (2, 2, 3)), np.broadcast_to(a, (2, 2, 3)))
    check(lacuna.unstack(x, axis=1)[2], a[:, 2])
    check(lacuna.vecdot(x, x), (a * a).sum(axis=1))
    check(lacuna.clip(x, 1, 3), np.clip(a, 1, 3))
    check(lacuna.sum(x, axis=0), a.sum(axis=0))
    check(lacuna.max(x, axis=1, keepdims=True), a.max(axis=1, keepdims=True))
    for got, want in zip(lacuna.nonzero(x), np.nonzero(a)):
        check(got, want)


def test_what_needs_dense_tensors():
    a = np.array([[3, 1, 2], [0, 5, 0]])
    x = lacuna.asarray(a)
    for name in ("sort", "argsort", "argmax", "flip", "cumulative_sum", "tril", "unique_values"):
        options = {"axis": 1} if name == "cumulative_sum" else {}
        check(getattr(lacuna, name)(x, **options), np.asarray(getattr(np, name)(a, **options)))
        with pytest.raises(lacuna.Error, match="dense"):
            getattr(lacuna, name)(x.to("csr"))
    check(lacuna.where(x > 1, x, 0), np.where(a > 1, a, 0))
    check(lacuna.take(x, lacuna.asarray([1, 0]), axis=1), np.take(a, [1, 0], axis=1))
    values, counts = lacuna.unique_counts(x)
    check(values, np.unique(a))
    with pytest.raises(lacuna.Error, match="sparse"):
        np.logaddexp(x.to("csr"), 0)


def test_changes_in_place():
    a = np.arange(6.0).reshape(2, 3)
    x = lacuna.asarray(a)
    y = x
    x += 1
    x *= lacuna.asarray([1.0, 2.0, 3.0])
    check(x, (a + 1) * [1, 2, 3])
    assert y is x and a[0, 0] == 0
    x[0, 1:] = 7
    x[x > 9] = 0
    want = (a + 1) * [1, 2, 3]
    want[0, 1:] = 7
    want[want > 9] = 0
    check(x, want)
    with pytest.raises(TypeError):
        x += 1j
    with pytest.raises(ValueError):
        x += np.ones((2, 2, 3))


def test_exchange():
    x = lacuna.asarray(np.arange(3.0))
    np.testing.assert_array_equal(np.from_dlpack(x), np.arange(3.0))
    check(lacuna.from_dlpack(np.arange(3.0)), np.arange(3.0))
    assert x.__dlpack_device__() == (1, 0) and x.device == "cpu" and x.to_device("cpu") is x
    with pytest.raises(BufferError):
        np.from_dlpack(x.to("csf"))


def test_the_namespace():
    x = lacuna.asarray(1)
    assert x.__array_namespace__(api_version="2024.12") is lacuna
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="1999.12")
    assert all(hasattr(lacuna, name) for name in _namespace.NAMES) and "sin" in dir(lacuna)
    info = lacuna.__array_namespace_info__()
    assert info.default_dtypes()["integral"] == np.int64 and "float32" in info.dtypes(kind="real floating")
    assert lacuna.result_type(x, np.float32) == np.float64 and lacuna.can_cast(x, np.float64)
    with pytest.raises(AttributeError, match="no attribute"):
        lacuna.no_such_function
