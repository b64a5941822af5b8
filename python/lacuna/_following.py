"""Results that stay right while a tensor changes."""

from __future__ import annotations

from typing import Any

from . import _core
from ._tensor import Tensor


def follow(statement: str, of: str, *, format: str | None = None, **tensors: Any) -> Tensor:
    """The result of a statement, which from now on follows each change of the operand named ``of``.

    An update of that tensor adds to the result what it changes, in time for the entries updated and what they meet. Of
    all other operands, the values are those of now. It ends when the result is changed otherwise; copies do not follow.

    >>> import lacuna, numpy as np
    >>> graph = lacuna.empty((3, 3), format="dense,btree")
    >>> y = lacuna.follow("y(i) = G(i,j) * x(j)", of="G", G=graph, x=np.array([1.0, 2, 3]))
    >>> graph.insert((0, 2), 10.0)
    >>> np.asarray(y)
    array([30.,  0.,  0.])

    Parameters
    ----------
    of
        A :class:`Tensor` among the operands, in a format that changes in place: all levels dense or dynamic.
    format
        Of the result, which has to be dense or to change in place, too.

    Raises
    ------
    lacuna.Error
        Where the statement is not linear in the operand, or a format does not change in place.
    """
    followed = tensors.get(of)
    if followed is not None and not isinstance(followed, Tensor):
        raise _core.Error(f"{of} is a {type(followed).__name__}; only changes of a lacuna.Tensor are followed")
    if followed is not None:
        followed._own()
    return Tensor._of(_core.follow(statement, of, tensors, format))
