"""What stands between the brackets of A[...], brought to one form: a number, slice, None or array for each dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._tensor import Tensor


def is_whole(k: Any) -> bool:
    """Whether a key takes all of a dimension."""
    return isinstance(k, slice) and k == slice(None)


def completed(key: Any, shape: tuple[int, ...]) -> list:
    """One key a dimension, and None for new ones: numbers and arrays of int64 from 0 on, slices as they are.

    A mask of several dimensions becomes one array for each of them.

    Raises
    ------
    IndexError
        For what is no index, or lies outside the shape.
    """
    parts = [_plain(k) for k in (key if isinstance(key, tuple) else (key,))]
    if sum(k is Ellipsis for k in parts) > 1:
        raise IndexError("an index can only have a single ellipsis, '...'")
    if not any(k is Ellipsis for k in parts):
        parts.append(Ellipsis)
    missing = len(shape) - sum(_dimensions_of(k) for k in parts)
    if missing < 0:
        raise IndexError(f"Too many indices for array: {len(shape) - missing} for a tensor of order {len(shape)}")
    out: list = []
    at = 0
    for k in parts:
        if k is Ellipsis:
            out.extend([slice(None)] * missing)
            at += missing
        elif k is None or isinstance(k, slice):
            out.append(k)
            at += k is not None
        else:
            taken = shape[at:at + _dimensions_of(k)]
            out.extend(_numbers(k, taken, at))
            at += len(taken)
    return out


def _plain(k: Any) -> Any:
    """A key without the types of other packages: None, ..., a slice, a Python number, an array, or a sparse mask."""
    if k is None or k is Ellipsis or isinstance(k, slice):
        return k
    if isinstance(k, (int, np.integer)) and not isinstance(k, (bool, np.bool_)):
        return int(k)
    if hasattr(k, "tocoo") and not isinstance(k, Tensor):
        k = Tensor(k)
    if isinstance(k, Tensor):
        if k.ndim and k.dtype == bool:
            return k
        k = np.asarray(k)
    try:
        array = np.asarray(k)
    except ValueError:
        raise IndexError(f"{k!r} is no index") from None
    if not array.size and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.dtype.kind not in "iub" or (array.dtype == bool and not array.ndim):
        raise IndexError(f"only integers, slices, '...', None, and arrays of integers or booleans are indices, not {k!r}")
    return array if array.ndim else int(array)


def _dimensions_of(k: Any) -> int:
    """How many dimensions a key names."""
    if k is None or k is Ellipsis:
        return 0
    return k.ndim if isinstance(k, (np.ndarray, Tensor)) and k.dtype == bool else 1


def _numbers(k: Any, extents: tuple[int, ...], at: int) -> list:
    """A number or array as coordinates from 0 on, a mask as one array for each of its dimensions."""
    if not isinstance(k, int) and k.dtype == bool:
        for d, (given, n) in enumerate(zip(k.shape, extents)):
            if given != n:
                raise IndexError(f"bool index {at + d} has shape {k.shape} instead of {tuple(extents)}")
        found = k.nonzero()
        if isinstance(k, Tensor):
            order = np.lexsort(found[::-1])
            found = [c[order] for c in found]
        return [np.asarray(c, dtype=np.int64) for c in found]
    n = extents[0]
    if isinstance(k, int):
        if not -n <= k < n:
            raise IndexError(f"index ({k}) out of range: dimension {at} has {n} coordinates")
        return [k % n]
    if k.size and not (-n <= k.min() and k.max() < n):
        raise IndexError(f"an index of the array is out of range: dimension {at} has {n} coordinates")
    k = k.astype(np.int64)
    return [np.where(k < 0, k + n, k)]


def broadcast(keys: list) -> tuple[list[np.ndarray], tuple[int, ...]]:
    """The arrays among the keys in the shape that they have together.

    Raises
    ------
    IndexError
        Where they do not go together.
    """
    arrays = [k for k in keys if isinstance(k, np.ndarray)]
    try:
        together = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(str(a.shape) for a in arrays)
        raise IndexError(f"shape mismatch: arrays of indices of shapes {shapes} do not go together") from None
    return list(together), together[0].shape if arrays else ()


def arrays_first(keys: list) -> bool:
    """Whether the dimensions of arrays come before all others: where something stands between them and numbers."""
    picked = [k for k, key in enumerate(keys) if isinstance(key, (int, np.ndarray))]
    return bool(picked) and picked[-1] - picked[0] + 1 != len(picked)
