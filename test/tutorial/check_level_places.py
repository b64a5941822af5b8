#!/usr/bin/env python3
"""Checks that docs/explanation/adding-a-level.md is complete: the files in its tables are exactly those that name the kind
of level that it follows. In src/ and tools/ a file names it by an identifier that contains its name, by its capability, or
by its file in a CMakeLists.txt; in test/, by the enumerator. A row says "compiler" if and only if one of its files has a
switch with a case of the kind. Exits with 1 and a line for each fault.

usage: check_level_places.py PROJECT_FOLDER
"""

import pathlib
import re
import sys

DOCUMENT = "docs/explanation/adding-a-level.md"
NAMED = re.compile(r"\w*[Bb]itmap\w*|LACUNA_BITMAP|\bhas_present\b")
NAMED_BY_TESTS = re.compile(r"\bLevelKind::Bitmap\b")
CASE = re.compile(r"\bcase LevelKind::Bitmap\b")
NO_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.S)


def code_of(path):
    """The text without comments and string literals."""
    text = path.read_text(encoding="utf-8")
    return text if path.suffix == ".txt" else NO_CODE.sub("", text)


def files_that_name_it(project):
    for folder in ("src", "tools", "test"):
        pattern = NAMED_BY_TESTS if folder == "test" else NAMED
        for path in sorted((project / folder).rglob("*")):
            is_code = path.suffix in {".h", ".cpp"} or path.name == "CMakeLists.txt"
            if is_code and pattern.search(code_of(path)):
                yield path.resolve()


def rows(document):
    """(files, whether the row says that the compiler reports them) of each row of the tables."""
    for line in document.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ["):
            cells = line.strip("| ").split(" | ")
            links = re.findall(r"\]\(([^)]+)\)", cells[0])
            yield [(document.parent / link).resolve() for link in links], cells[-1] == "compiler"


def faults(project):
    document = project / DOCUMENT
    listed = set()
    for files, by_compiler in rows(document):
        for path in [path for path in files if not path.exists()]:
            yield f"{DOCUMENT}: {path} does not exist"
        files = [path for path in files if path.exists()]
        listed.update(files)
        names = ", ".join(path.name for path in files)
        in_library = [path for path in files if "test" not in path.relative_to(project).parts]
        if any(CASE.search(code_of(path)) for path in in_library) != by_compiler:
            yield f"{DOCUMENT}: the row of {names} is wrong about who reports it"
    naming = set(files_that_name_it(project))
    for path in sorted(naming - listed):
        yield f"{path}: names the kind, but no table of {DOCUMENT} has it"
    for path in sorted(listed - naming):
        yield f"{DOCUMENT}: {path} is in a table, but does not name the kind"


def main():
    project = pathlib.Path(sys.argv[1]).resolve()
    found = list(faults(project))
    if found:
        sys.exit("\n".join(found))
    print(f"{sum(len(files) for files, _ in rows(project / DOCUMENT))} files name the kind, and all are in the document")


if __name__ == "__main__":
    main()
