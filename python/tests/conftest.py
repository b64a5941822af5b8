import numpy as np
import pytest
import scipy.sparse as sp

import lacuna


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def random_matrix(rng, rows, columns, density=0.3, dtype=np.float64, format="csr"):
    made = sp.random_array((rows, columns), density=density, rng=rng, format=format, dtype=np.float64)
    if np.dtype(dtype).kind in "iu":
        made.data = np.round(made.data * 9 + 1)
    return made.astype(dtype)


def random_tensor(rng, shape, density=0.3, format="csf"):
    """A sparse tensor and the NumPy array of the same values."""
    dense = rng.random(shape) * (rng.random(shape) < density)
    return lacuna.asarray(dense).to(format), dense
