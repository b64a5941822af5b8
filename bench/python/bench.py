#!/usr/bin/env python3
"""Races Lacuna with SciPy, sparse and tensora, as Python's users call them: ./dev bench python [--help]."""

from __future__ import annotations

import argparse
import os

import numpy as np
import scipy.sparse as sp

import lacuna
from race import Line, table

try:
    import sparse
except ImportError:
    sparse = None
try:
    import tensora
except ImportError:
    tensora = None
try:
    import torch
except ImportError:
    torch = None


class Data:
    """Operands, by seed; `scale` multiplies the numbers of rows and entries."""

    def __init__(self, scale: float):
        rng = np.random.default_rng(1)
        n, m = int(100_000 * scale), int(20_000 * scale)
        self.A = random_matrix(rng, n, n, 16)
        self.B = random_matrix(rng, n, n, 16)
        self.x, self.b = rng.random(n), rng.random(n)
        self.X = rng.random((n, 32))
        self.S = random_matrix(rng, m, m, 10)
        self.C, self.D = rng.random((m, 64)), rng.random((m, 64))
        graph = random_matrix(rng, m, m, 16)
        self.L = sp.csr_array(sp.tril(graph + graph.T, -1))
        self.L.data[:] = 1
        shape = tuple(int(k * scale ** (1 / 3)) for k in (500, 600, 700))
        entries = int(1_000_000 * scale)
        where = np.unravel_index(rng.choice(np.prod(shape), entries, replace=False), shape)
        self.T = sp.coo_array((rng.random(entries), where), shape=shape)
        self.F, self.G = rng.random((shape[1], 16)), rng.random((shape[2], 16))


def random_matrix(rng, rows: int, columns: int, per_row: int) -> sp.csr_array:
    where = (np.repeat(np.arange(rows, dtype=np.int32), per_row),
             rng.integers(0, columns, rows * per_row, dtype=np.int32))
    made = sp.csr_array((rng.random(rows * per_row), where), shape=(rows, columns))
    made.sum_duplicates()
    return made


def lines_of(data: Data, threads: list[int]) -> list[Line]:
    d = data
    T = lacuna.asarray(d.T).to("csf")
    statements = {
        "SpMV": ("y(i) = A(i,j) * x(j)", {"A": d.A, "x": d.x}),
        "SpMM 32": ("Y(i,k) = A(i,j) * X(j,k)", {"A": d.A, "X": d.X}),
        "A + B": ("C(i,j) = A(i,j) + B(i,j)", {"A": d.A, "B": d.B}),
        "SpGEMM": ("C(i,k) = S(i,j) * S(j,k)", {"S": d.S}),
        "SDDMM 64": ("E(i,j) = S(i,j) * C(i,k) * D(j,k)", {"S": d.S, "C": d.C, "D": d.D}),
        "MTTKRP 16": ("M(i,r) = T(i,j,k) * F(j,r) * G(k,r)", {"T": T, "F": d.F, "G": d.G}),
        "TTM 16": ("M(i,j,r) = T(i,j,k) * G(k,r)", {"T": T, "G": d.G}),
        "triangles": ("s = L(i,j) * L(j,k) * L(i,k)", {"L": d.L}),
        "(2A + B)x - b": ("y(i) = (2 * A(i,j) + B(i,j)) * x(j) - b(i)", {"A": d.A, "B": d.B, "x": d.x, "b": d.b}),
    }
    peers = scipy_calls(d), sparse_calls(d), tensora_calls(d), torch_calls(d)
    # SciPy leaves the entries of a row as it finds them, too; the other peers sort them.
    formats = {"SpGEMM": "dense,compressed(unordered)"}
    lines = []
    for name, (text, operands) in statements.items():
        contestants = {}
        for t in threads:
            f = lacuna.compile(text, threads=t, format=formats.get(name))
            contestants[f"lacuna {t}"] = lambda f=f, operands=operands: f(**operands)
        for calls in peers:
            contestants.update({who: call for (who, line), call in calls.items() if line == name})
        lines.append(Line(name, contestants))
    small, v = sp.csr_array(np.eye(4)), np.ones(4)
    f = lacuna.compile("y(i) = A(i,j) * x(j)", threads=1)
    lines.append(Line("a call, 4 x 4", {"lacuna 1": lambda: f(A=small, x=v), "scipy": lambda: small @ v}))
    return lines


def scipy_calls(d: Data) -> dict:
    def sddmm():
        E = d.S.copy()
        rows = np.repeat(np.arange(d.S.shape[0]), np.diff(d.S.indptr))
        E.data = d.S.data * np.einsum("ek,ek->e", d.C[rows], d.D[d.S.indices])
        return E

    return {
        ("scipy", "SpMV"): lambda: d.A @ d.x,
        ("scipy", "SpMM 32"): lambda: d.A @ d.X,
        ("scipy", "A + B"): lambda: d.A + d.B,
        ("scipy", "SpGEMM"): lambda: d.S @ d.S,
        ("scipy", "SDDMM 64"): sddmm,
        ("scipy", "triangles"): lambda: (d.L @ d.L).multiply(d.L).sum(),
        ("scipy", "(2A + B)x - b"): lambda: (2 * d.A + d.B) @ d.x - d.b,
    }


def sparse_calls(d: Data) -> dict:
    if sparse is None:
        return {}
    A, B, S = (sparse.GCXS.from_scipy_sparse(m) for m in (d.A, d.B, d.S))
    T = sparse.COO(np.array(d.T.coords), d.T.data, shape=d.T.shape)
    return {
        ("sparse", "SpMV"): lambda: A @ d.x,
        ("sparse", "SpMM 32"): lambda: A @ d.X,
        ("sparse", "A + B"): lambda: A + B,
        ("sparse", "SpGEMM"): lambda: S @ S,
        ("sparse", "MTTKRP 16"): lambda: sparse.einsum("ijk,jr,kr->ir", T, d.F, d.G),
        ("sparse", "TTM 16"): lambda: sparse.tensordot(T, d.G, ([2], [0])),
    }


def tensora_calls(d: Data) -> dict:
    if tensora is None:
        return {}
    make = tensora.Tensor
    A, B, S, L = (make.from_scipy_sparse(sp.csr_matrix(m), format="ds") for m in (d.A, d.B, d.S, d.L))
    T = make.from_soa(tuple(c.tolist() for c in d.T.coords), d.T.data.tolist(), dimensions=d.T.shape, format="sss")
    x, b, X, C, D, F, G = map(make.from_numpy, (d.x, d.b, d.X, d.C, d.D, d.F, d.G))
    evaluate = tensora.evaluate
    return {
        ("tensora", "SpMV"): lambda: evaluate("y(i) = A(i,j) * x(j)", "d", A=A, x=x),
        ("tensora", "SpMM 32"): lambda: evaluate("Y(i,k) = A(i,j) * X(j,k)", "dd", A=A, X=X),
        ("tensora", "A + B"): lambda: evaluate("C(i,j) = A(i,j) + B(i,j)", "ds", A=A, B=B),
        ("tensora", "SDDMM 64"): lambda: evaluate("E(i,j) = S(i,j) * C(i,k) * D(j,k)", "ds", S=S, C=C, D=D),
        ("tensora", "MTTKRP 16"): lambda: evaluate("M(i,r) = T(i,j,k) * F(j,r) * G(k,r)", "dd", T=T, F=F, G=G),
        ("tensora", "(2A + B)x - b"): lambda: evaluate("y(i) = 2 * A(i,j) * x(j) + B(i,j) * x(j) - b(i)", "d", A=A, B=B,
                                                       x=x, b=b),
    }


def torch_calls(d: Data) -> dict:
    if torch is None:
        return {}
    A, B, S = (torch.sparse_csr_tensor(torch.from_numpy(m.indptr), torch.from_numpy(m.indices), torch.from_numpy(m.data),
                                       m.shape) for m in (d.A, d.B, d.S))
    x, X = torch.from_numpy(d.x), torch.from_numpy(d.X)
    return {
        ("torch", "SpMV"): lambda: A @ x,
        ("torch", "SpMM 32"): lambda: A @ X,
        ("torch", "A + B"): lambda: A + B,
        ("torch", "SpGEMM"): lambda: S @ S,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", default="1,2", help="of Lacuna, one contestant each (default: %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies rows and entries (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each line (default: %(default)s)")
    parser.add_argument("--only", default="", help="lines whose name has this")
    options = parser.parse_args()
    threads = [int(t) for t in options.threads.split(",")]
    if torch is not None:
        torch.set_num_threads(1)
    lines = [line for line in lines_of(Data(options.scale), threads) if options.only in line.name]
    for line in lines:
        line.run(options.seconds)
    print(f"{os.cpu_count()} processors; peers on one; best times; ratio: how many times as fast as the fastest peer")
    print(table(lines, [f"lacuna {t}" for t in threads]))


if __name__ == "__main__":
    main()
