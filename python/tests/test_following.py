import gc

import numpy as np
import pytest

import lacuna


@pytest.fixture
def graph():
    G = lacuna.empty((4, 4), format="dense,btree")
    G.insert(([0, 1], [1, 2]), [2.0, 3.0])
    return G


def test_a_result_follows_inserts_and_erasures(rng, graph):
    x = rng.random(4)
    y = lacuna.follow("y(i) = G(i,j) * x(j)", of="G", G=graph, x=x)
    graph.insert((0, 3), 5.0)
    graph.insert(([2, 3, 0], [0, 3, 1]), [1.0, 1.0, 1.0])
    graph.assign((1, 2), 7.0)
    graph.erase((3, 3))
    np.testing.assert_allclose(np.asarray(y), graph.todense() @ x)


def test_operands_may_be_arrays_that_are_gone(graph):
    y = lacuna.follow("y(i) = G(i,j) * x(j)", of="G", G=graph, x=np.arange(4.0))
    gc.collect()
    graph.insert((3, 3), 1.0)
    assert np.asarray(y)[3] == 3


def test_views_and_copies_stay_as_they_were(graph):
    y = lacuna.follow("y(i) = G(i,j) * x(j)", of="G", G=graph, x=np.ones(4))
    before, copied = np.asarray(y), y.snapshot()
    graph.insert((0, 0), 100.0)
    assert before[0] == 2 and np.asarray(copied)[0] == 2 and np.asarray(y)[0] == 102


def test_a_result_may_be_dynamic(rng, graph):
    D = rng.random((4, 4))
    C = lacuna.follow("C(i,j) = G(i,j) * D(i,j)", of="G", format="dense,btree", G=graph, D=D)
    graph.insert((2, 1), 4.0)
    np.testing.assert_allclose(C.todense(), graph.todense() * D)


def test_a_tensor_that_shares_memory_is_followed(graph):
    other = graph
    other += graph  # in place: shares what the sum made
    y = lacuna.follow("y(i) = G(i,j) * x(j)", of="G", G=other.to("dense,btree"), x=np.ones(4))
    assert np.asarray(y)[0] == 4


@pytest.mark.parametrize("statement, of, message", [
    ("y(i) = G(i,j) * G(i,j)", "G", "linear|once"),
    ("y(i) += G(i,j) * x(j)", "G", "write = in place of"),
    ("y(i) = G(i,j) * x(j)", "H", "reads no tensor named H"),
    ("y(i) = G(i,j) * z(j)", "G", "reads z, which was not given"),
    ("y(i) = G(i,j) * x(j)", "x", "only changes of a lacuna.Tensor"),
])
def test_what_cannot_be_followed_is_refused(graph, statement, of, message):
    with pytest.raises(lacuna.Error, match=message):
        lacuna.follow(statement, of=of, G=graph, x=np.ones(4))


def test_formats_that_do_not_change_in_place_are_refused(graph):
    with pytest.raises(lacuna.Error):
        lacuna.follow("y(i) = G(i,j) * x(j)", of="G", G=graph.to("csr"), x=np.ones(4))
