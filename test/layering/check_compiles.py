#!/usr/bin/env python3
"""Compiles each file below a folder, without making an object, and prints what the compiler says of those that fail.

That takes a fraction of a build's time. Where a build compiles a dozen files of a folder at a time, those are one file.

usage: check_compiles.py COMPILE_COMMANDS FOLDER PROCESSES
"""

import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys


def commands(database, folder):
    """File -> the compiler's arguments, of the files below a folder."""
    for entry in json.loads(pathlib.Path(database).read_text(encoding="utf-8")):
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if folder in file.parents:
            yield file, entry["directory"], [*shlex.split(entry["command"]), "-fsyntax-only"]


def complaint(file, directory, arguments):
    """What the compiler says of a file; nothing where it compiles."""
    done = subprocess.run(arguments, cwd=directory, capture_output=True, text=True, errors="replace", check=False)
    return "" if done.returncode == 0 else f"{file} does not compile:\n{done.stderr}"


def main(arguments):
    if len(arguments) != 3:
        raise SystemExit(__doc__)
    database, folder, processes = arguments
    files = list(commands(database, pathlib.Path(folder).resolve()))
    if not files:
        raise SystemExit(f"{database} names no file below {folder}")
    with concurrent.futures.ThreadPoolExecutor(int(processes)) as pool:
        complaints = [text for text in pool.map(lambda each: complaint(*each), files) if text]
    print("".join(complaints), end="")
    print(f"{len(files) - len(complaints)} of {len(files)} files compile")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
