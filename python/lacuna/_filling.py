"""Methods that change a tensor as SciPy's do: diagonals and shapes in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Error


class Filling:
    """For lacuna.Tensor."""

    __slots__ = ()

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Gives the entries [i, i + k] of a matrix one value, or one each; the shorter of both lengths counts.

        Raises
        ------
        ValueError
            Where the matrix has no such diagonal, or values have several dimensions.
        """
        if self.ndim != 2:
            raise Error(f"a tensor of order {self.ndim} has no diagonal to set")
        rows, columns = self.shape
        if (k > 0 and k >= columns) or (k < 0 and -k >= rows):
            raise ValueError(f"a matrix of shape {self.shape} has no diagonal {k}")
        values = np.asarray(values)
        if values.ndim > 1:
            raise ValueError("values of a diagonal have one dimension")
        length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
        if values.ndim:
            length = min(length, len(values))
            values = values[:length]
        if length:
            at = np.arange(length)
            self[at + max(0, -k), at + max(0, k)] = values

    def resize(self, *shape: Any) -> None:
        """Changes the shape in place: entries outside of it are dropped, none are moved.

        Raises
        ------
        ValueError
            For a negative extent, or another number of dimensions.
        """
        from ._tensor import from_coordinates

        wanted = tuple(shape[0]) if len(shape) == 1 and np.iterable(shape[0]) else shape
        if len(wanted) != self.ndim or any(n < 0 for n in wanted):
            raise ValueError(f"a tensor of shape {self.shape} is not resized to {wanted}")
        coordinates, values = self.entries
        kept = np.ones(len(values), dtype=bool)
        for c, n in zip(coordinates, wanted):
            kept &= np.asarray(c) < n
        made = from_coordinates(wanted, [c[kept] for c in coordinates], values[kept], self.format)
        self._held, self._lazy, self._is_shared = made._core, None, True

    def eliminate_zeros(self) -> None:
        """Takes stored zeros out, in place; :meth:`drop_zeros` makes another tensor."""
        self._held, self._is_shared = self._core.drop_zeros(), True

    def sum_duplicates(self) -> None:
        """Nothing: a tensor holds each coordinate once."""
