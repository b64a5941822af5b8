"""SciPy's parametrised tests of matrices (scipy/sparse/tests/test_base.py), run on Lacuna's tensors."""

from adapted import require

require("scipy")

import creators
import helpers
from scipy.sparse.tests import test_base

helpers.tell(test_base)
_Base = test_base.sparse_test_class()


class TestCSR(_Base):
    spcreator = creators.csr
    coo_container = creators.coo
    math_dtypes = test_base.supported_dtypes


class TestCSC(_Base):
    spcreator = creators.csc
    coo_container = creators.coo
    math_dtypes = test_base.supported_dtypes


class TestCOO(_Base):
    spcreator = creators.coo
    coo_container = creators.coo
    math_dtypes = test_base.supported_dtypes


for _case in (TestCSR, TestCSC, TestCOO):
    _case.init_class()
