"""Statements in index notation, compiled and run."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Mapping

from . import _core
from ._tensor import Tensor


class Statement:
    """A statement that can be called: ``f(A=A, x=x)``, or ``f(A, x)`` in the order in which it first reads them.

    Made by :func:`compile`. It is compiled at the first call, and again for operands of other formats, types or
    sizes. Several threads may call it at once. The global interpreter lock is released meanwhile.
    """

    __slots__ = ("_core", "_run")

    def __init__(self, core: _core.Statement):
        self._core = core
        self._run = core.run

    def __call__(self, *operands: Any, **named: Any) -> Tensor:
        if operands:
            named = self._named(operands, named)
        return Tensor._of(self._run(named))

    def _named(self, operands, named):
        names = self._core.operand_names
        if len(operands) > len(names):
            raise TypeError(f"{self.text} reads {len(names)} tensor(s), {', '.join(names)}; {len(operands)} were given")
        for name, operand in zip(names, operands):
            if name in named:
                raise TypeError(f"{name} was given twice")
            named[name] = operand
        return named

    @property
    def text(self) -> str:
        """The statement."""
        return self._core.text

    @property
    def operands(self) -> list[str]:
        """The names of the tensors that it reads, in the order of a call."""
        return self._core.operand_names

    def source(self, *operands: Any, **named: Any) -> str:
        """The C text of the kernel that computes the statement for these operands."""
        return self._core.c_code(self._named(operands, named))

    def explain(self, *operands: Any, **named: Any) -> str:
        """Which loops were chosen for these operands, why, and what each is expected to cost, as text."""
        return self._core.explain(self._named(operands, named))

    def picture(self, *operands: Any, **named: Any) -> str:
        """The same as SVG."""
        return self._core.picture(self._named(operands, named))

    def stages(self, *operands: Any, **named: Any) -> str:
        """Every stage of the compilation for these operands, from the notation to C, as ``lacuna show`` prints it."""
        return self._core.stages(self._named(operands, named))

    def timed(self, *operands: Any, **named: Any) -> tuple[Tensor, dict]:
        """The result, and what it took: ``compile_ms``, ``prepare_ms``, ``kernel_ms``, ``finish_ms``, ``notes``."""
        result, report = self._core.run_reporting(self._named(operands, named))
        return Tensor._of(result), report

    def __repr__(self) -> str:
        return f"<lacuna.Statement {self.text}>"


@lru_cache(maxsize=512)
def _statement(text, format, type, sizes, schedule, threads, deterministic) -> Statement:
    return Statement(_core.Statement(text, format, type, dict(sizes), schedule, threads or 0, deterministic))


def compile(statement: str, *, format: str | None = None, type: Any = None, sizes: Mapping[str, int] | None = None,
            schedule: str = "", threads: int | None = None, deterministic: bool = False) -> Statement:
    """A statement that can be called again and again.

    Parameters
    ----------
    statement
        Index notation, such as ``"y(i) = A(i,j) * x(j)"``. Variables that the left side lacks are summed over.
    format
        How the result is stored, such as ``"csr"``. Without it, what the operands' formats suggest.
    type
        The result's element type. Without it, the type that the right side is computed in.
    sizes
        Extents of index variables that no operand bounds.
    schedule
        Directives, such as ``"split(i,io,ii,32), parallelize(io,CPUThread)"``. Without them, the compiler chooses.
    threads
        At most so many. Without it, ``OMP_NUM_THREADS`` or all processors.
    deterministic
        Sums are added up in the same order in every run.

    Raises
    ------
    lacuna.Error
        For what the notation, the format or the schedule refuses.
    """
    return _statement(statement, format, _type_name(type), tuple(sizes.items()) if sizes else (), schedule, threads,
                      deterministic)


def evaluate(statement: str, operands: Mapping[str, Any] | None = None, /, *, format: str | None = None,
             type: Any = None, sizes: Mapping[str, int] | None = None, schedule: str = "",
             threads: int | None = None, deterministic: bool = False, **tensors: Any) -> Tensor:
    """The result of a statement in index notation.

    Operands are given by their names, or as a mapping where a name is also that of a parameter. They are
    :class:`Tensor`, numbers, NumPy arrays, SciPy's, PyTorch's or pydata's sparse arrays: none is copied where Lacuna
    has its format. The other parameters are those of :func:`compile`.

    >>> import numpy as np
    >>> float(evaluate("s = a(i) * a(i)", a=np.array([1.0, 2.0])))
    5.0
    """
    if operands:
        tensors = {**operands, **tensors}
    return compile(statement, format=format, type=type, sizes=sizes, schedule=schedule, threads=threads,
                   deterministic=deterministic)(**tensors)


def _type_name(type: Any) -> str | None:
    if type is None or isinstance(type, str):
        return type
    import numpy as np

    return np.dtype(type).name
