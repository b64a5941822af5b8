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
from ._files import read, write
from ._methods import concatenate
from ._statements import Statement, compile, evaluate
from ._tensor import Tensor, asarray, empty, transpose

__version__ = "0.1.0"
__all__ = [
    "Error", "InternalError", "RuntimeFailure", "Statement", "Tensor", "asarray", "compile", "concatenate", "einsum", "empty",
    "evaluate", "matmul", "read", "tensordot", "transpose", "write",
]
