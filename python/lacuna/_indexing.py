"""A[key] as NumPy has it: numbers, slices, ..., None, arrays of integers and of booleans."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _entrywise, _lazy
from ._keys import arrays_first, broadcast, completed, is_whole
from ._tensor import Tensor, _node_of, asarray, from_coordinates


def select(tensor: Tensor, key: Any) -> Any:
    """The entry at a coordinate, or the part of a tensor that a key names: a view where all of it is dense."""
    keys = completed(key, tensor.shape)
    if all(k is None or is_whole(k) for k in keys):
        if None in keys:
            return _with_new_axes(tensor, keys)
        if tensor._lazy is not None:
            return tensor
    view = tensor._core.dense_view()
    if view is not None:
        found = view[tuple(keys)]
        return asarray(found) if isinstance(found, np.ndarray) else found
    if keys and all(isinstance(k, int) for k in keys):
        return tensor.dtype.type(tensor.item(*keys))
    if all(map(is_whole, keys)):
        return tensor
    return _selected_entries(tensor, keys)


def _with_new_axes(tensor: Tensor, keys: list) -> Tensor:
    given = iter(range(tensor.ndim))
    return Tensor._later(_lazy.Permuted(_node_of(tensor), [None if k is None else next(given) for k in keys]))


def _selected_entries(tensor: Tensor, keys: list) -> Tensor:
    """By looking at each stored entry."""
    coordinates, values = tensor.entries
    given = zip(coordinates, tensor.shape)
    chosen = np.ones(len(values), dtype=bool)
    moved: list[np.ndarray] = []  # of slices: coordinates in the result
    shape: list[int] = []
    picked: list[np.ndarray] = []  # of arrays: coordinates in the tensor
    extents: list[int] = []
    arrays_at = None
    for k in keys:
        if k is None:
            moved.append(np.zeros(len(values), dtype=np.int64))
            shape.append(1)
            continue
        c, n = next(given)
        if isinstance(k, int):
            chosen &= c == k
        elif isinstance(k, slice):
            steps, inside, count = _in_slice(c, k, n)
            chosen &= inside
            moved.append(steps)
            shape.append(count)
        else:
            arrays_at = len(moved) if arrays_at is None else arrays_at
            picked.append(c)
            extents.append(n)
    rows = np.flatnonzero(chosen)
    places: list[np.ndarray] = []
    together: tuple[int, ...] = ()
    if picked:
        arrays, together = broadcast(keys)
        wanted = _entrywise.keys_of([a.ravel() for a in arrays], extents)
        rows, found = _matches(_entrywise.keys_of(picked, extents), wanted, rows)
        places = _entrywise.coordinates_of(found, together)
    out = [m[rows] for m in moved]
    at = 0 if arrays_at is None or arrays_first(keys) else arrays_at
    return _made(tensor, shape[:at] + list(together) + shape[at:], out[:at] + places + out[at:], values[rows])


def _in_slice(c: np.ndarray, k: slice, n: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Which step of a slice each coordinate is, whether it is one at all, and how many steps there are."""
    start, _, step = k.indices(n)
    count = len(range(*k.indices(n)))
    steps, rest = np.divmod(c.astype(np.int64) - start, step)
    return steps, (rest == 0) & (steps >= 0) & (steps < count), count


def _matches(have: np.ndarray, wanted: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each pair of an entry among rows and a place in wanted that have the same number."""
    order = np.argsort(wanted, kind="stable")
    first = np.searchsorted(wanted, have[rows], side="left", sorter=order)
    last = np.searchsorted(wanted, have[rows], side="right", sorter=order)
    repeats = last - first
    offsets = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    places = order[np.repeat(first, repeats) + offsets] if len(order) else np.empty(0, np.int64)
    return np.repeat(rows, repeats), places


def _made(tensor: Tensor, shape: list[int], coordinates: list[np.ndarray], values: np.ndarray) -> Tensor:
    """The result in the tensor's format, where it has as many dimensions and such a format."""
    same = len(shape) == tensor.ndim and set(tensor.levels) <= {"dense", "compressed"}
    return from_coordinates(shape, coordinates, values, tensor.format if same else "coo" if shape else "dense")
