"""Expressions of tensors that are computed when they are read, by one kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterable, Sequence

import numpy as np

from ._core import Error

# Node sizes are bounded, so that a loop that adds to an expression computes what it has from time to time.
MAX_NODES = 64

# Of operators: their operands are terms of the statement, or factors of one.
TERMS = ("({0} + {1})", "({0} - {1})", "(-({0}))", "({0})")
TIMES = "({0}) * ({1})"


@dataclass
class Text:
    """A statement's right side while it is written: operands by name, and a supply of index variables."""

    operands: dict[str, Any] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    def variable(self, extent: int) -> str:
        name = f"i{len(self.sizes) + 1}"
        self.sizes[name] = extent
        return name

    def operand(self, tensor) -> str:
        name = self.names.get(id(tensor))
        if name is None:
            name = f"t{len(self.operands)}"
            self.operands[name] = tensor
            self.names[id(tensor)] = name
        return name


class Node:
    """What a lazy tensor is: a shape, an element type, and a text for given index variables."""

    shape: tuple[int, ...]
    dtype: np.dtype
    nodes: int

    def text(self, out: Text, indices: Sequence[str]) -> str:
        raise NotImplementedError

    def is_sparse(self) -> bool:
        """Whether few entries are stored, as far as the operands tell."""
        return False


def _accessed(text: str, indices: Sequence[str]) -> str:
    return f"{text}({','.join(indices)})" if indices else text


class Leaf(Node):
    """A tensor that is computed, as it is now: it is copied before it is changed."""

    def __init__(self, tensor):
        tensor = tensor._shared()
        self.tensor, self.shape, self.dtype, self.nodes = tensor, tensor.shape, tensor.dtype, 1

    def text(self, out, indices):
        return _accessed(out.operand(self.tensor), indices)

    def is_sparse(self):
        return bool(self.shape) and not self.tensor._core.is_dense


class Number(Node):
    """A Python or NumPy number, of the type that NumPy would compute in."""

    def __init__(self, value, dtype):
        self.value, self.shape, self.dtype, self.nodes = np.asarray(value, dtype=dtype), (), np.dtype(dtype), 1

    def text(self, out, indices):
        return out.operand(self.value)


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """As NumPy has it, which refuses shapes of more coordinates than an array can have."""
    out: list[int] = []
    for k in range(1, max(map(len, shapes), default=0) + 1):
        extents = {shape[-k] for shape in shapes if len(shape) >= k} - {1}
        if len(extents) > 1:
            raise Error("inconsistent shapes: " + " and ".join(str(tuple(s)) for s in shapes) + " do not go together")
        out.append(extents.pop() if extents else 1)
    return tuple(out[::-1])


def _aligned(node: Node, shape: Sequence[int], indices: Sequence[str], out: Text) -> str:
    """The node's text where it is broadcast to a shape: a dimension of extent 1 is summed over, which is its one entry."""
    own = list(indices[len(indices) - len(node.shape):])
    single = []
    for k, extent in enumerate(node.shape):
        if extent == 1 and shape[len(shape) - len(node.shape) + k] != 1:
            own[k] = out.variable(1)
            single.append(own[k])
    text = node.text(out, own)
    for v in single:
        text = f"sum({v}, {text})"
    return text


class Elementwise(Node):
    """An operator or function of broadcast operands."""

    def __init__(self, pattern: str, operands: Sequence[Node], dtype):
        self.pattern, self.operands, self.dtype = pattern, tuple(operands), np.dtype(dtype)
        self.shape = broadcast_shapes(*(o.shape for o in operands))
        self.nodes = 1 + sum(o.nodes for o in operands)

    def text(self, out, indices):
        return self.pattern.format(*(_aligned(self._computed(o), self.shape, indices, out) for o in self.operands))

    def _computed(self, operand: Node) -> Node:
        """A product of sparse matrices is computed by itself, first, where its sums would stand inside a function.

        There each pair of a row and a column is multiplied, which is right only at the entries of a sparse operand.
        """
        others = [o for o in self.operands if o is not operand]
        inside = self.pattern not in TERMS and not (self.pattern == TIMES and all(not o.shape for o in others))
        if not inside or not isinstance(operand, Product) or not operand.is_sparse() or any(o.is_sparse() for o in others):
            return operand
        from ._tensor import Tensor

        return Leaf(Tensor._later(operand).evaluate())

    def is_sparse(self):
        return any(o.is_sparse() for o in self.operands)


class Product(Node):
    """A matrix product over the last dimension of a and the last but one of b (the only one of a vector)."""

    def __init__(self, a: Node, b: Node, dtype):
        if not a.shape or not b.shape:
            raise Error("Scalar operands are not allowed in @; multiply by *")
        inner = b.shape[0] if len(b.shape) == 1 else b.shape[-2]
        if a.shape[-1] != inner:
            raise Error(f"dimension mismatch: {a.shape} and {b.shape} cannot be multiplied, since {a.shape[-1]} is not {inner}")
        self.batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
        rows, columns = a.shape[-2:-1], b.shape[-1:] if len(b.shape) > 1 else ()
        self.a, self.b, self.dtype = a, b, np.dtype(dtype)
        self.shape = self.batch + tuple(rows) + tuple(columns)
        self.nodes = 1 + a.nodes + b.nodes

    def is_sparse(self):
        return self.a.is_sparse() and self.b.is_sparse()

    def text(self, out, indices):
        summed = out.variable(self.a.shape[-1])
        batch = list(indices[:len(self.batch)])
        rest = list(indices[len(self.batch):])
        row = [rest.pop(0)] if len(self.a.shape) > 1 else []
        left = _aligned(self.a, self.batch + self.a.shape[-2:], batch + row + [summed], out)
        right = _aligned(self.b, self.batch + self.b.shape[-2:], batch + [summed] + rest, out)
        return f"sum({summed}, ({left}) * ({right}))"


class Sum(Node):
    """A sum over dimensions."""

    def __init__(self, operand: Node, axes: Iterable[int], keepdims: bool, dtype):
        self.operand, self.axes, self.keepdims, self.dtype = operand, frozenset(axes), keepdims, np.dtype(dtype)
        kept = [(1 if k in self.axes else n) for k, n in enumerate(operand.shape)]
        self.shape = tuple(kept) if keepdims else tuple(n for k, n in enumerate(kept) if k not in self.axes)
        self.nodes = 1 + operand.nodes

    def text(self, out, indices):
        given = iter(indices)
        own, summed = [], []
        for k in range(len(self.operand.shape)):
            if k in self.axes:
                if self.keepdims:
                    next(given)
                own.append(out.variable(self.operand.shape[k]))
                summed.append(own[-1])
            else:
                own.append(next(given))
        text = self.operand.text(out, own)
        for v in summed:
            text = f"sum({v}, {text})"
        return text


class Permuted(Node):
    """Dimension k is dimension axes[k] of the operand; None is a new one of extent 1."""

    def __init__(self, operand: Node, axes: Sequence[int | None]):
        self.operand, self.axes, self.dtype = operand, tuple(axes), operand.dtype
        self.shape = tuple(1 if a is None else operand.shape[a] for a in axes)
        self.nodes = 1 + operand.nodes

    def is_sparse(self):
        return self.operand.is_sparse()

    def text(self, out, indices):
        own = [""] * len(self.operand.shape)
        for k, a in enumerate(self.axes):
            if a is not None:
                own[a] = indices[k]
        return self.operand.text(out, own)


def statement(node: Node) -> tuple[str, dict[str, Any], dict[str, int]]:
    """The statement that computes a node, its operands, and the extents of its variables."""
    out = Text()
    indices = [out.variable(extent) for extent in node.shape]
    right = node.text(out, indices)
    return f"{_accessed('r', indices)} = {right}", out.operands, out.sizes
