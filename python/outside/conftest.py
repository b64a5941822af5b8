"""Marks the tests that the lists beside this file name.

A line is a pattern of the tests' names with a reason. Tests under [expected] must fail: one that passes fails the run
until its line is deleted. Tests under [not meaningful] are left out.
"""

import fnmatch
import pathlib

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
LISTS = ("scipy_expected.txt", "sparse_expected.txt")


def _lines():
    """Each line of the lists: its section, pattern and reason."""
    for name in LISTS:
        section = None
        for line in (HERE / name).read_text().splitlines():
            if line.startswith("["):
                section = line.strip("[]")
            elif line and not line.startswith("#"):
                pattern, reason = line.split("  # ", 1)
                yield section, pattern.strip(), reason


def _matches(pattern, name):
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def pytest_collection_modifyitems(config, items):
    names = {item: item.nodeid.rsplit("/", 1)[-1] for item in items}
    files = {name.split("::")[0] for name in names.values()}
    left_out = set()
    for section, pattern, reason in _lines():
        found = [item for item in items if _matches(pattern, names[item])]
        if not found and pattern.split("::")[0] in files and not any("::" in a for a in config.args):
            raise pytest.UsageError(f"no test is named {pattern}: delete its line")
        for item in found:
            if section == "expected":
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
            else:
                left_out.add(item)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def rng():
    return np.random.default_rng(7)
