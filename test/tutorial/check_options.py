#!/usr/bin/env python3
"""Checks that docs/reference/command.md names every sub-command and option of the command, and no option that is not there.

usage: check_options.py PROJECT_FOLDER LACUNA_PROGRAM
"""

import pathlib
import re
import subprocess
import sys


def help_of(program, *arguments):
    return subprocess.run([program, *arguments, "--help"], capture_output=True, text=True, check=True).stdout


def options_of(text):
    return set(re.findall(r"(?<![\w-])--[a-z]+", text.split("Example")[0]))


def main():
    document = (pathlib.Path(sys.argv[1]) / "docs/reference/command.md").read_text(encoding="utf-8")
    program = sys.argv[2]
    commands = re.findall(r"^  (\w+) ", help_of(program).split("Subcommands:")[1].split("\n\n")[0], re.M)
    real = set()
    for command in commands:
        real |= options_of(help_of(program, command))
    faults = [f"docs/reference/command.md does not name the command {c}" for c in commands if f"lacuna {c}" not in document]
    written = options_of(document)
    faults += [f"docs/reference/command.md does not name {option}" for option in sorted(real - written - {"--help"})]
    faults += [f"docs/reference/command.md names {option}, which no command takes" for option in sorted(written - real)]
    if faults or len(commands) < 2:
        sys.exit("\n".join(faults) or "no commands were found")


if __name__ == "__main__":
    main()
