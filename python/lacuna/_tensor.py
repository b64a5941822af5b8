"""Tensors in any format."""

from __future__ import annotations

import operator
from typing import Any, Iterable, Sequence

import numpy as np

from . import _adopt, _core, _entrywise, _functions, _lazy
from ._core import Error
from ._exchange import Exchange
from ._extremes import Extremes
from ._filling import Filling
from ._methods import ArrayMethods
from ._operators import Operators


def _node_of(value: Any) -> _lazy.Node:
    tensor = asarray(value)
    lazy = tensor._lazy  # once: another thread may compute it meanwhile
    return lazy if lazy is not None else _lazy.Leaf(tensor)


def _weak_type(value: Any):
    """What NumPy's promotion goes by: a Python number takes the type of the other operands."""
    if isinstance(value, (bool, np.generic)):
        return np.asarray(value).dtype
    for kind in (int, float, complex):
        if isinstance(value, kind):
            return kind
    return None


def _elementwise(name: str, *operands: Any) -> "Tensor":
    types, values = [], []
    for x in operands:
        weak = _weak_type(x)
        values.append(x if weak is not None else asarray(x))
        types.append(weak if weak is not None else values[-1].dtype)
    taken, result = _functions.types_of(name, types)
    nodes, texts = [], []
    for k, (x, given, wanted) in enumerate(zip(values, types, taken)):
        if isinstance(x, Tensor):
            nodes.append(_node_of(x))
            texts.append(_functions.cast("{%d}" % k, given, wanted))
        else:
            nodes.append(_lazy.Number(x, wanted))
            texts.append("{%d}" % k)
    pattern = _functions.wrapped(_functions.PATTERNS[name].format(*texts), result)
    return Tensor._later(_lazy.Elementwise(pattern, nodes, result))


class Tensor(ArrayMethods, Extremes, Filling, Exchange, Operators):
    """A tensor of any order, element type and format.

    Made by :func:`asarray`, :func:`empty`, :func:`read`, by statements and by operators. What operators and NumPy's
    functions make is computed when it is first read, with everything that it was made of in one kernel:
    ``np.asarray((A @ x - b) * 2)`` runs one. Its operands are those of the moment in which it was written, but for
    memory of other packages, which is read when it is computed.

    NumPy, SciPy and others see it without a copy where their formats are alike: ``np.asarray(T)`` for a dense one,
    ``T.to_scipy()`` for csr, csc and coo. Such arrays are read-only.
    """

    # What was computed, or else how; and whether expressions refer to what it holds.
    __slots__ = ("_held", "_lazy", "_is_shared", "__weakref__")
    __array_priority__ = 100

    def __init__(self, value: Any, format: str | None = None, *, dtype: Any = None, copy: bool = False):
        made = asarray(value, format)
        made = made if dtype is None else made.astype(dtype, copy=False)
        made = made.copy() if copy else made
        self._held, self._lazy = made._held, made._lazy
        self._is_shared = made._is_shared = True

    @classmethod
    def _of(cls, core: _core.Tensor) -> "Tensor":
        self = object.__new__(cls)
        self._held, self._lazy, self._is_shared = core, None, False
        return self

    @classmethod
    def _later(cls, node: _lazy.Node) -> "Tensor":
        self = object.__new__(cls)
        self._held, self._lazy, self._is_shared = None, node, False
        if node.nodes > _lazy.MAX_NODES:
            self.evaluate()
        return self

    # What it holds

    @property
    def _core(self) -> _core.Tensor:
        held = self._held
        if held is None:
            held = self.evaluate()._held
        return held

    def _shared(self) -> "Tensor":
        """Another tensor that holds the same, and goes on to when this one is changed."""
        self._is_shared = True
        return Tensor._of(self._core)

    def evaluate(self, *, format: str | None = None, threads: int | None = None, schedule: str = "") -> "Tensor":
        """Computes it now, if it is not yet: how is up to the arguments, which are those of :func:`lacuna.evaluate`."""
        lazy = self._lazy
        if lazy is not None:
            from ._statements import evaluate

            text, operands, sizes = _lazy.statement(lazy)
            made = evaluate(text, operands, format=format, type=lazy.dtype, sizes=sizes, threads=threads,
                            schedule=schedule)
            self._held = made._held
            self._lazy = None
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        """The extent of each dimension."""
        lazy = self._lazy
        return tuple(lazy.shape) if lazy is not None else self._core.shape

    @property
    def dtype(self) -> np.dtype:
        """The element type."""
        lazy = self._lazy
        return lazy.dtype if lazy is not None else np.dtype(self._core.type)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of coordinates, stored or not."""
        count = 1
        for n in self.shape:
            count *= n
        return count

    @property
    def nnz(self) -> int:
        """The number of stored entries; of a dense tensor, all of them."""
        return self._core.stored

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return self._core.bytes

    @property
    def format(self) -> str:
        """How it is stored, such as ``"csr"`` or ``"dense,compressed:1,0"``."""
        return self._core.format

    @property
    def levels(self) -> list[str]:
        """The kind of each level, outermost first."""
        return self._core.levels

    def positions(self, level: int) -> np.ndarray | None:
        """Where the children of each parent begin in a level, a view; None where the level has no such array."""
        return self._core.positions(level)

    def coordinates(self, level: int) -> np.ndarray | None:
        """The coordinates of a level by position, a view; None where the level has no such array."""
        return self._core.coordinates(level)

    @property
    def values(self) -> np.ndarray:
        """The values, one a position of the last level: a view."""
        return self._core.values()

    @property
    def coords(self) -> tuple[np.ndarray, ...]:
        """The coordinates of all stored entries, one array a dimension, in the order of storage."""
        return self._core.entries()[0]

    @property
    def entries(self) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """The coordinates of all stored entries, one array a dimension, and their values."""
        return self._core.entries()

    # Other forms of it

    def to(self, format: str) -> "Tensor":
        """The same tensor in another format; itself, if it has that one."""
        return self if self.format == format else Tensor._of(self._core.to_format(format))

    def astype(self, dtype: Any, copy: bool = True) -> "Tensor":
        """The same tensor with another element type."""
        dtype = np.dtype(dtype)
        if dtype == self.dtype:
            return self.copy() if copy else self
        lazy = self._lazy
        if lazy is not None:
            return Tensor._later(_lazy.Elementwise(f"cast({dtype.name}, {{}})", [lazy], dtype))
        return Tensor._of(self._core.to_type(dtype.name))

    def copy(self) -> "Tensor":
        """The same tensor in memory of its own."""
        return Tensor._of(self._core.copy())

    def snapshot(self) -> "Tensor":
        """A tensor that stays what this one is now. Memory is shared until this one is changed."""
        return Tensor._of(self._core.snapshot())

    def drop_zeros(self) -> "Tensor":
        """The same tensor without stored zeros."""
        return Tensor._of(self._core.drop_zeros())

    # Single entries

    def item(self, *coordinate: int):
        """The value of a tensor with one coordinate, or at a coordinate, as a Python number."""
        if not coordinate:
            if self.size != 1:
                raise ValueError(f"a tensor of shape {self.shape} is not one number")
            coordinate = (0,) * self.ndim
        return self._core.at(list(coordinate))

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __complex__(self):
        return complex(self.item())

    def __bool__(self):
        if self.size != 1:
            raise ValueError("the truth of a tensor with several values is not defined")
        return bool(self.item())

    def __index__(self):
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only a scalar of integers is an index")
        return self.item()

    def __len__(self):
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    # Changes

    def insert(self, coordinate: Sequence, values: Any) -> int | None:
        """Adds a value to the entry at a coordinate, or values at many: then each coordinate is an array.

        In place where all levels are dense or dynamic. Of many, returns how many entries are new.
        """
        return self._change("insert", coordinate, values)

    def assign(self, coordinate: Sequence, values: Any) -> int | bool:
        """Replaces the entry at a coordinate, or stores it where there is none; of many, each coordinate is an array.

        Returns whether the entry is new, or of many, how many are.
        """
        return self._change("assign", coordinate, values)

    def erase(self, coordinate: Sequence) -> int | bool:
        """Takes the entry at a coordinate out, or those at many. Returns whether, or how many, there were."""
        return self._change("erase", coordinate)

    def _change(self, name: str, coordinate: Sequence, *values: Any):
        coordinate = (coordinate,) if isinstance(coordinate, (int, np.integer)) else tuple(coordinate)
        self._own()
        if all(isinstance(c, (int, np.integer)) for c in coordinate):
            return getattr(self._core, name)([int(c) for c in coordinate], *values)
        arrays = np.broadcast_arrays(*(np.asarray(c) for c in coordinate))
        arrays = [np.ascontiguousarray(a.ravel()) for a in arrays]
        values = [np.ascontiguousarray(np.broadcast_to(v, arrays[0].shape)) for v in values]
        return getattr(self._core, name + "_many")(arrays, *values)

    def _own(self) -> None:
        """Gives up what is shared with another tensor, since this one is to be changed."""
        if self._is_shared:
            self._held, self._is_shared = self._core.snapshot(), False

    def __setitem__(self, key: Any, value: Any):
        from ._assigning import assign

        view = self._core.dense_view()
        if view is None:
            assign(self, key, value)
            return
        changed = view.copy()
        key = key if isinstance(key, tuple) else (key,)
        changed[tuple(np.asarray(k) if isinstance(k, Tensor) else k for k in key)] = np.asarray(value)
        self._become(asarray(changed))

    def __getitem__(self, key: Any) -> Any:
        from ._indexing import select

        return select(self, key)

    # Arithmetic

    def __array_ufunc__(self, function, method, *inputs, **options):
        name = function.__name__
        out = options.pop("out", None)
        if out is not None and method == "__call__" and len(out) == 1 and isinstance(out[0], Tensor):
            return out[0]._become(self.__array_ufunc__(function, method, *inputs, **options))
        if out is not None and method == "__call__" and len(out) == 1 and isinstance(out[0], np.ndarray):
            np.copyto(out[0], np.asarray(self.__array_ufunc__(function, method, *inputs, **options)), casting="same_kind")
            return out[0]
        if method != "__call__" or out is not None or options:
            reduction = _functions.REDUCTIONS.get(name) if method == "reduce" else None
            if reduction is None or out is not None or set(options) - {"axis", "keepdims", "dtype"} or options.get("dtype") is not None:
                return NotImplemented
            return getattr(inputs[0], reduction)(axis=options.get("axis", 0), keepdims=options.get("keepdims", False))
        if name == "matmul":
            return _matmul(*inputs)
        if name == "power" and _functions.is_whole_power(*inputs):
            return _functions.whole_power(inputs[0], operator.index(inputs[1]))
        if _functions.is_compiled(name, inputs):
            return _elementwise(name, *inputs)
        from ._stored import computed

        return computed(function, inputs)

    def _become(self, other: Any) -> Any:
        """What ``self += x`` does: this tensor is the other one from now on, with its own type and shape."""
        if other is NotImplemented:
            return other
        if other.shape != self.shape:
            raise Error(f"a tensor of shape {self.shape} does not become one of shape {other.shape}")
        if not np.can_cast(other.dtype, self.dtype, "same_kind"):
            raise TypeError(f"a tensor of {self.dtype} does not become one of {other.dtype}")
        other = other.astype(self.dtype, copy=False)
        self._held, self._lazy, self._is_shared = other._held, other._lazy, True
        return self

    def sum(self, axis: int | Sequence[int] | None = None, dtype: Any = None, out: np.ndarray | None = None,
            keepdims: bool = False) -> "Tensor":
        """The sum over all dimensions, or over one or several, in ``out`` where it is given."""
        if dtype is None:
            small = self.dtype.kind in "b" or (self.dtype.kind in "iu" and self.dtype.itemsize < 8)
            dtype = (np.uint64 if self.dtype.kind == "u" else np.int64) if small else self.dtype
        operand = self if self.dtype == dtype else self.astype(dtype)
        return _entrywise.into(Tensor._later(_lazy.Sum(_node_of(operand), _axes(axis, self.ndim), keepdims, dtype)), out)

    def transpose(self, *order: Any, axes: Sequence[int] | None = None) -> "Tensor":
        """Dimension k of the result is dimension axes[k]; without axes, their order is reversed. Memory is shared."""
        axes = order if axes is None else (axes,)
        if len(axes) == 1 and not isinstance(axes[0], (int, np.integer)):
            axes = tuple(axes[0]) if axes[0] is not None else ()
        order = _axes(axes, self.ndim) if axes else list(range(self.ndim))[::-1]
        if sorted(order) != list(range(self.ndim)):
            raise Error(f"{axes} does not name each dimension of a tensor of order {self.ndim} once")
        lazy = self._lazy
        if lazy is not None:
            return Tensor._later(_lazy.Permuted(lazy, order))
        return Tensor._of(self._core.transpose(order))

    @property
    def T(self) -> "Tensor":
        """The tensor with its dimensions in the other order."""
        return self.transpose()

    @property
    def mT(self) -> "Tensor":
        """The tensor with its last two dimensions exchanged."""
        return self.transpose([*range(self.ndim - 2), self.ndim - 1, self.ndim - 2])

    @property
    def real(self) -> "Tensor":
        return self if self.dtype.kind != "c" else self._part("real")

    @property
    def imag(self) -> "Tensor":
        return self._part("imag")

    def _part(self, name: str) -> "Tensor":
        dtype = np.empty(0, self.dtype).real.dtype
        return Tensor._later(_lazy.Elementwise(name + "({})", [_node_of(self)], dtype))

    def conj(self) -> "Tensor":
        return _elementwise("conjugate", self)

    def __abs__(self) -> "Tensor":
        return _elementwise("absolute", self)

    # For people and for other packages

    def write(self, path) -> None:
        """Writes a file, whose ending says the file format."""
        from ._files import write

        write(path, self)

    def spy(self) -> str:
        """Where the stored entries are, as SVG."""
        return self._core.spy(f"{self.format}, {self.nnz} stored")

    def picture(self) -> str:
        """The arrays and nodes in which it is stored, as SVG; of a large tensor, their start."""
        return self._core.picture(self.format)

    def __reduce__(self):
        if self.ndim == 0:
            return asarray, (np.asarray(self).copy(),)
        coordinates, values = self.entries
        return _rebuilt, (self.shape, [np.array(c) for c in coordinates], np.array(values), self.format)

    def __repr__(self) -> str:
        if self._held is None:
            return f"<lacuna.Tensor of {self.dtype}, shape {self.shape}, not computed yet>"
        return f"<lacuna.Tensor of {self.dtype}, shape {self.shape}, {self.format}, {self.nnz} stored>"

    def _repr_html_(self) -> str:
        import html

        head = html.escape(repr(self)[1:-1])
        if self._held is None or not 2 <= self.ndim <= 6 or self.nnz > 20_000_000:
            return f"<code>{head}</code>"
        return f"<div><code>{head}</code><br>{self.spy()}</div>"


def _rebuilt(shape, coordinates, values, format):
    return from_coordinates(shape, coordinates, values, format)


def _axes(axis: int | Iterable[int] | None, ndim: int) -> list[int]:
    if axis is None:
        return list(range(ndim))
    try:
        axes = [operator.index(a) for a in (axis if isinstance(axis, Iterable) else (axis,))]
    except TypeError:
        raise TypeError(f"an axis must be an integer, and {axis!r} is not") from None
    for a in axes:
        if not -ndim <= a < ndim:
            raise Error(f"axis out of range: there is no axis {a} in a tensor of order {ndim}")
    axes = [a % ndim for a in axes]
    if len(set(axes)) < len(axes):
        raise Error(f"{axis} names an axis twice")
    return axes


def _matmul(a: Any, b: Any) -> Tensor:
    left, right = _node_of(a), _node_of(b)
    (x, y), result = _functions.types_of("multiply", [left.dtype, right.dtype])
    if left.dtype != x:
        left = _lazy.Elementwise(f"cast({x.name}, {{}})", [left], x)
    if right.dtype != y:
        right = _lazy.Elementwise(f"cast({y.name}, {{}})", [right], y)
    return Tensor._later(_lazy.Product(left, right, result))


def asarray(value: Any, format: str | None = None) -> Tensor:
    """What lacuna.asarray (_namespace.py) does, without options that change the numbers."""
    tensor = value if isinstance(value, Tensor) else Tensor._of(_core.Tensor.adopt(value, "the value"))
    return tensor if format is None else tensor.to(format)


def transpose(tensor: Any, axes: Sequence[int] | None = None) -> Tensor:
    """``numpy.transpose`` of a tensor in any format; memory is shared."""
    return asarray(tensor).transpose(*(axes if axes is not None else ()))


def empty(shape: int | Sequence[int], dtype: Any = np.float64, format: str = "csf") -> Tensor:
    """A tensor without entries, to be filled by :meth:`Tensor.insert`; of a dense format, one of zeros."""
    shape = [shape] if isinstance(shape, (int, np.integer)) else list(shape)
    if any(n < 0 for n in shape):
        raise Error(f"'shape' elements cannot be negative: {tuple(shape)}")
    return Tensor._of(_core.Tensor.empty([int(n) for n in shape], np.dtype(dtype).name, format))


def from_coordinates(shape: Sequence[int], coordinates: Sequence, values: Any, format: str = "coo") -> Tensor:
    """A tensor from one array of coordinates a dimension, in any order, and one of values; what repeats is added up."""
    arrays = [np.ascontiguousarray(c) for c in coordinates]
    core = _core.Tensor.from_coordinates([int(n) for n in shape], arrays, np.ascontiguousarray(values))
    return Tensor._of(core if core.format == format else core.to_format(format))


_core.set_names(np.ndarray, Tensor, _adopt.adopt)
