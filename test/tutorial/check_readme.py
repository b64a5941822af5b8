#!/usr/bin/env python3
"""Whether README.md's first screen shows what `./dev run` prints, which is what `lacuna demo` does; exits with 1 if not.

usage: check_readme.py PROJECT_FOLDER LACUNA_PROGRAM
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from run_tutorial import BLOCK, commands_of, pattern_of


def main():
    text = pathlib.Path(sys.argv[1], "README.md").read_text(encoding="utf-8")
    first_screen = BLOCK.search(text)[2]
    shown = {command.split("#")[0].strip(): expected for command, expected in commands_of(first_screen)}
    expected = "\n".join(shown["./dev run"]).strip().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, OMP_NUM_THREADS="2", LACUNA_CACHE_DIR=folder)
        done = subprocess.run([sys.argv[2], "demo"], env=environment, capture_output=True, text=True, check=True)
    if not re.fullmatch(pattern_of(expected), done.stdout):
        sys.exit("README.md does not show what ./dev run prints:\n" + done.stdout)


if __name__ == "__main__":
    main()
