"""The methods of tensors that NumPy's and SciPy's arrays have, too, and that are not a kernel's work."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import numpy as np

from . import _entrywise
from ._core import Error


_EXTREMES = (np.maximum, np.minimum, np.fmax, np.fmin)


class ArrayMethods:
    """For lacuna.Tensor."""

    __slots__ = ()

    # SciPy's names of operators

    def multiply(self, other: Any):
        """The product entry by entry, ``self * other``."""
        return self * other

    def power(self, n: Any):
        """Each entry to a power, ``self ** n``."""
        return self ** n

    def maximum(self, other: Any):
        """The greater of each two entries."""
        return np.maximum(self, other)

    def minimum(self, other: Any):
        """The lesser of each two entries."""
        return np.minimum(self, other)

    def asformat(self, format: str, copy: bool = False):
        """The same tensor in another format, ``self.to(format)``; ``"array"`` is dense."""
        made = self.to("dense" if format == "array" else format)
        return made.copy() if copy else made

    def round(self, decimals: int = 0, out: np.ndarray | None = None):
        """Each entry rounded to so many digits, halves to even; ``out`` takes them where it is given."""
        return _entrywise.into(self._with_values(np.round(self.entries[1], decimals)), out)

    def __round__(self, ndigits: int = 0):
        return self.round(ndigits)

    def _with_values(self, values: np.ndarray):
        """The same coordinates with other values: for functions that make zero of zero."""
        from ._tensor import asarray, from_coordinates

        view = self._core.dense_view()
        if view is not None:
            return asarray(values.reshape(self.shape))
        return from_coordinates(self.shape, self.coords, values, self.format)

    def tocsr(self, copy: bool = False):
        """The same tensor as csr; itself, if it is, unless a copy is asked for."""
        return self.to("csr").copy() if copy else self.to("csr")

    def tocsc(self, copy: bool = False):
        """The same tensor as csc; itself, if it is, unless a copy is asked for."""
        return self.to("csc").copy() if copy else self.to("csc")

    def tocoo(self, copy: bool = False):
        """The same tensor as coo; itself, if it is, unless a copy is asked for."""
        return self.to("coo").copy() if copy else self.to("coo")

    def dot(self, other: Any):
        """``numpy.dot``: the product over the last dimension and the last but one of the other; of a number, with it."""
        from ._einsum import tensordot

        order = np.ndim(other) if not hasattr(other, "ndim") else other.ndim
        if order == 0 or self.ndim == 0:
            return self * other
        return self @ other if order <= 2 else tensordot(self, other, ([self.ndim - 1], [order - 2]))

    def broadcast_to(self, shape: Sequence[int]):
        """The tensor repeated along new dimensions, and along those of one coordinate."""
        from ._namespace import broadcast_to

        return broadcast_to(self, shape)

    # Reductions but for the sum

    def mean(self, axis: int | Sequence[int] | None = None, dtype: Any = None, out: np.ndarray | None = None,
             keepdims: bool = False):
        """The mean over all dimensions, or over one or several; absent entries count as zero."""
        from ._tensor import _axes

        count = 1
        for a in _axes(axis, self.ndim):
            count *= self.shape[a]
        dtype = np.dtype(dtype) if dtype is not None else self.dtype if self.dtype.kind in "fc" else np.dtype(np.float64)
        return _entrywise.into((self.sum(axis, dtype, keepdims=keepdims) / count).astype(dtype, copy=False), out)

    def max(self, axis: int | Sequence[int] | None = None, out: np.ndarray | None = None, keepdims: bool = False, *,
            explicit: bool = False):
        """The greatest entry, of all or over dimensions; absent entries are zeros, or with explicit, are left out."""
        return self._reduced(np.maximum, axis, out, keepdims, explicit)

    def min(self, axis: int | Sequence[int] | None = None, out: np.ndarray | None = None, keepdims: bool = False, *,
            explicit: bool = False):
        """The least entry, of all or over dimensions; absent entries are zeros, or with explicit, are left out."""
        return self._reduced(np.minimum, axis, out, keepdims, explicit)

    def prod(self, axis: int | Sequence[int] | None = None, dtype: Any = None, out: np.ndarray | None = None, keepdims: bool = False):
        """The product of entries, of all or over dimensions; absent entries are zeros."""
        kind = np.multiply.reduce(np.ones(1, self.dtype)).dtype if dtype is None else np.dtype(dtype)
        return self.astype(kind, copy=False)._reduced(np.multiply, axis, out, keepdims)

    def any(self, axis: int | Sequence[int] | None = None, out: np.ndarray | None = None, keepdims: bool = False):
        """Whether some entry is not zero, of all or over dimensions."""
        return self.astype(bool, copy=False)._reduced(np.logical_or, axis, out, keepdims)

    def all(self, axis: int | Sequence[int] | None = None, out: np.ndarray | None = None, keepdims: bool = False):
        """Whether no entry is zero, of all or over dimensions."""
        return self.astype(bool, copy=False)._reduced(np.logical_and, axis, out, keepdims)

    def _reduced(self, function: np.ufunc, axis, out, keepdims: bool, explicit: bool = False):
        from ._tensor import _axes

        return _entrywise.into(self._reduction(function, _axes(axis, self.ndim), keepdims, explicit), out)

    def _reduction(self, function: np.ufunc, axes: list[int], keepdims: bool, explicit: bool):
        from ._tensor import asarray, from_coordinates

        if function in _EXTREMES and any(self.shape[a] == 0 for a in axes):
            raise ValueError("there is no greatest or least of no entries")
        shape = [n for k, n in enumerate(self.shape) if k not in axes]
        view = self._core.dense_view()
        if view is not None or 0 in self.shape:
            return asarray(function.reduce(np.asarray(self), axis=tuple(axes), keepdims=keepdims))
        coordinates, values = self.entries
        where, results = _entrywise.reduced(function, coordinates, values, self.shape, axes, explicit)
        if not shape:
            total = results[0] if len(results) else values.dtype.type(0)
            return asarray(np.full((1,) * self.ndim if keepdims else (), total))
        if keepdims:
            kept = iter(where)
            zeros = np.zeros(len(results), dtype=np.int64)
            where = [zeros if k in axes else next(kept) for k in range(self.ndim)]
            shape = [1 if k in axes else n for k, n in enumerate(self.shape)]
        return from_coordinates(shape, where, results)

    def count_nonzero(self, axis: int | None = None):
        """How many stored entries are not zero, of all or over a dimension."""
        if axis is None:
            return int(np.count_nonzero(self.entries[1]))
        return np.asarray((self != 0).sum(axis=axis))

    def getnnz(self, axis: int | None = None):
        """How many entries are stored, of all or over a dimension."""
        if axis is None:
            return self.nnz
        kept = [k for k in range(self.ndim) if k != axis % self.ndim]
        keys = _entrywise.keys_of([self.coords[k] for k in kept], [self.shape[k] for k in kept])
        shape = [self.shape[k] for k in kept]
        return np.bincount(keys, minlength=int(np.prod(shape))).reshape(shape)

    def nonzero(self) -> tuple[np.ndarray, ...]:
        """The coordinates of entries that are not zero, one array a dimension."""
        coordinates, values = self.entries
        chosen = values != 0
        return tuple(np.asarray(c)[chosen] for c in coordinates)

    # Other shapes

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False):
        """The same entries in another shape, read in the order of rows ("C") or columns ("F"); one extent may be -1."""
        from ._tensor import asarray, from_coordinates

        if order not in ("C", "F"):
            raise Error(f"the order {order!r} is neither 'C', of rows, nor 'F', of columns")
        wanted = _entrywise.completed_shape(self.size, shape[0] if len(shape) == 1 else shape)
        if wanted == self.shape:
            return self.copy() if copy else self
        if order == "F":
            return self.transpose().reshape(wanted[::-1]).transpose()
        view = self._core.dense_view()
        if view is not None or not wanted or not self.ndim:
            return asarray(np.asarray(self).reshape(wanted))
        coordinates, values = self.entries
        return from_coordinates(wanted, _entrywise.moved(coordinates, self.shape, wanted), values)

    def diagonal(self, k: int = 0) -> np.ndarray:
        """The entries [i, i + k] of a matrix, absent ones as zeros."""
        if self.ndim != 2:
            raise Error(f"a tensor of order {self.ndim} has no diagonal")
        rows, columns = self.shape
        length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
        out = np.zeros(length, dtype=self.dtype)
        (i, j), values = self.entries
        on = np.asarray(j, dtype=np.int64) - i == k
        np.add.at(out, np.asarray(i)[on] + min(k, 0), values[on])
        return out

    def trace(self, offset: int = 0):
        """The sum of a diagonal."""
        return self.diagonal(offset).sum()


def concatenate(tensors: Iterable[Any], axis: int = 0, format: str | None = None):
    """``numpy.concatenate`` of tensors in any format."""
    from ._tensor import asarray, from_coordinates

    parts = [asarray(t) for t in tensors]
    if not parts:
        raise Error("there is nothing to concatenate")
    ndim = parts[0].ndim
    if not -ndim <= axis < ndim:
        raise Error(f"there is no axis {axis} in a tensor of order {ndim}")
    axis %= ndim
    others = {p.shape[:axis] + p.shape[axis + 1:] for p in parts}
    if len(others) > 1 or any(p.ndim != ndim for p in parts):
        raise Error("shapes " + ", ".join(str(p.shape) for p in parts) + f" do not go together along axis {axis}")
    shape = list(parts[0].shape)
    shape[axis] = sum(p.shape[axis] for p in parts)
    entries = [p.entries for p in parts]
    begins = np.cumsum([0] + [p.shape[axis] for p in parts])
    where = [np.concatenate([np.asarray(c[k], dtype=np.int64) + (b if k == axis else 0) for (c, _), b in zip(entries, begins)])
             for k in range(ndim)]
    values = np.concatenate([v for _, v in entries])
    made = from_coordinates(shape, where, values)
    formats = {p.format for p in parts}
    return made.to(format or (formats.pop() if len(formats) == 1 else "coo"))
