"""SciPy's own tests of sparse arrays, on tensors of Lacuna: see run.py."""

import warnings

import numpy as np
import scipy.sparse as sp
from scipy.sparse.tests import test_base

import lacuna

# Lacuna has no float128 and complex256.
test_base.supported_dtypes = [t for t in test_base.supported_dtypes if np.dtype(t).itemsize <= (16 if np.dtype(t).kind == "c" else 8)]


def create(*arguments, **options):
    """As csr_array is called."""
    first = arguments[0]
    if isinstance(first, lacuna.Tensor) and len(arguments) == 1 and not options:
        return first
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = first if sp.issparse(first) else sp.csr_array(*arguments, **options)
    if options.get("dtype") is not None:
        made = made.astype(options["dtype"])
    return lacuna.asarray(made).to("csr" if made.ndim == 2 else "csf")


class TestLacuna(test_base.sparse_test_class()):
    spcreator = staticmethod(create)
    math_dtypes = [np.bool_, np.int_, np.float64, np.complex128]


TestLacuna.init_class()
TestLacuna.is_array_test = True
