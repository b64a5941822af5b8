"""The package where only it, NumPy and Zig's C compiler are."""

import os
import shutil
import subprocess
import sys

import pytest

QUICK_START = """
import numpy as np
import lacuna
A = lacuna.asarray(np.array([[1.0, 0], [2, 3]])).to("csr")
y = lacuna.evaluate("y(i) = A(i,j) * x(j) + sqrt(x(i))", A=A, x=np.ones(2))
B = A.to("dense,btree")
B.insert((0, 1), 4.0)
print(np.asarray(y).tolist(), B.todense().tolist(), lacuna.__file__)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    build = os.environ.get("LACUNA_TEST_BUILD")
    if not build:
        pytest.skip("LACUNA_TEST_BUILD names no build folder to install from")
    prefix = tmp_path_factory.mktemp("prefix")
    subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", prefix], check=True, capture_output=True)
    source = os.path.join(os.path.dirname(__file__), "..", "lacuna")
    shutil.copytree(source, prefix / "lacuna", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    return prefix


def run(prefix, **variables):
    """In a folder from which no program of the system is found."""
    environment = {"PYTHONPATH": str(prefix), "PATH": str(prefix), "HOME": str(prefix), **variables}
    return subprocess.run([sys.executable, "-c", QUICK_START], env=environment, cwd=prefix, capture_output=True, text=True)


def test_the_main_job_runs_with_zig_alone(installed):
    pytest.importorskip("ziglang")
    done = run(installed)
    assert done.stderr == ""
    assert done.stdout.startswith("[2.0, 6.0] [[1.0, 4.0], [2.0, 3.0]]")
    assert str(installed) in done.stdout


def test_a_missing_compiler_is_told(installed):
    done = run(installed, LACUNA_CC="no-such-compiler")
    assert "RuntimeFailure" in done.stderr and "pip install ziglang" in done.stderr
