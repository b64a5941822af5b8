"""SciPy's constructors of sparse arrays, which make Lacuna's tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

import lacuna


class Creator:
    """Makes tensors of one format from what SciPy's constructors take; the class of such tensors for isinstance."""

    def __init__(self, format: str):
        self.format = format
        self.__name__ = format

    def __repr__(self) -> str:
        return self.format

    def __call__(self, value: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> lacuna.Tensor:
        if isinstance(value, tuple):
            return self._from_parts(value, shape, dtype)
        if not hasattr(value, "shape"):
            value = np.asarray(value)
        made = lacuna.asarray(value, dtype=dtype, copy=copy or None)
        if shape is not None and tuple(shape) != made.shape:
            raise ValueError(f"inconsistent shapes: {made.shape} and {shape}")
        return self._formatted(made)

    def _from_parts(self, parts: tuple, shape: Any, dtype: Any) -> lacuna.Tensor:
        """From a shape, from (values, coordinates), or from (values, indices, positions)."""
        if all(isinstance(n, (int, np.integer)) for n in parts):
            return lacuna.empty(parts, float if dtype is None else dtype, self._format_of(len(parts)))
        if len(parts) == 3:
            make = scipy.sparse.csc_array if self.format == "csc" else scipy.sparse.csr_array
            return self._formatted(lacuna.asarray(make(parts, shape=shape, dtype=dtype)))
        return self._formatted(lacuna.asarray(scipy.sparse.coo_array(parts, shape=shape, dtype=dtype)))

    def _format_of(self, ndim: int) -> str:
        """The format, or that of tensors of one dimension or of many, which csr and csc do not have."""
        return self.format if ndim == 2 or self.format not in ("csr", "csc") else "csf"

    def _formatted(self, made: lacuna.Tensor) -> lacuna.Tensor:
        return made.to(self._format_of(made.ndim)) if made.ndim else made

    def __instancecheck__(self, thing: Any) -> bool:
        return isinstance(thing, lacuna.Tensor)


csr, csc, coo, csf = map(Creator, ("csr", "csc", "coo", "csf"))
