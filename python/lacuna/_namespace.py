"""The functions of the array API standard (2024.12), as far as tensors have them.

Those that a kernel computes take tensors in all formats. Others, such as sort, take dense tensors, and refuse sparse
ones: nothing is made dense unasked.
"""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._core import Error
from ._methods import concatenate
from ._tensor import Tensor, asarray as _adopted

# Names of the standard that are NumPy's own
from numpy import (  # noqa: F401
    bool_ as bool, complex64, complex128, e, finfo, float32, float64, iinfo, inf, int8, int16, int32, int64, isdtype,
    nan, newaxis, pi, uint8, uint16, uint32, uint64)

float = np.float64
int = np.int64


def asarray(value: Any, format: str | None = None, *, dtype: Any = None, device: Any = None,
            copy: Any = None) -> Tensor:
    """A tensor over whatever holds one: numbers, NumPy arrays, the sparse arrays of SciPy, PyTorch and pydata.

    Nothing is copied where Lacuna has the format, unless ``copy`` asks for it: what is written to the arrays later
    shows in the tensor. With ``format``, the tensor is converted to it.

    Raises
    ------
    lacuna.Error
        For what is no tensor, holds elements of a type that Lacuna does not have, or is malformed.
    ValueError
        Where ``copy=False`` cannot be kept.
    """
    _check_device(device)
    if isinstance(value, (list, tuple)):
        value = np.asarray([np.asarray(v) if isinstance(v, Tensor) else v for v in value], dtype=dtype)
    tensor = _adopted(value)
    changes = dtype is not None and np.dtype(dtype) != tensor.dtype
    if changes and copy is False:
        raise ValueError(f"{tensor.dtype} becomes {np.dtype(dtype)} only in a copy")
    if changes:
        tensor = tensor.astype(dtype)
    elif copy:
        tensor = tensor.copy()
    return tensor if format is None else tensor.to(format)


def _check_device(device: Any) -> None:
    if device not in (None, "cpu"):
        raise Error(f"tensors are in memory that processors reach, 'cpu'; not on {device!r}")


def _dense(name: str, *tensors: Any) -> list[np.ndarray]:
    """Views of dense tensors."""
    views = []
    for t in tensors:
        tensor = _adopted(t)
        if not tensor._core.is_dense:
            raise Error(f"{name} takes dense tensors, and this one is {tensor.format}; .to('dense') makes it dense")
        views.append(np.asarray(tensor))
    return views


def _by_numpy(name: str):
    """A function of NumPy's that takes one dense tensor first."""
    function = getattr(np, name)

    def call(x, *arguments, **options):
        (view,) = _dense(name, x)
        arguments = [np.asarray(a) if isinstance(a, Tensor) else a for a in arguments]
        made = function(view, *arguments, **options)
        if isinstance(made, tuple):
            parts = [asarray(part) for part in made]
            return type(made)(*parts) if hasattr(made, "_fields") else tuple(parts)
        return asarray(made)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"``numpy.{name}`` of a dense tensor."
    return call


def _elementwise(name: str):
    function = getattr(np, name)

    def call(*tensors):
        return function(*(t if isinstance(t, (Tensor, complex, np.number)) or np.isscalar(t) else _adopted(t)
                          for t in tensors))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"``numpy.{name}`` of tensors, computed when it is read."
    return call


_ELEMENTWISE = """
    abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or
    bitwise_right_shift bitwise_xor ceil conj copysign cos cosh divide equal exp expm1 floor floor_divide greater
    greater_equal hypot isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not
    logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow reciprocal remainder sign
    signbit sin sinh sqrt square subtract tan tanh trunc""".split()
_DENSE = """
    argmax argmin argsort count_nonzero cumulative_prod cumulative_sum diff flip repeat roll searchsorted sort std take
    take_along_axis tile tril triu unique_all unique_counts unique_inverse unique_values var""".split()
for _name in _ELEMENTWISE:
    globals()[_name] = _elementwise(_name)
for _name in _DENSE:
    globals()[_name] = _by_numpy(_name)


def round(x: Tensor) -> Tensor:
    """The nearest integers, halves to even."""
    return x if x.dtype.kind in "iub" else np.rint(x)


def real(x: Tensor) -> Tensor:
    """Real parts."""
    return _adopted(x).real


def imag(x: Tensor) -> Tensor:
    """Imaginary parts."""
    return _adopted(x).imag


def clip(x: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Entries that are less than min become min, those that are greater than max become max."""
    if min is not None:
        x = np.maximum(x, min).astype(x.dtype, copy=False)
    if max is not None:
        x = np.minimum(x, max).astype(x.dtype, copy=False)
    return x


# Made of nothing


def _filled(function):
    def call(*arguments, dtype=None, device=None, **options):
        _check_device(device)
        return asarray(function(*arguments, dtype=dtype, **options))

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = f"``numpy.{function.__name__}``, as a dense tensor."
    return call


for _name in ("arange", "eye", "full", "linspace", "ones", "zeros"):
    globals()[_name] = _filled(getattr(np, _name))


def _like(function):
    def call(x, *arguments, dtype=None, device=None):
        _check_device(device)
        return asarray(function(_adopted(x).shape, *arguments, dtype=dtype or _adopted(x).dtype))

    call.__name__ = call.__qualname__ = function.__name__ + "_like"
    call.__doc__ = f"``numpy.{function.__name__}`` of the shape and type of a tensor, dense."
    return call


empty_like, full_like, ones_like, zeros_like = map(_like, (np.zeros, np.full, np.ones, np.zeros))


def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Tensor:
    """A dense tensor over the memory of another package's array."""
    _check_device(device)
    return asarray(np.from_dlpack(x), copy=copy)


def meshgrid(*tensors: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """``numpy.meshgrid`` of dense tensors."""
    return tuple(map(asarray, np.meshgrid(*_dense("meshgrid", *tensors), indexing=indexing)))


# Types


def astype(x: Tensor, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Tensor:
    """A tensor with another element type."""
    _check_device(device)
    return x.astype(dtype, copy=copy)


def _dtype_of(x: Any):
    return x.dtype if isinstance(x, Tensor) else x


def can_cast(from_: Any, to: Any, /):
    """Whether a type becomes another without loss of kind."""
    return np.can_cast(_dtype_of(from_), to)


def result_type(*tensors: Any) -> np.dtype:
    """The type in which tensors, types and numbers are computed together."""
    return np.result_type(*map(_dtype_of, tensors))


# Other shapes


def broadcast_to(x: Tensor, /, shape: Sequence) -> Tensor:
    """A tensor repeated along new dimensions, and along those of one coordinate."""
    x = _adopted(x)
    if np.broadcast_shapes(x.shape, tuple(shape)) != tuple(shape):
        raise Error(f"a tensor of shape {x.shape} is not broadcast to {tuple(shape)}")
    return x + zeros(tuple(shape), dtype=x.dtype) if x.dtype.kind != "b" else x | zeros(tuple(shape), dtype=x.dtype)


def broadcast_arrays(*tensors: Tensor) -> list[Tensor]:
    """Tensors broadcast to the shape that they have together."""
    shape = np.broadcast_shapes(*(_adopted(t).shape for t in tensors))
    return [broadcast_to(t, shape) for t in tensors]


def concat(tensors: Sequence[Any], /, *, axis: Any = 0) -> Tensor:
    """Tensors one behind the other."""
    parts = [_adopted(t) for t in tensors]
    dtype = np.result_type(*(p.dtype for p in parts))
    parts = [p.astype(dtype, copy=False) for p in parts]
    if axis is None:
        return concatenate([p.reshape(-1) for p in parts])
    return concatenate(parts, axis)


def stack(tensors: Sequence[Any], /, *, axis: Any = 0) -> Tensor:
    """Tensors of one shape along a new dimension."""
    return concat([expand_dims(t, axis=axis) for t in tensors], axis=axis)


def unstack(x: Tensor, /, *, axis: Any = 0) -> tuple[Tensor, ...]:
    """The parts of a tensor at each coordinate of a dimension."""
    x = moveaxis(x, axis, 0)
    return tuple(asarray(x[k]) for k in range(x.shape[0]))


def expand_dims(x: Any, /, *, axis: Any = 0) -> Tensor:
    """A tensor with a new dimension of one coordinate."""
    x = _adopted(x)
    if not -x.ndim - 1 <= axis <= x.ndim:
        raise IndexError(f"a tensor of order {x.ndim} gets no axis {axis}")
    keys = [slice(None)] * x.ndim
    keys.insert(axis % (x.ndim + 1), None)
    return x[tuple(keys)]


def squeeze(x: Any, /, axis: Any = None) -> Tensor:
    """A tensor without dimensions of one coordinate."""
    x = _adopted(x)
    if axis is None:
        axis = tuple(k for k, n in enumerate(x.shape) if n == 1)
    axes = [a % x.ndim for a in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    for a in axes:
        if x.shape[a] != 1:
            raise Error(f"dimension {a} has {x.shape[a]} coordinates and cannot be left out")
    return asarray(x[tuple(0 if k in axes else slice(None) for k in range(x.ndim))]) if axes else x


def permute_dims(x: Any, /, axes: Sequence) -> Tensor:
    """A tensor with its dimensions in another order."""
    return _adopted(x).transpose(*axes)


def moveaxis(x: Any, source: Any, destination: Any, /) -> Tensor:
    """A tensor with some dimensions at other places."""
    x = _adopted(x)
    source = [s % x.ndim for s in (source if isinstance(source, (tuple, list)) else (source,))]
    destination = [d % x.ndim for d in (destination if isinstance(destination, (tuple, list)) else (destination,))]
    order = [k for k in range(x.ndim) if k not in source]
    for to, origin in sorted(zip(destination, source)):
        order.insert(to, origin)
    return x.transpose(*order) if x.ndim else x


def reshape(x: Any, /, shape: Sequence, *, copy: Any = None) -> Tensor:
    """A tensor in another shape."""
    return _adopted(x).reshape(tuple(shape))


def matrix_transpose(x: Any, /) -> Tensor:
    """A tensor with its last two dimensions exchanged."""
    return _adopted(x).mT


def vecdot(a: Any, b: Any, /, *, axis: Any = -1) -> Tensor:
    """Products summed over a dimension; of complex numbers, those of a are conjugated."""
    a, b = _adopted(a), _adopted(b)
    return (np.conjugate(a) * b if a.dtype.kind == "c" else a * b).sum(axis=axis, dtype=np.result_type(a.dtype, b.dtype))


# Reductions


def _reduction(name: str):
    def call(x, /, **options):
        return getattr(_adopted(x), name)(**options)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"``{name}`` over all dimensions of a tensor, or over some; absent entries are zeros."
    return call


for _name in ("all", "any", "max", "mean", "min", "prod", "sum"):
    globals()[_name] = _reduction(_name)


# What is searched for


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """The coordinates of entries that are not zero, one tensor a dimension, in the order of rows."""
    found = _adopted(x).nonzero()
    order = np.lexsort(found[::-1])
    return tuple(asarray(np.ascontiguousarray(c[order], dtype=np.int64)) for c in found)


def where(condition: Tensor, a: Any, b: Any, /) -> Tensor:
    """``numpy.where`` of dense tensors."""
    numbers = [x if np.isscalar(x) else _dense("where", x)[0] for x in (a, b)]
    return asarray(np.where(_dense("where", condition)[0], *numbers))


def isin(a: Any, b: Any, /, *, invert: Any = False) -> Tensor:
    """``numpy.isin`` of dense tensors."""
    return asarray(np.isin(*_dense("isin", a, b), invert=invert))


class _Info:
    """What ``__array_namespace_info__()`` returns."""

    def capabilities(self) -> dict:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        return "cpu"

    def default_dtypes(self, *, device: Any = None) -> dict:
        return {"real floating": float64, "complex floating": complex128, "integral": int64, "indexing": int64}

    def devices(self) -> list[str]:
        return ["cpu"]

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict:
        names = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128").split()
        found = {name: np.dtype(name) for name in names}
        return {name: t for name, t in found.items() if kind is None or isdtype(t, kind)}


def __array_namespace_info__() -> _Info:
    """Types and devices, as the standard has it."""
    return _Info()


__array_api_version__ = "2024.12"
NAMES = [name for name in globals() if not name.startswith("_") and name not in ("annotations", "Any", "Sequence", "np",
                                                                                 "Error", "Tensor", "concatenate")]
