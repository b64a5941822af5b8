#!/usr/bin/env python3
"""Runs what a document prints, in one fresh folder, top to bottom; exits with 1 at the first difference.

- In a ```console block, `$ COMMAND` is run by a shell; the lines up to the next `$` are what it must print. `…` stands for
  any text within a line, and a line of `…` alone for any lines.
- A ```cpp block must stand, line by line but for indentation, in a program of examples/ or a source file that the
  document links to.
- A ```c block that begins with a comment /* NAME */ is written to that file.

usage: run_tutorial.py PROJECT_FOLDER LACUNA_PROGRAM DOCUMENT
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)


def pattern_of(expected):
    """The regular expression that the expected lines stand for."""
    parts = []
    for line in expected:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("…")) + r"\n")
    return "".join(parts)


def commands_of(block):
    """(command, expected lines) pairs of a console block."""
    pairs = []
    for line in block.splitlines():
        if line.startswith("$ "):
            pairs.append((line[2:], []))
        elif pairs and pairs[-1][0].endswith("\\"):
            pairs[-1] = (pairs[-1][0][:-1] + line.lstrip("> "), [])
        else:
            pairs[-1][1].append(line)
    return pairs


def run(command, expected, folder, environment):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    fails_on_purpose = any(line.startswith("lacuna: error:") for line in expected)
    if done.returncode != 0 and not fails_on_purpose:
        return f"exit code {done.returncode}:\n{output}"
    if not re.fullmatch(pattern_of(expected), output):
        return "it printed:\n" + output
    return None


def without_indentation(text):
    return "\n".join(line.strip() for line in text.splitlines()) + "\n"


def main():
    project = pathlib.Path(sys.argv[1])
    program = pathlib.Path(sys.argv[2])
    document = sys.argv[3]
    text = (project / document).read_text(encoding="utf-8")
    sources = [*(project / "examples").glob("*.cpp"),
               *((project / document).parent / link for link in re.findall(r"\]\((\S+\.(?:cpp|h))\)", text))]
    sources = [without_indentation(path.read_text(encoding="utf-8")) for path in sources]
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", OMP_NUM_THREADS="2",
                           LACUNA_CACHE_DIR=os.path.join(folder, ".cache"))
        for kind, block in BLOCK.findall(text):
            name = re.match(r"/\* (\S+) \*/\n", block)
            if kind == "c" and name:
                pathlib.Path(folder, name[1]).write_text(block, encoding="utf-8")
            elif kind == "cpp":
                if not any(without_indentation(block) in source for source in sources):
                    sys.exit(f"{document}: this is in no example and no file that is linked to:\n{block}")
                count += 1
            elif kind == "console":
                for command, expected in commands_of(block):
                    fault = run(command, expected, folder, environment)
                    if fault:
                        sys.exit(f"{document}: $ {command}\n{fault}")
                    count += 1
    if count == 0:
        sys.exit(f"{document}: nothing to check was found")
    print(f"{count} commands and pieces of programs are as printed")


if __name__ == "__main__":
    main()
