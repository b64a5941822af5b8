"""Files of the Binsparse format, judged by its reference implementation."""

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix, random_tensor

import lacuna

binsparse = pytest.importorskip("binsparse")
ENDINGS = [".h5", ".bsp.npz"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "dcsc", "dense", "dense:1,0", "bitmap", "dense,btree",
                                    "dense,compressed(unordered)"])
def test_matrices(rng, tmp_path, format, ending):
    t, dense = random_tensor(rng, (5, 7), 0.4, format)
    path = tmp_path / ("A" + ending)
    lacuna.write(path, t)
    back = lacuna.read(path)
    np.testing.assert_array_equal(back.todense(), dense)
    if format in ("csr", "csc", "dcsr", "dcsc", "coo", "dense"):
        assert back.format == format
    assert lacuna.read(path, "csc").format == "csc"


@pytest.mark.parametrize("format", ["csf", "coo", "dense", "dense,compressed,compressed", "dense,dense,compressed", "sss:2,0,1"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.bool_, np.complex128])
def test_tensors(rng, tmp_path, format, dtype):
    dense = ((rng.random((3, 4, 5)) < 0.3) * rng.integers(1, 9, (3, 4, 5))).astype(dtype)
    lacuna.write(tmp_path / "T.h5", lacuna.asarray(dense).to(format))
    back = lacuna.read(tmp_path / "T.h5")
    assert back.dtype == dtype
    np.testing.assert_array_equal(back.todense(), dense)
    for values in (dense[0, 0], dense[0, 0, 0]):
        lacuna.write(tmp_path / "v.h5", values)
        np.testing.assert_array_equal(lacuna.read(tmp_path / "v.h5").todense(), values)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_the_reference_reads_what_we_write_and_we_what_it_writes(rng, tmp_path, kind):
    from binsparse.conversions import scipy as by_scipy

    A = random_matrix(rng, 6, 8, 0.3, format=kind)
    lacuna.write(tmp_path / "ours.h5", A)
    theirs = binsparse.load_binsparse(tmp_path / "ours.h5")
    assert theirs.format == {"csr": "CSR", "csc": "CSC", "coo": "COOR"}[kind]
    np.testing.assert_array_equal(by_scipy.to_scipy(theirs).toarray(), A.toarray())
    binsparse.save_binsparse(by_scipy.from_scipy(A), tmp_path / "theirs.h5")
    np.testing.assert_array_equal(lacuna.read(tmp_path / "theirs.h5").todense(), A.toarray())


def test_malformed_files_are_refused(rng, tmp_path):
    (tmp_path / "text.h5").write_text("no such thing")
    with pytest.raises(lacuna.Error, match="well-made"):
        lacuna.read(tmp_path / "text.h5")
    with pytest.raises(lacuna.Error, match="no file"):
        lacuna.read(tmp_path / "missing.h5")
    A = sp.csr_array(np.eye(3))
    for pointers, indices in (([0, 1, 2, 5], [0, 1, 2]), ([0, 2, 1, 3], [0, 1, 2]), ([0, 1, 3], [0, 1, 2]), ([0, 1, 2, 3], [0, 1, 7])):
        made = binsparse.CSRMatrix((3, 3), 3, pointers_to_1=np.array(pointers), indices_1=np.array(indices), values=A.data)
        binsparse.save_binsparse(made, tmp_path / "bad.h5")
        with pytest.raises(lacuna.Error):
            lacuna.read(tmp_path / "bad.h5")
