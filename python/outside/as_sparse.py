"""A module in the place of pydata's sparse, whose arrays are Lacuna's tensors."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import scipy.sparse

import lacuna


class Format:
    """A class of pydata's as a constructor of tensors in one format, and their class for isinstance."""

    def __init__(self, name: str, format: str):
        self.__name__, self.format = name, format

    def __repr__(self) -> str:
        return self.__name__

    def __call__(self, coords: Any, data: Any = None, shape: Any = None, **options: Any) -> lacuna.Tensor:
        _check(options)
        if data is None:
            return self.from_numpy(np.asarray(coords))
        coords = np.atleast_2d(np.asarray(coords))
        data = np.broadcast_to(np.asarray(data), coords.shape[1:])
        return self._made(scipy.sparse.coo_array((data, tuple(coords)), shape=shape))

    def from_numpy(self, array: Any, **options: Any) -> lacuna.Tensor:
        _check(options)
        return self._made(np.asarray(array))

    def _made(self, value: Any) -> lacuna.Tensor:
        tensor = lacuna.asarray(value)
        return tensor.to(self.format) if tensor.ndim else tensor

    def __instancecheck__(self, thing: Any) -> bool:
        return isinstance(thing, lacuna.Tensor)


def _check(options: dict[str, Any]) -> None:
    """Refuses what Lacuna does not have, rather than testing something else."""
    if options.pop("fill_value", 0) not in (0, None):
        raise ValueError("Lacuna's tensors have the fill value 0")
    for name in ("compressed_axes", "idx_dtype", "sorted", "has_duplicates", "prune"):
        options.pop(name, None)
    if options:
        raise TypeError(f"options {list(options)} are pydata's own")


COO, GCXS, DOK = Format("COO", "coo"), Format("GCXS", "csf"), Format("DOK", "coo")
_FORMATS = {"coo": COO, "gcxs": GCXS, "dok": DOK}
_RNG = np.random.default_rng(11)


def random(shape: Any, density: float = 0.01, *, format: Any = "coo", data_rvs: Any = None, **options: Any) -> Any:
    """Random numbers at random coordinates, in a format."""
    _check(options)
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    size = int(np.prod(shape))
    count = int(round(size * density))
    values = np.asarray(_RNG.random(count) if data_rvs is None else data_rvs(count))
    dense = np.zeros(size, dtype=values.dtype)
    dense[_RNG.choice(size, count, replace=False)] = values
    if format == "dense":
        return dense.reshape(shape)
    return _FORMATS.get(format, format).from_numpy(dense.reshape(shape))


def dot(a: Any, b: Any) -> lacuna.Tensor:
    """The product over the last dimension of a and the last but one of b, as numpy.dot has it."""
    b = lacuna.asarray(b)
    return lacuna.tensordot(a, b, ([-1], [max(b.ndim - 2, 0)]))


def elemwise(function: Any, *operands: Any) -> Any:
    return function(*operands)


def assert_eq(x: Any, y: Any, check_nnz: bool = True, compare_dtype: bool = True, **options: Any) -> None:
    """As pydata's, but for stored zeros, which tensors may hold."""
    assert x.shape == y.shape
    assert not compare_dtype or x.dtype == y.dtype
    np.testing.assert_allclose(np.asarray(x), np.asarray(y), **{"rtol": 1e-5, "atol": 1e-8, **options})


def modules() -> dict[str, types.ModuleType]:
    """The modules that tests of pydata's import, by name."""
    import sparse.numba_backend._utils as own

    package = types.ModuleType("sparse")
    for name in lacuna.__all__ + dir(lacuna):
        setattr(package, name, getattr(lacuna, name))
    vars(package).update(COO=COO, GCXS=GCXS, DOK=DOK, SparseArray=lacuna.Tensor, random=random, dot=dot,
                         elemwise=elemwise)
    utils = types.ModuleType("sparse.numba_backend._utils")
    vars(utils).update(vars(own), assert_eq=assert_eq)
    compressed = types.ModuleType("sparse.numba_backend._compressed")
    compressed.GCXS = GCXS
    return {"sparse": package, utils.__name__: utils, compressed.__name__: compressed}
