"""Where the greatest and least entries of tensors are, and what they are where some are NaN."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _entrywise


class Extremes:
    """For lacuna.Tensor."""

    __slots__ = ()

    def argmax(self, axis: int | None = None, out: np.ndarray | None = None, *, keepdims: bool = False, explicit: bool = False):
        """Where the greatest entry is, the first of several, in the order of rows or along a dimension.

        An array of places; absent entries are zeros, or with ``explicit``, are left out.
        """
        return self._place(axis, out, keepdims, explicit, np.argmax, 1)

    def argmin(self, axis: int | None = None, out: np.ndarray | None = None, *, keepdims: bool = False, explicit: bool = False):
        """Where the least entry is, as :meth:`argmax` says where the greatest is."""
        return self._place(axis, out, keepdims, explicit, np.argmin, -1)

    def nanmax(self, axis: int | Sequence[int] | None = None, out: np.ndarray | None = None, keepdims: bool = False, *,
               explicit: bool = False):
        """The greatest entry that is not NaN, of all or over dimensions; NaN where there is no other."""
        return self._reduced(np.fmax, axis, out, keepdims, explicit)

    def nanmin(self, axis: int | Sequence[int] | None = None, out: np.ndarray | None = None, keepdims: bool = False, *,
               explicit: bool = False):
        """The least entry that is not NaN, of all or over dimensions; NaN where there is no other."""
        return self._reduced(np.fmin, axis, out, keepdims, explicit)

    def _place(self, axis, out, keepdims: bool, explicit: bool, function: Any, sign: int):
        from ._tensor import _axes

        if out is not None:
            return _entrywise.into(np.asarray(self._place(axis, None, keepdims, explicit, function, sign)), out)
        if axis is None:
            flat = self.reshape(-1)
            found = flat._place(0, None, False, explicit, function, sign)
            return found.reshape((1,) * self.ndim) if keepdims else found[()]
        (axis,) = _axes(axis, self.ndim)
        shape = self.shape[:axis] + self.shape[axis + 1:]
        extent = self.shape[axis]
        if extent == 0:
            raise ValueError(f"Cannot apply {function.__name__} along a dimension without coordinates")
        view = self._core.dense_view()
        if view is not None:
            return np.asarray(function(view, axis=axis, keepdims=keepdims))
        coordinates, values = self.entries
        if explicit and not len(values) and not shape:
            raise ValueError(f"Cannot apply {function.__name__} to no stored entries")
        kept = [c for k, c in enumerate(coordinates) if k != axis]
        lines = _entrywise.keys_of(kept, shape) if kept else np.zeros(len(values), dtype=np.int64)
        found = _entrywise.first_extremes(lines, coordinates[axis], values, extent, sign, explicit)
        places = np.zeros(int(np.prod(shape)), dtype=np.int64)
        places[found[0]] = found[1]
        return places.reshape(self.shape[:axis] + (1,) + self.shape[axis + 1:] if keepdims else shape)
