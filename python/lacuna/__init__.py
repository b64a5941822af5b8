"""Sparse tensor algebra, compiled: one fused kernel for each statement.

>>> import lacuna, numpy as np, scipy.sparse as sp
>>> A = sp.random_array((1000, 1000), density=0.01, format="csr")
>>> x = np.ones(1000)
>>> y = lacuna.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x)
>>> np.asarray(y).shape
(1000,)
"""

from . import _compiler

_compiler.choose()  # before the extension reads the environment

from ._core import Error, InternalError, RuntimeFailure
from ._einsum import einsum, matmul, tensordot
from ._following import follow
from ._files import read, write
from ._methods import concatenate
from ._ranks import Ranks
from ._statements import Statement, compile, evaluate
from ._namespace import __array_api_version__, __array_namespace_info__, asarray
from ._tensor import Tensor, empty, transpose

__version__ = "0.1.0"
__all__ = [
    "Error", "InternalError", "Ranks", "RuntimeFailure", "Statement", "Tensor", "asarray", "compile", "concatenate", "einsum",
    "empty", "evaluate", "follow", "matmul", "read", "tensordot", "transpose", "write",
]


def __getattr__(name: str):
    """The functions of the array API, which `from lacuna import *` leaves alone: some have the names of Python's own."""
    from . import _namespace

    if name in _namespace.NAMES:
        return getattr(_namespace, name)
    raise AttributeError(f"module 'lacuna' has no attribute '{name}'")


def __dir__():
    from . import _namespace

    return sorted({*globals(), *_namespace.NAMES})
