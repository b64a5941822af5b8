"""The tests test_dot.py of pydata's sparse, run on Lacuna's tensors."""

from adapted import cases_of, load, require

require("sparse")

import as_sparse

globals().update(cases_of(load("sparse.numba_backend.tests.test_dot", as_sparse.modules())))
