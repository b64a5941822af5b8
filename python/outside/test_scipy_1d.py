"""SciPy's tests of sparse arrays of one dimension, run on Lacuna's tensors."""

import types

from adapted import cases_of, load, require

require("scipy")

import creators
import helpers
import scipy.sparse

_replaced = types.ModuleType("scipy.sparse")
vars(_replaced).update(vars(scipy.sparse), coo_array=creators.coo, csr_array=creators.csf, dok_array=creators.csf)
for _name in ("test_indexing1d", "test_arithmetic1d", "test_common1d"):
    _module = load(f"scipy.sparse.tests.{_name}", {"scipy.sparse": _replaced})
    helpers.tell(_module)
    globals().update(cases_of(_module))
