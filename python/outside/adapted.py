"""Test files of other packages, loaded with Lacuna in the place of what they test."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import pathlib
import sys
import types
from unittest import mock

import pytest

PINS = pathlib.Path(__file__).resolve().parents[1] / "requirements.txt"


def require(package: str) -> None:
    """Skips the test file, unless the package is installed in the version that requirements.txt names."""
    pins = dict(line.split("==") for line in PINS.read_text().split() if "==" in line)
    try:
        found = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        found = "none"
    if found != pins[package]:
        pytest.skip(f"the lists are for {package} {pins[package]}; installed is {found}", allow_module_level=True)


def load(name: str, replaced: dict[str, types.ModuleType]) -> types.ModuleType:
    """A new module from the source of module ``name``, whose imports find the modules of ``replaced``.

    The module itself, if it is imported already, stays what it is.
    """
    spec = importlib.util.find_spec(name)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, replaced):
        spec.loader.exec_module(module)
    return module


def cases_of(module: types.ModuleType) -> dict[str, object]:
    """The tests of a module and what pytest needs for them: functions, classes and fixtures by name."""
    found = {}
    for name, thing in vars(module).items():
        is_fixture = type(thing).__name__ == "FixtureFunctionDefinition"
        if name.startswith(("test_", "Test")) or is_fixture:
            found[name] = thing
    return found
