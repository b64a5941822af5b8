import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import lacuna
from conftest import random_matrix


def test_one_process_emulates_all_processors(rng):
    A, x = random_matrix(rng, 20, 30), rng.random(30)
    with lacuna.Ranks() as ranks:
        assert (ranks.rank, ranks.size) == (0, 1)
        y = ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x, machine="Grid(3,2)", place={"A": "xy -> xy"})
        np.testing.assert_allclose(np.asarray(y), A @ x)
        plan = ranks.plan("y(i) = A(i,j) * x(j)", A=A, x=x, machine="Grid(3)", place={"A": "xy -> x"})
        assert "(3 processors, communicate A" in plan


def test_mistakes_are_errors(rng):
    A, x = random_matrix(rng, 4, 4), np.ones(4)
    ranks = lacuna.Ranks()
    for wrong in ({"machine": "Grid(0)"}, {"machine": "Square(2)"}, {"place": {"A": "xy -> x-"}}, {"place": {"Q": "xy -> x"}}):
        with pytest.raises(lacuna.Error):
            ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x, **wrong)
    with pytest.raises(lacuna.Error, match="no loops that ranks could share"):
        ranks.evaluate("s = t * 2", t=1.0)
    with pytest.raises(lacuna.Error, match="which was not given"):
        ranks.evaluate("y(i) = A(i,j) * x(j)", A=A)
    ranks.close()
    ranks.close()
    with pytest.raises(lacuna.Error, match="were closed"):
        ranks.size


@pytest.mark.parametrize("count", [1, 3])
def test_on_ranks_of_mpi4py(count):
    pytest.importorskip("mpi4py")
    if shutil.which("mpirun") is None or shutil.which("mpicc") is None:
        pytest.skip("there is no MPI here: mpirun and mpicc")
    program = pathlib.Path(__file__).with_name("ranks_program.py")
    done = subprocess.run(
        ["mpirun", "--oversubscribe", "-n", str(count), sys.executable, str(program)], capture_output=True, text=True,
        timeout=120, env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    assert done.returncode == 0, done.stdout + done.stderr


def test_other_things_than_communicators_are_refused():
    pytest.importorskip("mpi4py")
    with pytest.raises(lacuna.Error, match="a communicator of mpi4py"):
        lacuna.Ranks(7)


def test_results_are_kept_apart(rng):
    """One plan, run on other values, gives results that do not share memory."""
    A = sp.csr_array(np.eye(4))
    with lacuna.Ranks() as ranks:
        first = np.asarray(ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=np.ones(4)))
        ranks.evaluate("y(i) = A(i,j) * x(j)", A=A, x=np.zeros(4))
        np.testing.assert_array_equal(first, np.ones(4))
