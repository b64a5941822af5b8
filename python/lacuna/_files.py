"""Tensors in files."""

from __future__ import annotations

import os

from . import _binsparse, _core
from ._tensor import Tensor, asarray


def read(path: str | os.PathLike, format: str | None = None) -> Tensor:
    """A tensor from a file: .mtx, .ttx, .tns, .rb, .npy or .npz, also with .gz, or of the Binsparse format.

    ``format`` is how to store it, such as ``"csr"``; without it, what suits the file. Files of the Binsparse format end
    with .h5, .hdf5, .zarr or .bsp.npz, and need the package binsparse.
    """
    name = os.fspath(path)
    if name.endswith(_binsparse.ENDINGS):
        made = _binsparse.read(name)
        return made if format is None else made.to(format)
    return Tensor._of(_core.Tensor.read(name, format))


def write(path: str | os.PathLike, tensor) -> None:
    """Writes a tensor, or what :func:`asarray` makes one of, to a file, whose ending says the file format."""
    name = os.fspath(path)
    if name.endswith(_binsparse.ENDINGS):
        _binsparse.write(name, asarray(tensor))
    else:
        asarray(tensor)._core.write(name)
