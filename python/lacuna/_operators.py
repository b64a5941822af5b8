"""Operators that leave operands of unknown types to those types, as NumPy's and SciPy's arrays do."""

from __future__ import annotations

from typing import Any

import numpy as np

_NAMES = """
    add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod divmod rdivmod pow rpow and rand or ror xor
    rxor lshift rlshift rshift rrshift lt le gt ge eq ne""".split()
_ARRAYS = ("__array__", "__array_interface__", "__dlpack__", "tocoo")


def is_understood(value: Any) -> bool:
    """Whether a value holds numbers: a number, a list of some, or an array of any package."""
    if isinstance(value, (np.ndarray, np.generic, int, float, complex, list, tuple)):
        return True
    return any(hasattr(type(value), name) for name in _ARRAYS)


def _deferring(name: str):
    by_ufunc = getattr(np.lib.mixins.NDArrayOperatorsMixin, name)

    def call(self, other):
        return by_ufunc(self, other) if is_understood(other) else NotImplemented

    call.__name__ = call.__qualname__ = name
    return call


class Operators(np.lib.mixins.NDArrayOperatorsMixin):
    """For lacuna.Tensor."""

    __slots__ = ()

    for _name in _NAMES:
        locals()[f"__{_name}__"] = _deferring(f"__{_name}__")
    del _name
    __hash__ = None

    def __matmul__(self, other: Any):
        return np.matmul(self, other) if is_understood(other) else NotImplemented

    def __rmatmul__(self, other: Any):
        return np.matmul(other, self) if is_understood(other) else NotImplemented
