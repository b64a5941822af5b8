"""The examples in the documents and in docstrings."""

import doctest
import importlib
import pathlib
import pkgutil

import pytest

import lacuna

DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "docs"
MODULES = ["lacuna", *(f"lacuna.{m.name}" for m in pkgutil.iter_modules(lacuna.__path__) if m.name != "_core")]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def test_the_guide():
    failed, tried = doctest.testfile(str(DOCUMENTS / "python.md"), module_relative=False, optionflags=FLAGS)
    assert tried > 25 and failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=FLAGS)
    assert failed == 0
