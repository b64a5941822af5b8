"""What test_ranks.py runs on ranks: exits with 1 where something is wrong."""

import gc

import numpy as np
import scipy.sparse as sp
from mpi4py import MPI

import lacuna

rng = np.random.default_rng(3)  # the same on all ranks
A = sp.random_array((40, 30), density=0.2, rng=rng, format="csr")
B = sp.random_array((30, 20), density=0.2, rng=rng, format="csr")
x = rng.random(30)
place = {"A": "xy -> x", "y": "x -> x"}

half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank % 2, MPI.COMM_WORLD.rank)
for comm in (MPI.COMM_WORLD, half):
    with lacuna.Ranks(comm) as ranks:
        assert (ranks.rank, ranks.size) == (comm.rank, comm.size)
        for scale in (1.0, 2.0):  # the second one keeps the plan
            y = ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=scale * x, place=place)
            assert np.allclose(np.asarray(y), A @ (scale * x))
        C = ranks.evaluate("C(i,k) = A(i,j) * B(j,k)", A=A, B=B, format="csr")
        assert np.allclose(C.todense(), (A @ B).todense())
        assert f"({comm.size} processor" in ranks.plan("y(i) = A(i,j) * x(j)", A=A, x=x, place=place)
        # What fails on one rank raises on all of them, and they go on.
        try:
            ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x if comm.rank > 0 else x[1:])
        except lacuna.Error:
            pass
        else:
            raise AssertionError("operands that differ are refused")
        assert np.allclose(np.asarray(ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x)), A @ x)
    try:
        ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x)
    except lacuna.Error as error:
        assert "were closed" in str(error)
    else:
        raise AssertionError("closed ranks are refused")

left_open = lacuna.Ranks(MPI.COMM_WORLD)
if MPI.COMM_WORLD.rank == 0:
    del left_open  # must not wait for others
    gc.collect()
MPI.COMM_WORLD.Barrier()
try:
    lacuna.Ranks(MPI.COMM_NULL)
except lacuna.Error as error:
    assert "MPI_COMM_NULL" in str(error)
else:
    raise AssertionError("MPI.COMM_NULL is refused")
