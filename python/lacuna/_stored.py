"""Functions of NumPy that no kernel computes, on the stored entries of tensors: where zeros give zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _entrywise, _functions
from ._core import Error
from ._lazy import broadcast_shapes
from ._tensor import Tensor, asarray, from_coordinates


def computed(function: np.ufunc, inputs: tuple) -> Any:
    """A function of tensors and numbers that are broadcast: one tensor, or as many as it has results.

    Of dense tensors it is NumPy's; of sparse ones, it looks at coordinates that one of them stores. Comparisons that
    hold for zeros are dense, as those are that kernels compute.

    Raises
    ------
    lacuna.Error
        Where it is not zero of absent entries, which would make a sparse tensor dense.
    """
    operands = [x if np.isscalar(x) else asarray(x) for x in inputs]
    sparse = [x for x in operands if isinstance(x, Tensor) and not x._core.is_dense]
    if not sparse:
        return _wrapped(function(*(np.asarray(x) for x in operands)))
    shape = broadcast_shapes(*(x.shape for x in operands if isinstance(x, Tensor)))
    with np.errstate(all="ignore"):
        of_zeros = function(*(x if np.isscalar(x) else x.dtype.type(0) for x in operands))
    others_vary = any(isinstance(x, Tensor) and x.ndim and x._core.is_dense for x in operands)
    if function.__name__ in _functions.ORDERS and (others_vary or np.any(of_zeros)):
        return _wrapped(function(*(x.todense() if isinstance(x, Tensor) else x for x in operands)))
    if others_vary or np.any(np.asarray(of_zeros) != 0):
        raise Error(f"{function.__name__} of absent entries is not zero for all operands; "
                    ".to('dense') makes sparse tensors dense")
    spread = {k: _entries(x, shape) for k, x in enumerate(operands) if isinstance(x, Tensor)}
    keys = np.unique(np.concatenate([found for found, _ in spread.values()]))
    results = function(*(_aligned(*spread[k], keys) if k in spread else x for k, x in enumerate(operands)))
    made = [_made(sparse[0], shape, keys, r) for r in (results if isinstance(results, tuple) else (results,))]
    return tuple(made) if isinstance(results, tuple) else made[0]


def _wrapped(results: Any) -> Any:
    return tuple(map(asarray, results)) if isinstance(results, tuple) else asarray(results)


def _entries(tensor: Tensor, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of a tensor's entries where it is broadcast to a shape, and their values."""
    coordinates, values = tensor.entries
    lead = len(shape) - tensor.ndim
    rows = np.arange(len(values))
    spread: dict[int, np.ndarray] = {}
    for k, n in enumerate(shape):
        if k < lead or tensor.shape[k - lead] != n:
            spread = {d: np.repeat(c, n) for d, c in spread.items()}
            spread[k] = np.tile(np.arange(n), len(rows))
            rows = np.repeat(rows, n)
    where = [spread[k] if k in spread else np.asarray(coordinates[k - lead])[rows] for k in range(len(shape))]
    return _entrywise.keys_of(where, shape), values[rows]


def _aligned(found: np.ndarray, values: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The values at sorted keys that include those found, and zeros at the others."""
    out = np.zeros(len(keys), dtype=values.dtype)
    out[np.searchsorted(keys, found)] = values
    return out


def _made(like: Tensor, shape: tuple[int, ...], keys: np.ndarray, values: np.ndarray) -> Tensor:
    kept = values != 0
    format = like.format if like.shape == shape else "coo"
    return from_coordinates(shape, _entrywise.coordinates_of(keys[kept], shape), values[kept], format)
