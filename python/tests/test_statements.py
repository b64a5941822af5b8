"""lacuna.evaluate and lacuna.compile."""

import threading

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix, random_tensor

import lacuna


def test_a_matrix_times_a_vector(rng):
    A, x = random_matrix(rng, 30, 20), rng.random(20)
    y = lacuna.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x)
    assert y.shape == (30,) and y.dtype == np.float64 and y.format == "dense"
    np.testing.assert_allclose(np.asarray(y), A @ x)


def test_mttkrp(rng):
    B, dense = random_tensor(rng, (6, 7, 8))
    C, D = rng.random((7, 4)), rng.random((8, 4))
    A = lacuna.evaluate("A(i,l) = B(i,k,j) * C(k,l) * D(j,l)", B=B, C=C, D=D)
    np.testing.assert_allclose(A.todense(), np.einsum("ikj,kl,jl->il", dense, C, D))


def test_a_result_has_the_format_and_type_that_are_asked_for(rng):
    A = random_matrix(rng, 20, 20)
    C = lacuna.evaluate("C(i,k) = A(i,j) * A(j,k)", A=A, format="csc", type="float32")
    assert C.format == "csc" and C.dtype == np.float32
    np.testing.assert_allclose(C.todense(), (A @ A).toarray(), rtol=1e-6)


def test_names_of_parameters_may_be_names_of_tensors(rng):
    x = rng.random(5)
    y = lacuna.evaluate("y(i) = format(i) * threads", {"format": x, "threads": 2.0})
    np.testing.assert_allclose(np.asarray(y), 2 * x)


def test_numbers_in_a_statement_are_those_of_the_statement(rng):
    x = rng.random(5)
    for alpha in (2.5, 3.5):
        y = lacuna.evaluate(f"y(i) = {alpha} * x(i) + 1", x=x)
        np.testing.assert_allclose(np.asarray(y), alpha * x + 1)


def test_sizes_bound_variables_that_no_operand_does():
    y = lacuna.evaluate("y(i) = i * i", sizes={"i": 4})
    assert np.asarray(y).tolist() == [0, 1, 4, 9]


def test_accumulation_takes_the_old_value(rng):
    A, x, y = random_matrix(rng, 6, 5), rng.random(5), rng.random(6)
    z = lacuna.evaluate("y(i) += A(i,j) * x(j)", A=A, x=x, y=y)
    np.testing.assert_allclose(np.asarray(z), y + A @ x)


def test_a_compiled_statement_takes_operands_by_name_and_in_order(rng):
    A, x = random_matrix(rng, 6, 5), rng.random(5)
    f = lacuna.compile("y(i) = A(i,j) * x(j)")
    assert f.operands == ["A", "x"]
    for y in (f(A, x), f(A=A, x=x), f(A, x=x)):
        np.testing.assert_allclose(np.asarray(y), A @ x)
    with pytest.raises(TypeError, match="twice"):
        f(A, x, x=x)
    with pytest.raises(TypeError, match="reads 2 tensor"):
        f(A, x, x)


def test_a_compiled_statement_serves_all_formats_types_and_sizes(rng):
    f = lacuna.compile("y(i) = A(i,j) * x(j)")
    for n, m in ((3, 4), (5, 2), (3, 4)):
        for format in ("csr", "csc", "coo"):
            for dtype in (np.float64, np.float32, np.int32, np.complex128):
                A = random_matrix(rng, n, m, 0.5, dtype, format)
                x = rng.random(m).astype(dtype)
                np.testing.assert_allclose(np.asarray(f(A, x)), A @ x, rtol=1e-5)


def test_a_schedule_is_obeyed(rng):
    A, x = random_matrix(rng, 40, 20), rng.random(20)
    f = lacuna.compile("y(i) = A(i,j) * x(j)", schedule="split(i,io,ii,8), parallelize(io,CPUThread)", threads=2)
    np.testing.assert_allclose(np.asarray(f(A, x)), A @ x)
    assert "forall io" in f.source(A, x)


def test_source_and_explain_show_the_kernel(rng):
    A, x = random_matrix(rng, 4, 4), rng.random(4)
    f = lacuna.compile("y(i) = A(i,j) * x(j)")
    assert "A2_crd" in f.source(A, x)
    assert "for i" in f.explain(A, x)
    assert "== concrete" in f.stages(A, x)
    assert f.picture(A, x).startswith("<svg")


def test_timed_says_what_it_took(rng):
    f = lacuna.compile("y(i) = A(i,j) * x(j)")
    y, report = f.timed(random_matrix(rng, 4, 4), rng.random(4))
    assert y.shape == (4,) and report["kernel_ms"] >= 0 and report["notes"] == []


@pytest.mark.parametrize("call, message", [
    (lambda x: lacuna.evaluate("y(i) = A(i,j * x(j)", A=x, x=x), r"\^"),
    (lambda x: lacuna.evaluate("y(i) = A(i,j) * x(j)", A=x), "reads x, which was not given"),
    (lambda x: lacuna.evaluate("y(i) = x(i)", x=x, z=x), "z was given, but .* does not read it"),
    (lambda x: lacuna.evaluate("y(i) = A(i,j) * x(j)", A=x, x=x), "A"),
    (lambda x: lacuna.evaluate("y(i) = x(i)", x=x, format="cst"), "cst"),
    (lambda x: lacuna.evaluate("y(i) = x(i)", x=x, schedule="splat(i)"), "splat"),
    (lambda x: lacuna.evaluate("y(i) = x(i)", x="abc"), "no tensor"),
    (lambda x: lacuna.evaluate("y(i) = x(i)", x=np.array(["a"])), "no element type"),
    (lambda x: lacuna.evaluate("y = 2 * a", a=2 ** 70), "no 64-bit integer"),
])
def test_mistakes_are_told(call, message):
    with pytest.raises(lacuna.Error, match=message):
        call(np.ones(3))
    assert issubclass(lacuna.Error, ValueError)


def test_threads_may_evaluate_at_once(rng):
    A, f = random_matrix(rng, 200, 200), lacuna.compile("y(i) = A(i,j) * x(j)")
    wrong = []

    def work(seed):
        x = np.random.default_rng(seed).random(200)
        for _ in range(50):
            if not np.allclose(np.asarray(f(A, x)), A @ x):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def test_nothing_is_printed(rng, capfd):
    lacuna.evaluate("y(i) = A(i,j) * x(j) * 3", A=random_matrix(rng, 4, 4), x=rng.random(4))
    assert capfd.readouterr() == ("", "")


def test_a_singular_name_is_a_scalar():
    assert float(lacuna.evaluate("s = a * b", a=2, b=np.float32(1.5))) == 3.0
    assert lacuna.evaluate("s = a * b", a=np.int8(2), b=np.int8(3)).dtype == np.int32


def test_scipy_matrices_and_arrays_are_alike(rng):
    A = random_matrix(rng, 5, 5)
    y = lacuna.evaluate("y(i) = A(i,j)", A=sp.csr_matrix(A))
    np.testing.assert_allclose(np.asarray(y), A.toarray().sum(axis=1))
