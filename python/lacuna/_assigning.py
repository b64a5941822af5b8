"""A[key] = value as NumPy has it, for tensors in any format."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _entrywise
from ._keys import arrays_first, broadcast, completed
from ._tensor import Tensor, asarray


def assign(tensor: Tensor, key: Any, value: Any) -> None:
    """Gives the entries that a key names the numbers of a value, which is broadcast to the key's shape.

    One coordinate is stored even if it becomes zero; of many, zeros are taken out. Where a key names a coordinate
    several times, the last value counts.

    Raises
    ------
    IndexError
        For what is no index, or lies outside the shape.
    TypeError
        For complex numbers in a tensor of real ones.
    ValueError
        Where the value does not have the key's shape.
    """
    keys = [k for k in completed(key, tensor.shape) if k is not None]
    value = _numbers(value)
    if value.dtype.kind == "c" and tensor.dtype.kind != "c":
        raise TypeError(f"complex numbers are not assigned to a tensor of {tensor.dtype}")
    if keys and all(isinstance(k, int) for k in keys):
        if value.size != 1:
            raise ValueError(f"Trying to assign a sequence to an item: one entry takes one number, not {value.size}")
        tensor.assign(keys, value.reshape(()).astype(tensor.dtype)[()].item())
        return
    coordinates = _grid(keys, tensor.shape)
    shape = coordinates[0].shape
    while value.ndim > len(shape) and 1 in value.shape:  # a column goes into a row, too, as in SciPy
        value = np.squeeze(value, value.shape.index(1))
    try:
        values = np.broadcast_to(value, shape).ravel().astype(tensor.dtype)
    except ValueError:
        raise ValueError(f"shape mismatch: a value of shape {value.shape} is not broadcast to {shape}") from None
    _store(tensor, [c.ravel() for c in coordinates], values)


def _numbers(value: Any) -> np.ndarray:
    """The value as a NumPy array, from whatever holds one."""
    if isinstance(value, (Tensor, np.ndarray)) or not hasattr(value, "tocoo"):
        return np.asarray(value)
    return asarray(value).todense()


def _grid(keys: list, shape: tuple[int, ...]) -> list[np.ndarray]:
    """The coordinates that keys name: one array a dimension, all of the shape of A[key]."""
    arrays, together = broadcast(keys)
    slices = sum(isinstance(k, slice) for k in keys)
    before = next((sum(isinstance(x, slice) for x in keys[:k]) for k, x in enumerate(keys) if isinstance(x, np.ndarray)), 0)
    at = 0 if arrays_first(keys) else before
    rest, seen, out = iter(arrays), 0, []
    for k, n in zip(keys, shape):
        if isinstance(k, int):
            out.append(np.asarray(k))
        elif isinstance(k, slice):
            axis = seen if seen < at else seen + len(together)
            own = np.arange(*k.indices(n))
            out.append(own.reshape([len(own) if a == axis else 1 for a in range(slices + len(together))]))
            seen += 1
        else:
            out.append(next(rest).reshape(together + (1,) * (slices - at)))
    return list(np.broadcast_arrays(*out))


def _store(tensor: Tensor, coordinates: list[np.ndarray], values: np.ndarray) -> None:
    """Replaces entries: the last of each coordinate; those that become zero are taken out."""
    keys = _entrywise.keys_of(coordinates, tensor.shape)
    _, from_end = np.unique(keys[::-1], return_index=True)
    last = len(keys) - 1 - from_end
    zero = values[last] == 0
    kept, gone = last[~zero], last[zero]
    if len(kept):
        tensor.assign(tuple(c[kept] for c in coordinates), values[kept])
    if len(gone):
        tensor.erase(tuple(c[gone] for c in coordinates))
