"""What SciPy's test helpers are told of tensors.

A tensor is sparse, or the array that SciPy makes of a dense result, or without dimensions, a scalar. What the tests
compare is compared by NumPy.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import scipy.sparse

import lacuna


def is_sparse(x: Any) -> bool:
    return isinstance(x, lacuna.Tensor) or scipy.sparse.issparse(x)


def is_scalar(x: Any) -> bool:
    return x.ndim == 0 if isinstance(x, lacuna.Tensor) else np.isscalar(x)


def assert_equal(actual: Any, desired: Any, *options, **named) -> None:
    plain = [x.todense()[()] if isinstance(x, lacuna.Tensor) else x for x in (actual, desired)]
    np.testing.assert_equal(*plain, *options, **named)


def may_share_memory(a: Any, b: Any) -> bool:
    return np.may_share_memory(lacuna.asarray(a).values, lacuna.asarray(b).values)


class Arrays(type):
    """The class of a class that both NumPy's arrays and tensors are instances of."""

    def __instancecheck__(cls, thing: Any) -> bool:
        return isinstance(thing, (np.ndarray, lacuna.Tensor))


class Array(metaclass=Arrays):
    """NumPy's arrays and tensors."""


def tell(module: types.ModuleType) -> None:
    """Replaces the helpers that a test module uses, and leaves fewer types than there are: each costs kernels."""
    numpy = types.SimpleNamespace(**{name: getattr(np, name) for name in dir(np)})
    numpy.isscalar, numpy.ndarray = is_scalar, Array
    told = {"np": numpy, "issparse": is_sparse, "isscalarlike": is_scalar, "assert_equal": assert_equal, "ndarray": Array,
            "sparray": (scipy.sparse.sparray, lacuna.Tensor), "sparse_may_share_memory": may_share_memory,
            "supported_dtypes": [np.int64, np.float64]}
    for name, helper in told.items():
        if hasattr(module, name):
            setattr(module, name, helper)
