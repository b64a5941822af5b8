#!/usr/bin/env python3
"""Copies the documents, and the files that they link to, to where MkDocs reads them, then makes the site.

usage: build_site.py PROJECT_FOLDER      (the site: build/docs/site/index.html)
"""

import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"(\]\()([^)\s#]+)([^)\s]*\))")


def is_file_link(target):
    return not re.match(r"[a-z]+:", target)


def copy_linked(root, pages, document):
    for _, target, _ in LINK.findall(document.read_text(encoding="utf-8")):
        source = (document.parent / target).resolve()
        if not is_file_link(target) or root / "docs" in [source, *source.parents] or not source.exists():
            continue
        copy = pages / source.relative_to(root)
        if source.is_dir():
            shutil.copytree(source, copy, dirs_exist_ok=True)
        else:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def main(arguments):
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    root = pathlib.Path(arguments[0]).resolve()
    pages = root / "build/docs/pages"
    shutil.rmtree(pages.parent, ignore_errors=True)
    shutil.copytree(root / "docs", pages / "docs")
    for document in sorted((root / "docs").rglob("*.md")):
        copy_linked(root, pages, document)
    # The start page of a site is at its root.
    start = (pages / "docs/index.md").read_text(encoding="utf-8")
    (pages / "index.md").write_text(
        LINK.sub(lambda m: m[1] + ("docs/" + m[2] if is_file_link(m[2]) else m[2]) + m[3], start), encoding="utf-8")
    subprocess.run(["doxygen", "docs/Doxyfile"], cwd=root, check=True)
    subprocess.run(["mkdocs", "build", "--quiet", "--config-file", "docs/mkdocs.yml"], cwd=root, check=True)
    print(f"the documents are in {pages.parent.relative_to(root)}/site/index.html")


if __name__ == "__main__":
    main(sys.argv[1:])
