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
            axes: Sequence[int], explicit: bool = False) -> tuple[list[np.ndarray], np.ndarray]:
    """A reduction over some dimensions, in which an absent entry is a zero: coordinates and values of the results.

    With explicit, absent entries are left out.

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
    lacking = (count < whole) & (not explicit)
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


def into(result: Any, out: np.ndarray | None) -> Any:
    """A result, or ``out`` with the result's numbers where there is one, as NumPy's reductions have it.

    Raises
    ------
    ValueError
        Where ``out`` has another shape.
    """
    if out is None:
        return result
    if np.shape(out) != result.shape:
        raise ValueError(f"output parameter with wrong dimensions: {np.shape(out)} does not match shape {result.shape}")
    out[...] = np.asarray(result)
    return out


def first_extremes(lines: np.ndarray, places: np.ndarray, values: np.ndarray, extent: int, sign: int,
                   explicit: bool) -> tuple[np.ndarray, np.ndarray]:
    """The lines that have entries, and for each, the first place of its greatest entry (sign 1) or least (-1).

    Absent entries are zeros, unless explicit; NaN comes before all numbers, as in NumPy.
    """
    order = np.lexsort((places, lines))
    lines, places, values = lines[order], np.asarray(places, dtype=np.int64)[order], values[order]
    if not explicit:
        lines, places, values = _with_first_gaps(lines, places, values, extent)
    found, begins = np.unique(lines, return_index=True)
    if not len(found):
        return found, found
    best = (np.maximum if sign > 0 else np.minimum).reduceat(values, begins)
    best = np.repeat(best, np.diff(np.append(begins, len(lines))))
    is_best = (values == best) | ((values != values) & (best != best))
    rows = np.flatnonzero(is_best)
    _, first = np.unique(lines[rows], return_index=True)
    return found, places[rows[first]]


def _with_first_gaps(lines: np.ndarray, places: np.ndarray, values: np.ndarray,
                     extent: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sorted entries, and a zero at the first absent place of each line that has one."""
    found, begins, counts = np.unique(lines, return_index=True, return_counts=True)
    ranks = np.arange(len(lines)) - np.repeat(begins, counts)
    gap = counts.copy()
    early = np.flatnonzero(places > ranks)
    which = np.searchsorted(found, lines[early])
    np.minimum.at(gap, which, ranks[early])
    lacking = gap < extent
    lines = np.concatenate([lines, found[lacking]])
    places = np.concatenate([places, gap[lacking]])
    values = np.concatenate([values, np.zeros(int(lacking.sum()), values.dtype)])
    order = np.lexsort((places, lines))
    return lines[order], places[order], values[order]
