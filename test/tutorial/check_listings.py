#!/usr/bin/env python3
"""Checks the completion scripts and the manual page against the options that `--help` shows.

usage: check_listings.py LACUNA_PROGRAM
"""

import re
import shutil
import subprocess
import sys


def output(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def completed(script, words):
    """What bash offers behind these words."""
    line = " ".join(f"'{word}'" for word in words)
    return output("bash", "-c", f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _lacuna; "
                                "printf '%s\\n' \"${COMPREPLY[@]}\"").split()


def faults(program):
    bash, fish, page = (output(program, *rest) for rest in (["completion", "bash"], ["completion", "fish"], ["man"]))
    output("bash", "-n", text=output(program, "completion", "zsh"))
    listed = output(program, "--help").split("Subcommands:")[1].split("Examples:")[0]
    commands = re.findall(r"^  ([a-z]+) ", listed, re.M)
    offered = completed(bash, ["lacuna", ""])
    yield from (f"bash does not offer {c}" for c in commands if c not in offered)
    if completed(bash, ["lacuna", "sim"]) != ["simulate"]:
        yield "bash does not complete sim"
    for command in commands:
        options = set(re.findall(r"--[a-z][a-z-]*", output(program, command, "--help").split("Examples:")[0]))
        declared = re.findall(r"^  (?:-[a-zA-Z],)?(--[a-z-]+)", output(program, command, "--help"), re.M)
        offered = completed(bash, ["lacuna", command, "-"])
        for option in declared:
            assert option in options
            if option not in offered:
                yield f"bash does not offer {option} of {command}"
            if f"__fish_seen_subcommand_from {command}'" not in fish or f" -l {option[2:]} " not in fish:
                yield f"fish does not offer {option} of {command}"
            if option.replace("-", "\\-") not in page:
                yield f"the manual page does not name {option} of {command}"
    if shutil.which("mandoc"):
        output("mandoc", "-T", "lint", "-W", "error", text=page)


def main():
    found = list(faults(sys.argv[1]))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
