"""Statements that the processes of MPI compute together."""

from __future__ import annotations

from typing import Any, Mapping

from . import _core
from ._statements import _type_name
from ._tensor import Tensor


class Ranks:
    """The processes of an mpi4py communicator, each with a part of the work.

    >>> from mpi4py import MPI                                           # doctest: +SKIP
    >>> with lacuna.Ranks(MPI.COMM_WORLD) as ranks:                      # doctest: +SKIP
    ...     y = ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x, place={"A": "xy -> x", "y": "x -> x"})

    Without a communicator, this process emulates all processors of a machine.

    All processes make, use and close it together. What fails on one raises the same on all. The communicator is
    duplicated, so that messages of the program never mix with Lacuna's.

    Raises
    ------
    lacuna.Error
        For ``MPI.COMM_NULL``, and for intercommunicators.
    lacuna.RuntimeFailure
        Where ``mpicc`` (``LACUNA_MPICC``) is not there, by which Lacuna finds MPI.
    """

    def __init__(self, comm: Any = None):
        self._core = _core.Ranks(None if comm is None else _handle(comm))
        self._compiled: dict = {}

    @property
    def rank(self) -> int:
        """The number of this process, from 0."""
        return self._core.rank

    @property
    def size(self) -> int:
        """How many processes there are."""
        return self._core.size

    def evaluate(self, statement: str, operands: Mapping[str, Any] | None = None, /, *, machine: str = "",
                 place: Mapping[str, str] | None = None, format: str | None = None, type: Any = None,
                 sizes: Mapping[str, int] | None = None, schedule: str = "", threads: int | None = None,
                 deterministic: bool = False, **tensors: Any) -> Tensor:
        """The result of a statement in index notation, on all processes.

        Every process gives the same operands in whole; each computes with its parts of them.

        Parameters
        ----------
        machine
            Processors, such as ``"Grid(2,2)"``; without it, a line of as many as there are processes.
        place
            Where parts of tensors lie, by name, such as ``{"A": "xy -> x"}``: rows of ``A`` along ``x`` of the machine.
            Tensors that are not placed are everywhere.

        The others are those of :func:`lacuna.evaluate`. A statement that is computed again, on tensors of the same
        patterns, keeps its plan and kernels.
        """
        if operands:
            tensors = {**operands, **tensors}
        return Tensor._of(self._statement(statement, machine, place, format, type, sizes, schedule, threads,
                                          deterministic).run(tensors))

    def plan(self, statement: str, *, machine: str = "", place: Mapping[str, str] | None = None, schedule: str = "",
             **tensors: Any) -> str:
        """What each process computes, and what moves when, as text."""
        return self._statement(statement, machine, place, None, None, None, schedule, None, False).plan(tensors)

    def close(self) -> None:
        """Ends the use of the communicator. All processes call it, before MPI ends; a ``with`` statement does."""
        self._compiled.clear()
        self._core.close()

    def __enter__(self) -> Ranks:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _statement(self, text, machine, place, format, type, sizes, schedule, threads, deterministic):
        key = (text, machine, _sorted(place), format, _type_name(type), _sorted(sizes), schedule, threads, deterministic)
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = _core.StatementOnRanks(
                self._core, text, format, key[4], dict(sizes or {}), schedule, threads or 0, deterministic, machine,
                dict(place or {}))
        return found


def _sorted(mapping):
    return tuple(sorted(mapping.items())) if mapping else ()


def _handle(comm: Any) -> int:
    """The bytes of an mpi4py communicator's MPI_Comm."""
    from ctypes import string_at
    from sys import byteorder

    from mpi4py import MPI

    if not isinstance(comm, MPI.Comm):
        from ._core import Error

        raise Error(f"Ranks takes a communicator of mpi4py, such as MPI.COMM_WORLD, not a {type(comm).__name__}")
    return int.from_bytes(string_at(MPI._addressof(comm), MPI._sizeof(comm)), byteorder)
