"""How other packages get the entries of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np


class Exchange:
    """For lacuna.Tensor."""

    __slots__ = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        view = self._core.dense_view()
        if view is None:
            if copy is False:
                raise ValueError(f"a tensor in format {self.format} has no dense array without a copy")
            view = self._core.to_format("dense").dense_view()
        if dtype is not None and view.dtype != dtype:
            if copy is False:
                raise ValueError(f"{view.dtype} becomes {np.dtype(dtype)} only in a copy")
            return view.astype(dtype)
        return view.copy() if copy else view

    @property
    def data(self) -> np.ndarray:
        """The values of stored entries: SciPy's name of them."""
        return self._core.entries()[1]

    def todense(self, order: str | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """A NumPy array of its own with all values, or ``out``, which they are written to.

        Raises
        ------
        ValueError
            Where ``out`` has another shape or type, or is given together with ``order``.
        """
        if out is None:
            return np.array(self.__array__(), order=order or "C")
        if order is not None:
            raise ValueError("order cannot be specified if out is not None")
        if out.shape != self.shape or out.dtype != self.dtype:
            raise ValueError(f"out array must be same dtype and shape as the tensor: {self.dtype} and {self.shape}")
        out[...] = self.__array__()
        return out

    toarray = todense

    def to_scipy(self, format: str | None = None):
        """SciPy's sparse array, over the same memory where the formats are alike: csr, csc, or coo of any order."""
        import scipy.sparse

        format = format or (self.format if self.format in ("csr", "csc") else "coo")
        if format in ("csr", "csc") and self.ndim == 2:
            core = self._core if self.format == format else self._core.to_format(format)
            make = scipy.sparse.csr_array if format == "csr" else scipy.sparse.csc_array
            return make((core.values(), core.coordinates(1), core.positions(1)), shape=self.shape, copy=False)
        coordinates, values = self._core.entries()
        array = scipy.sparse.coo_array((values, coordinates), shape=self.shape)
        return array if format == "coo" else array.asformat(format)

    def __array_namespace__(self, *, api_version: str | None = None):
        """The functions of the array API."""
        import lacuna

        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
            raise ValueError(f"version {api_version} of the array API is not available; 2024.12 is")
        return lacuna

    @property
    def device(self) -> str:
        return "cpu"

    def to_device(self, device: str, /, *, stream: Any = None):
        if device != "cpu":
            raise ValueError(f"there is no device {device!r}; tensors are on 'cpu'")
        return self

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, *, stream: Any = None, max_version: tuple | None = None, dl_device: Any = None,
                   copy: bool | None = None):
        """Of a dense tensor. Who cannot be told that memory is read-only gets a copy."""
        view = self._core.dense_view()
        if view is None:
            raise BufferError(f"a tensor in format {self.format} is no array; .to('dense') makes it one")
        if copy or max_version is None or max_version[0] < 1:
            return view.copy().__dlpack__()
        return view.__dlpack__(max_version=max_version)
