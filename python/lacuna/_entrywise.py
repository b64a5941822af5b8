"""What is done with the stored entries of a tensor by NumPy: reductions that are no sums, and other shapes."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._core import Error


def keys_of(coordinates: Sequence[np.ndarray], shape: Sequence[int]) -> np.ndarray:
    """One number for each entry, in the order of rows: its place if all coordinates were stored."""
    size = 1
    for n in shape:
        size *= n
    if size > np.iinfo(np.int64).max:
        raise Error(f"a tensor of shape {tuple(shape)} has more coordinates than 64-bit numbers count")
    key = np.zeros(len(coordinates[0]) if coordinates else 0, dtype=np.int64)
    for c, n in zip(coordinates, shape):
        key = key * n + c
    return key


def coordinates_of(keys: np.ndarray, shape: Sequence[int]) -> list[np.ndarray]:
    """The coordinates that keys_of made numbers of."""
    out = []
    for n in reversed(shape):
        keys, c = np.divmod(keys, n)
        out.append(c)
    return out[::-1]


def reduced(function: np.ufunc, coordinates: Sequence[np.ndarray], values: np.ndarray, shape: Sequence[int],
            axes: Sequence[int]) -> tuple[list[np.ndarray], np.ndarray]:
    """A reduction over some dimensions, in which an absent entry is a zero: coordinates and values of the results.

    Results of nothing but absent entries are left out: they are what the function makes of zeros, which is zero.
    """
    kept = [k for k in range(len(shape)) if k not in axes]
    kept_shape = [shape[k] for k in kept]
    keys = keys_of([coordinates[k] for k in kept], kept_shape) if kept else np.zeros(len(values), dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    found, first, count = np.unique(keys[order], return_index=True, return_counts=True)
    if not len(found):
        return [np.empty(0, np.int64) for _ in kept], values[:0]
    results = function.reduceat(values[order], first)
    whole = 1
    for a in axes:
        whole *= shape[a]
    lacking = count < whole
    results[lacking] = function(results[lacking], results.dtype.type(0))
    return coordinates_of(found, kept_shape), results


def moved(coordinates: Sequence[np.ndarray], old: Sequence[int], new: Sequence[int]) -> list[np.ndarray]:
    """The coordinates of the same entries in a tensor of another shape, read in the order of rows."""
    return coordinates_of(keys_of(coordinates, old), new)


def completed_shape(size: int, shape: Any) -> tuple[int, ...]:
    """A shape in which one extent may be -1: what is left for it."""
    wanted = [int(n) for n in (shape if isinstance(shape, Sequence) else (shape,))]
    if wanted.count(-1) > 1:
        raise Error(f"shape {tuple(wanted)} leaves more than one extent open")
    known = 1
    for n in wanted:
        known *= n if n != -1 else 1
    if -1 in wanted:
        wanted[wanted.index(-1)] = size // known if known else 0
    total = 1
    for n in wanted:
        total *= n
    if total != size:
        raise Error(f"a tensor of {size} coordinates has no shape {tuple(wanted)}")
    return tuple(wanted)
