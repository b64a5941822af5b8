"""Files of the Binsparse format, by the package binsparse: .h5, .hdf5, .zarr and .bsp.npz.

Levels are those of the format: dense, and sparse of one dimension or more. Source: the Binsparse specification, 0.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Error
from ._tensor import Tensor, asarray, from_coordinates

ENDINGS = (".h5", ".hdf5", ".zarr", ".bsp.npz")


def _package():
    try:
        import binsparse
    except ImportError:
        raise Error("files of the Binsparse format need the package binsparse: pip install binsparse") from None
    return binsparse


def write(path: str, tensor: Tensor) -> None:
    """Writes a tensor, as it is stored where the format has its levels, else by coordinates."""
    made = to_binsparse(tensor)
    _package().save_binsparse(made, path, alias=True)


def read(path: str) -> Tensor:
    """The tensor of a file, stored as the file has it where Lacuna has the format, else in compressed levels."""
    package = _package()
    try:
        made = package.load_binsparse(path, alias=False)
    except FileNotFoundError:
        raise Error(f"there is no file {path}") from None
    except (package.BinsparseParseError, OSError, ValueError, KeyError) as fault:
        raise Error(f"{path} is not a well-made file of the Binsparse format: {fault}") from None
    return from_binsparse(made)


def to_binsparse(tensor: Tensor) -> Any:
    """A tensor as binsparse.CustomTensor over the same arrays."""
    package = _package()
    tensor = _with_known_levels(tensor)
    order = tensor.ndim
    values = tensor.values
    level: Any = package.ElementLevel(values)
    if tensor.levels[1:2] == ["singleton"] or tensor.levels == ["compressed"]:
        indices = tuple(tensor.coordinates(k) for k in range(order))
        level = package.SparseLevel(order, level, indices)
    else:
        for k in reversed(range(order)):
            if tensor.levels[k] == "dense":
                level = package.DenseLevel(1, level)
            else:
                level = package.SparseLevel(1, level, (tensor.coordinates(k),), tensor.positions(k) if k else None)
    modes = tensor._core.mode_order
    transpose = tuple(modes) if modes != list(range(order)) else None
    return package.CustomTensor(tensor.shape, len(values), level=level, transpose=transpose)


def _with_known_levels(tensor: Tensor) -> Tensor:
    """The same tensor in levels that the format has, with no order of modes but that of a matrix by columns."""
    plain = set(tensor.levels) <= {"dense", "compressed"} and "unordered" not in tensor.format
    by_coordinates = tensor.levels[1:2] == ["singleton"]
    in_order = tensor.ndim <= 2 or tensor._core.mode_order == list(range(tensor.ndim))
    if plain and in_order and "nonunique" not in tensor.format:
        return tensor
    return tensor if by_coordinates and in_order else tensor.to("coo")


def from_binsparse(made: Any) -> Tensor:
    """The tensor that a binsparse.CustomTensor is."""
    package = _package()
    if made.fill and made.fill_value not in (None, 0):
        raise Error(f"the tensor has the fill value {made.fill_value}; Lacuna's tensors have 0")
    shape = made.shape
    modes = list(made.transpose) if made.transpose is not None else list(range(len(shape)))
    coordinates: list[np.ndarray] = []
    kinds: list[str] = []
    parents, level = 1, made.level
    while not isinstance(level, package.ElementLevel):
        extents = [shape[m] for m in modes[len(kinds):len(kinds) + level.rank]]
        if isinstance(level, package.DenseLevel):
            kinds += ["dense"] * level.rank
            for n in extents:
                coordinates = [np.repeat(c, n) for c in coordinates] + [np.tile(np.arange(n), parents)]
                parents *= n
        else:
            kinds += ["compressed"] if level.rank == 1 else ["coordinates"] * level.rank
            pointers = level.pointers_to_next if level.pointers_to_next is not None else [0, len(level.indices[0])]
            counts = np.diff(np.asarray(pointers).astype(np.int64))
            if len(counts) != parents or (counts < 0).any() or counts.sum() != len(level.indices[0]):
                raise Error(f"pointers to level {len(kinds)} do not divide its {len(level.indices[0])} indices among "
                            f"{parents} parents")
            coordinates = [np.repeat(c, counts) for c in coordinates] + [np.asarray(i) for i in level.indices]
            parents = len(level.indices[0])
        level = level.level
    values = np.ascontiguousarray(level.values)
    if not shape:
        return asarray(values.reshape(()))
    if len(values) != parents:
        raise Error(f"the levels hold {parents} entries, but there are {len(values)} values")
    by_mode = [coordinates[modes.index(m)] for m in range(len(shape))]
    if set(kinds) == {"dense"}:
        return asarray(values.reshape([shape[m] for m in modes]).transpose(np.argsort(modes)))
    letters = "".join("d" if kind == "dense" else "s" for kind in kinds) + ":" + ",".join(map(str, modes))
    return from_coordinates(shape, by_mode, values, "coo" if "coordinates" in kinds else letters)
