"""The C compiler that kernels are compiled with, where the environment does not name one."""

from __future__ import annotations

import importlib.util
import os
import shutil


def choose() -> None:
    """Sets LACUNA_CC, if it is not set: to the first of cc, gcc, clang, and Zig's of the package ziglang that is there."""
    if os.environ.get("LACUNA_CC") or shutil.which("cc"):
        return
    for name in ("gcc", "clang"):
        if shutil.which(name):
            os.environ["LACUNA_CC"] = name
            return
    zig = importlib.util.find_spec("ziglang")
    if zig is not None and zig.submodule_search_locations:
        program = os.path.join(zig.submodule_search_locations[0], "zig")
        os.environ["LACUNA_CC"] = f"{program} cc"
