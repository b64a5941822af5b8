"""Einstein's notation and the products of NumPy's names, for tensors of any format."""

from __future__ import annotations

import operator
import string
from functools import lru_cache
from typing import Any

import numpy as np

from ._core import Error
from ._statements import _statement, _type_name
from ._tensor import Tensor, _axes, _matmul, asarray


def einsum(subscripts: str, *operands: Any, format: str | None = None, dtype: Any = None,
           threads: int | None = None) -> Tensor:
    """``numpy.einsum`` of tensors in any format, as one fused kernel.

    Subscripts are as NumPy has them, with ``...``, an implicit result, and the form that alternates operands and
    lists of axes. ``format`` and ``dtype`` are those of the result.

    >>> import numpy as np
    >>> einsum("ij,jk->ik", np.eye(2), np.eye(2)).todense()
    array([[1., 0.],
           [0., 1.]])
    """
    if not isinstance(subscripts, str):
        subscripts, operands = _interleaved((subscripts, *operands))
    tensors = [asarray(operand) for operand in operands]
    shapes = [t.shape for t in tensors]
    ones = tuple(tuple(k for k, n in enumerate(shape) if n == 1) for shape in shapes)
    type, casts = _types(tuple(t._core.type for t in tensors))
    text = _statement_of(subscripts, tuple(map(len, shapes)), ones, casts)
    named = {f"t{k}": tensor for k, tensor in enumerate(tensors)}
    return _statement(text, format, type if dtype is None else _type_name(dtype), (), "", threads, False)(**named)


@lru_cache(maxsize=256)
def _types(names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The type of a product, as NumPy has it, and those that operands are taken in where theirs would not give it."""
    whole = np.result_type(*names)
    # Index notation computes int64 times float32 in float32.
    return whole.name, tuple(whole.name if whole.kind in "fc" and name != whole.name else "" for name in names)


@lru_cache(maxsize=1024)
def _statement_of(subscripts: str, orders: tuple[int, ...], ones: tuple[tuple[int, ...], ...],
                  casts: tuple[str, ...]) -> str:
    """The statement that subscripts stand for, with operands t0, t1, …

    ``ones``: which dimensions of each have an extent of one; ``casts``: in which type each is taken, if not its own.
    """
    given = subscripts.replace(" ", "")
    left, arrow, right = given.partition("->")
    terms = left.split(",")
    if len(terms) != len(orders):
        raise Error(f"'{subscripts}' has {len(terms)} term(s), but {len(orders)} operand(s) were given")
    widths = [_ellipsis_width(term, order, subscripts) for term, order in zip(terms, orders)]
    wide = max((w for t, w in zip(terms, widths) if "..." in t), default=0)
    if not arrow:
        counts = {c: left.count(c) for c in left if c in string.ascii_letters}
        right = ("..." if "..." in left else "") + "".join(sorted(c for c, n in counts.items() if n == 1))
    elif right.count("...") > 1 or any(right.count(c) > 1 for c in string.ascii_letters):
        raise Error(f"'{right}' in '{subscripts}' names a subscript twice")
    result = _variables(right, wide, wide)
    accesses = _broadcast([_variables(term, width, wide) for term, width in zip(terms, widths)], ones)
    known = {v for access in accesses for v in access}
    for v in result:
        if v not in known:
            raise Error(f"'{subscripts}' has a subscript in its result that no operand has")
    factors = [f"t{k}({','.join(access)})" if access else f"t{k}" for k, access in enumerate(accesses)]
    factors = [f"cast({cast}, {factor})" if cast else factor for cast, factor in zip(casts, factors)]
    return f"r{'(' + ','.join(result) + ')' if result else ''} = {' * '.join(factors)}"


def _ellipsis_width(term: str, order: int, subscripts: str) -> int:
    """How many dimensions '...' stands for."""
    letters = term.replace("...", "")
    if not all(c in string.ascii_letters for c in letters) or term.count("...") > 1:
        raise Error(f"'{term}' in '{subscripts}' is not made of letters and at most one '...'")
    width = order - len(letters)
    if width < 0 or ("..." not in term and width != 0):
        raise Error(f"'{term}' in '{subscripts}' has {len(letters)} subscript(s), but its operand has {order} dimension(s)")
    return width


def _variables(term: str, width: int, wide: int) -> list[str]:
    """Those of a term, in which '...' stands for the last `width` of `wide` dimensions."""
    out: list[str] = []
    for part in term.replace("...", "."):
        out.extend([f"e{k}" for k in range(wide - width, wide)] if part == "." else [_variable(part)])
    return out


def _broadcast(accesses: list[list[str]], ones: tuple[tuple[int, ...], ...]) -> list[list[str]]:
    """A dimension of extent one beside longer ones gets a variable of its own, over which the one entry is summed."""
    longer = {v for access, single in zip(accesses, ones) for k, v in enumerate(access) if k not in single}
    fresh = 0
    out = []
    for access, single in zip(accesses, ones):
        own = list(access)
        for k in single:
            if own[k] in longer:
                own[k] = f"one{fresh}"
                fresh += 1
        out.append(own)
    return out


def _variable(letter: str) -> str:
    """Index variables of both cases; names of operands and of '...' are longer or begin otherwise."""
    return letter if letter.islower() else letter.lower() + "_"


def _interleaved(arguments: tuple) -> tuple[str, list]:
    """einsum(A, [0, 1], B, [1, 2], [0, 2]) as subscripts."""
    operands = list(arguments[0:len(arguments) // 2 * 2:2])
    lists = list(arguments[1::2])
    result = [arguments[-1]] if len(arguments) % 2 else []

    def text(axes) -> str:
        return "".join("..." if axis is Ellipsis else string.ascii_letters[axis] for axis in axes)

    subscripts = ",".join(text(axes) for axes in lists)
    return subscripts + "".join("->" + text(axes) for axes in result), operands


def tensordot(a: Any, b: Any, axes: Any = 2, *, format: str | None = None) -> Tensor:
    """``numpy.tensordot`` of tensors in any format."""
    a, b = asarray(a), asarray(b)
    ours, theirs = _axes_of_tensordot(axes, a.ndim, b.ndim)
    for x, y in zip(ours, theirs):
        if a.shape[x] != b.shape[y]:
            raise Error(f"axis {x} of the first tensor has {a.shape[x]} coordinates, but axis {y} of the second {b.shape[y]}")
    of_a = list(range(a.ndim))
    of_b = list(range(a.ndim, a.ndim + b.ndim))
    for x, y in zip(ours, theirs):
        of_b[y] = of_a[x]
    summed = set(ours)
    result = [v for k, v in enumerate(of_a) if k not in summed] + [v for v in of_b if v >= a.ndim]
    return einsum(a, of_a, b, of_b, result, format=format)


def _axes_of_tensordot(axes: Any, first: int, second: int) -> tuple[list[int], list[int]]:
    """Of which dimensions of two tensors products are summed."""
    if np.ndim(axes) == 0:
        count = operator.index(axes)
        if not 0 <= count <= min(first, second):
            raise Error(f"tensors of order {first} and {second} have no {count} axes to sum over")
        return list(range(first - count, first)), list(range(count))
    ours, theirs = ([x] if np.ndim(x) == 0 else list(x) for x in axes)
    if len(ours) != len(theirs):
        raise Error(f"axes names {len(ours)} dimension(s) of the first tensor and {len(theirs)} of the second")
    return _axes(ours, first), _axes(theirs, second)


def matmul(a: Any, b: Any, *, format: str | None = None) -> Tensor:
    """``numpy.matmul`` of tensors in any format: the last two dimensions are those of matrices, the others go along."""
    return _matmul(a, b).evaluate(format=format)
