"""A[key] as NumPy and SciPy have it: numbers, slices, ..., None, one array of numbers or of truths."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Error
from ._tensor import Tensor, _node_of, asarray, from_coordinates
from . import _lazy


def select(tensor: Tensor, key: Any) -> Any:
    """The entry at a coordinate, or the part of a tensor that a key names: a view where all of it is dense."""
    key = tuple(np.asarray(k) if isinstance(k, Tensor) else k for k in (key if isinstance(key, tuple) else (key,)))
    if tensor._lazy is not None and all(k is None or k is Ellipsis or _is_whole(k) for k in key):
        return _with_new_axes(tensor, _completed(key, tensor.shape))
    view = tensor._core.dense_view()
    if view is not None:
        found = view[key]
        return asarray(found) if isinstance(found, np.ndarray) else found
    keys = _completed(key, tensor.shape)
    arrays = sum(isinstance(k, np.ndarray) for k in keys)
    if arrays > 1:
        raise Error("a sparse tensor is indexed by one array at a time; index the result by the next one")
    if any(k is None for k in keys):
        if arrays and any(isinstance(k, int) for k in keys):
            raise Error("numbers, arrays and None do not go together as indices of a sparse tensor; index one by one")
        return _with_new_axes(tensor, keys)
    if all(isinstance(k, int) for k in keys):
        return tensor.dtype.type(tensor.item(*(_checked(k, n) for k, n in zip(keys, tensor.shape))))
    if all(map(_is_whole, keys)):
        return tensor
    return _selected_entries(tensor, keys)


def _is_whole(k: Any) -> bool:
    return isinstance(k, slice) and k == slice(None)


def _completed(key: Any, shape: tuple[int, ...]) -> list:
    """One key a dimension, and None for new ones."""
    ndim = len(shape)
    keys = list(key)
    given = [k for k in keys if k is not None and k is not Ellipsis]
    missing = ndim - len(given)
    if missing < 0:
        raise IndexError(f"{len(given)} indices for a tensor of order {ndim}")
    if sum(k is Ellipsis for k in keys) > 1:
        raise IndexError("'...' stands once in an index")
    if not any(k is Ellipsis for k in keys):
        keys.append(Ellipsis)
    out: list = []
    for k in keys:
        if k is Ellipsis:
            out.extend([slice(None)] * missing)
        elif k is None or isinstance(k, slice):
            out.append(k)
        elif isinstance(k, (int, np.integer)) and not isinstance(k, (bool, np.bool_)):
            out.append(int(k))
        else:
            out.append(_array_key(k, shape[sum(x is not None for x in out)]))
    return out


def _array_key(k: Any, extent: int) -> np.ndarray:
    array = np.asarray(k)
    if array.dtype == bool and array.ndim == 1:
        if len(array) != extent:
            raise IndexError(f"{len(array)} truths for a dimension of {extent}")
        return np.flatnonzero(array)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise Error("a tensor is indexed by numbers, slices, '...', None, and one-dimensional arrays of integers or truths")
    return array.astype(np.int64)


def _checked(k: int, n: int) -> int:
    if not -n <= k < n:
        raise IndexError(f"index {k} is outside a dimension of {n}")
    return k % n


def _with_new_axes(tensor: Tensor, keys: list) -> Tensor:
    given = tuple(k for k in keys if k is not None)
    kept = tensor if all(map(_is_whole, given)) else asarray(select(tensor, given))
    axes, next_axis = [], 0
    for k in keys:
        if k is None:
            axes.append(None)
        elif not isinstance(k, int):
            axes.append(next_axis)
            next_axis += 1
    return Tensor._later(_lazy.Permuted(_node_of(kept), axes))


def _goes_first(keys: list) -> bool:
    """Whether the dimension of an array comes before all others: where a slice stands between it and a number."""
    picked = [k for k, key in enumerate(keys) if not isinstance(key, slice)]
    return picked[-1] - picked[0] + 1 != len(picked)


def _selected_entries(tensor: Tensor, keys: list) -> Tensor:
    """By looking at each stored entry."""
    coordinates, values = tensor.entries
    chosen = np.ones(len(values), dtype=bool)
    moved: list = []
    shape: list[int] = []
    array_at = None
    for c, k, n in zip(coordinates, keys, tensor.shape):
        if isinstance(k, int):
            chosen &= c == _checked(k, n)
        elif isinstance(k, slice):
            start, _, step = k.indices(n)
            count = len(range(*k.indices(n)))
            steps, rest = np.divmod(c.astype(np.int64) - start, step)
            chosen &= (rest == 0) & (steps >= 0) & (steps < count)
            moved.append(steps)
            shape.append(count)
        else:
            array_at = len(moved)
            wanted = np.where(k < 0, k + n, k)
            if wanted.size and not (0 <= wanted.min() and wanted.max() < n):
                raise IndexError(f"an index is outside a dimension of {n}")
            moved.append((c, wanted))
            shape.append(len(wanted))
    rows = np.flatnonzero(chosen)
    if array_at is not None:
        c, wanted = moved[array_at]
        order = np.argsort(wanted, kind="stable")
        first = np.searchsorted(wanted, c[rows], side="left", sorter=order)
        last = np.searchsorted(wanted, c[rows], side="right", sorter=order)
        repeats = last - first
        offsets = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        places = order[np.repeat(first, repeats) + offsets] if len(order) else np.empty(0, np.int64)
        rows = np.repeat(rows, repeats)
    out = [places if isinstance(m, tuple) else m[rows] for m in moved]
    if array_at is not None and _goes_first(keys):
        out.insert(0, out.pop(array_at))
        shape.insert(0, shape.pop(array_at))
    kinds = set(tensor.levels)
    format = tensor.format if len(shape) == tensor.ndim and kinds <= {"dense", "compressed"} else "coo" if shape else "dense"
    return from_coordinates(shape, out, values[rows], format)
