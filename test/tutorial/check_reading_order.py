#!/usr/bin/env python3
"""Checks that readers find what docs/explanation/reading-order.md sends them to: each name in the sentence that begins
with "Look for" occurs in the file that the sentence before it links to. Exits with 1 and a line for each that does not.

usage: check_reading_order.py PROJECT_FOLDER
"""

import pathlib
import re
import sys

DOCUMENT = "docs/explanation/reading-order.md"
STEP = re.compile(r"\bread\*\*\s+\[[^\]]+\]\(([^)]+)\)\.\s+\*\*Look\s+for\*\*(.*?)[.:](?=\s)", re.S | re.I)
NAME = re.compile(r"`([A-Za-z_][\w:]*)`")


def steps(text):
    """(link, names) of each step."""
    for link, sentence in STEP.findall(text):
        yield link, [part for name in NAME.findall(sentence) for part in name.split("::")]


def faults(project):
    document = project / DOCUMENT
    text = document.read_text(encoding="utf-8")
    found = list(steps(text))
    if len(found) != len(re.findall(r"\*\*Look\s+for\*\*", text)) or not found:
        yield f"{DOCUMENT}: some 'Look for' does not follow 'Read [file](link).'"
    for link, names in found:
        code = (document.parent / link).read_text(encoding="utf-8")
        for name in names:
            if not re.search(rf"\b{name}\b", code):
                yield f"{DOCUMENT}: {link} has no {name}"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    if found:
        sys.exit("\n".join(found))
    print("readers find what they are sent to")


if __name__ == "__main__":
    main()
