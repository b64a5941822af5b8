"""What the package does to its process: signals, memory."""

import os
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp

import lacuna

COMPILES = """
import numpy as np, lacuna
x = np.ones(3)
print("ready", flush=True)
try:
    for k in range(10**6):
        lacuna.evaluate(f"y{k}(i) = x(i) * x(i)", x=x)
except KeyboardInterrupt:
    y = np.asarray(lacuna.evaluate("z(i) = x(i) + x(i)", x=x))
    print("interrupted", y.tolist(), flush=True)
"""


def test_control_c_stops_compiling_and_nothing_breaks():
    # Control-C goes to the whole group of processes, the C compiler among them.
    child = subprocess.Popen([sys.executable, "-c", COMPILES], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             start_new_session=True, env=os.environ | {"LACUNA_CACHE": "0"})
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    os.killpg(child.pid, signal.SIGINT)
    out, error = child.communicate(timeout=60)
    assert out == "interrupted [2.0, 2.0, 2.0]\n", error
    assert child.returncode == 0


def test_a_million_calls_take_no_memory():
    A = sp.csr_array(np.eye(4))
    x = np.ones(4)
    spmv = lacuna.compile("y(i) = A(i,j) * x(j)", threads=1)
    for _ in range(10_000):
        spmv(A=A, x=x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1_000_000):
        spmv(A=A, x=x)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # KiB
    assert grown < 1024
