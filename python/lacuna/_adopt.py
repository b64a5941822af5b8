"""Tensors of other packages, used where they are."""

from __future__ import annotations

import numpy as np

from . import _core

#: The attributes of SciPy's formats that are arrays, and stay what they were while these are the same objects.
_SCIPY_ARRAYS = {"csr": ("indptr", "indices", "data"), "csc": ("indptr", "indices", "data")}


def adopt(thing, name: str):
    """The tensor that another package's object is, and the names of the attributes whose arrays it uses.

    Without names, what was made is a copy. Called by the extension for objects that it does not know itself.
    """
    modules = [kind.__module__ for kind in type(thing).__mro__]
    if any(m.startswith("scipy.sparse") for m in modules):
        return _from_scipy(thing, name)
    if any(m.startswith("sparse.") for m in modules) and hasattr(thing, "fill_value"):
        return _from_pydata(thing, name)
    if "torch" in modules:
        return _from_torch(thing, name), ()
    if thing is None or isinstance(thing, (str, bytes, bytearray, dict, set)):
        raise _core.Error(f"{name} is {_described(thing)}, which is no tensor")
    return _from_array(thing, name), ()


def _described(thing) -> str:
    return f"a {type(thing).__module__}.{type(thing).__qualname__}"


def _from_array(thing, name: str):
    """NumPy arrays that the extension cannot use as they are, and whatever NumPy makes an array of."""
    if isinstance(thing, np.ndarray):
        return _core.Tensor.adopt(_plain(thing, name), name)
    array = np.from_dlpack(thing) if hasattr(thing, "__dlpack__") else np.asarray(thing)
    return _core.Tensor.adopt(array, name)


def _plain(array: np.ndarray, name: str) -> np.ndarray:
    """The same numbers in a type that Lacuna has and without gaps; a copy where need be."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind not in "biufc" or (kind == "f" and size > 8) or (kind == "c" and size > 16):
        raise _core.Error(
            f"{name} holds {array.dtype}, which is no element type of Lacuna; there are bool, integers, float32, "
            "float64, complex64 and complex128")
    dtype = np.dtype(np.float32) if kind == "f" and size == 2 else array.dtype.newbyteorder("=")
    plain = np.array(array, dtype=dtype, order="C", copy=True)
    if plain.dtype == array.dtype and plain.strides == array.strides and plain.flags.aligned and array.flags.aligned:
        raise _core.Error(f"{name} is {_described(array)}, whose memory cannot be read")
    return plain


def _from_scipy(matrix, name: str):
    kind = matrix.format
    if kind in ("csr", "csc") and matrix.ndim == 2:
        make = _core.Tensor.from_csr if kind == "csr" else _core.Tensor.from_csc
        values = _numbers(matrix.data, name)
        pointers, indices = _vector(matrix.indptr), _vector(matrix.indices)
        tensor = make(*matrix.shape, pointers, indices, values)
        # A sorted copy does not change with the matrix.
        same = values is matrix.data and pointers is matrix.indptr and indices is matrix.indices
        shares = same and (np.shares_memory(tensor.values(), values) or not matrix.nnz)
        return tensor, _SCIPY_ARRAYS[kind] if shares else ()
    if kind != "coo":
        matrix = matrix.tocsr() if kind in ("bsr", "dia", "lil") and matrix.ndim == 2 else matrix.tocoo()
        return _from_scipy(matrix, name)[0], ()
    coordinates = [_vector(c) for c in matrix.coords] if hasattr(matrix, "coords") else [_vector(matrix.row), _vector(matrix.col)]
    return _core.Tensor.from_coordinates(list(matrix.shape), coordinates, _numbers(matrix.data, name)), ()


def _from_pydata(array, name: str):
    if hasattr(array, "tocoo"):
        array = array.tocoo()
    if array.fill_value != 0:
        raise _core.Error(f"{name} has the fill value {array.fill_value}; Lacuna's tensors have 0")
    coordinates = [_vector(c) for c in np.asarray(array.coords)]
    if not coordinates:
        return _from_array(array.todense(), name), ()
    return _core.Tensor.from_coordinates(list(array.shape), coordinates, _numbers(array.data, name)), ()


def _from_torch(tensor, name: str):
    import torch

    tensor = tensor.detach()
    if tensor.device.type != "cpu":
        raise _core.Error(f"{name} is on {tensor.device}; bring it to the processor by .cpu()")
    if tensor.layout == torch.strided:
        return _core.Tensor.adopt(tensor.numpy(), name)
    shape = tuple(tensor.shape)
    if tensor.layout == torch.sparse_csr and len(shape) == 2:
        return _core.Tensor.from_csr(*shape, tensor.crow_indices().numpy(), tensor.col_indices().numpy(),
                                     tensor.values().numpy())
    if tensor.layout == torch.sparse_csc and len(shape) == 2:
        return _core.Tensor.from_csc(*shape, tensor.ccol_indices().numpy(), tensor.row_indices().numpy(),
                                     tensor.values().numpy())
    coo = tensor if tensor.layout == torch.sparse_coo else tensor.to_sparse_coo()
    if coo.dense_dim() > 0:
        raise _core.Error(f"{name} has {coo.dense_dim()} dense dimension(s); .to_sparse() makes all of them sparse")
    indices = (coo._indices() if not coo.is_coalesced() else coo.indices()).numpy()
    values = (coo._values() if not coo.is_coalesced() else coo.values()).numpy()
    return _core.Tensor.from_coordinates(list(shape), [_vector(c) for c in indices], values)


def _vector(array) -> np.ndarray:
    """The array itself, if the extension can read it."""
    array = np.asarray(array)
    if array.flags.c_contiguous and array.dtype.isnative:
        return array
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _numbers(array, name: str) -> np.ndarray:
    """The array itself, if Lacuna can use it."""
    array = np.asarray(array)
    is_plain = array.dtype.kind in "biufc" and array.dtype.itemsize <= 16 and array.dtype.isnative
    if is_plain and array.flags.c_contiguous and array.dtype not in (np.float16, np.longdouble):
        return array
    return _plain(array, name)
