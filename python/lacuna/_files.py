"""Tensors in files."""

from __future__ import annotations

import os

from . import _core
from ._tensor import Tensor, asarray


def read(path: str | os.PathLike, format: str | None = None) -> Tensor:
    """A tensor from a file: .mtx, .ttx, .tns, .rb, .npy or .npz, also with .gz.

    ``format`` is how to store it, such as ``"csr"``; without it, what suits the file.
    """
    return Tensor._of(_core.Tensor.read(os.fspath(path), format))


def write(path: str | os.PathLike, tensor) -> None:
    """Writes a tensor, or what :func:`asarray` makes one of, to a file, whose ending says the file format."""
    asarray(tensor)._core.write(os.fspath(path))
