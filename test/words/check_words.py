#!/usr/bin/env python3
"""Checks the language of documents, messages and public headers.

- No word that docs/glossary.md bans, in documents, in string literals of the library and the tools, or in comments of
  public headers.
- No sentence of more than 45 words in docs/, nor of more than 30 in README.md.

Prints a line "FILE:LINE: what" for each fault; exits with 1 if there is any.

usage: check_words.py PROJECT_FOLDER [FILE...]      (only these documents)
"""

import pathlib
import re
import sys

GLOSSARY = "docs/glossary.md"
LIMITS = (("docs/", 45), ("README.md", 30))
STRING = re.compile(r'R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"', re.S)
COMMENT = re.compile(r"//[/!]?(.*)$")


def banned_words(glossary):
    """Word or phrase -> the term to use instead."""
    words = {}
    for line in glossary.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3:
            for word in re.findall(r"`([^`]+)`", cells[2]):
                words[word] = cells[0]
    return words


def matcher_of(words):
    return re.compile(r"\b(" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")\b", re.IGNORECASE)


def documents(root):
    for pattern in ("*.md", "docs/**/*.md", "levels/*.md", "src/lacuna/*.md"):
        yield from sorted(root.glob(pattern))


def lines_of_document(path):
    yield from enumerate(path.read_text(encoding="utf-8").splitlines(), 1)


def literals(path):
    """(line number, text) of the string literals of a C++ file, a line of a raw one each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    code = "\n".join("" if line.strip().startswith(("#include", "//")) else line for line in lines)
    for found in STRING.finditer(code):
        text = found.group(2) if found.group(2) is not None else found.group(3)
        number = code.count("\n", 0, found.start()) + 1
        yield from enumerate(text.split("\n"), number)


def comments(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = COMMENT.search(line)
        if found:
            yield number, found.group(1)


def sentences(text):
    """(line number, words) of each sentence of a document; code blocks and headings are none, table cells are."""
    in_code = False
    words, start = [], 1
    for number, line in enumerate(text.splitlines() + [""], 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
            line = ""
        elif in_code:
            continue
        stripped = line.strip()
        begins = not stripped or stripped.startswith(("#", "|")) or re.match(r"([-*]|\d+\.) ", stripped)
        if begins and words:
            yield start, words
            words = []
        if not stripped or stripped.startswith("#"):
            continue
        cells = stripped.strip("|").split(" | ") if stripped.startswith("|") else [stripped]
        for cell in cells:
            plain = re.sub(r"`[^`]*`", "CODE", cell)
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
            for word in plain.split():
                if not re.search(r"\w", word):
                    continue
                if not words:
                    start = number
                words.append(word)
                if re.search(r"[.!?]['\")*_]*$", word) and not re.search(r"\b(e\.g|i\.e|etc|cf|vs)\.$", word):
                    yield start, words
                    words = []
            if len(cells) > 1 and words:
                yield start, words
                words = []
    if words:
        yield start, words


def limit_of(name):
    return next((limit for prefix, limit in LIMITS if name.startswith(prefix)), None)


def faults(root, chosen):
    words = banned_words((root / GLOSSARY).read_text(encoding="utf-8"))
    matcher = matcher_of(words)
    texts = []
    for path in chosen or documents(root):
        name = path.relative_to(root).as_posix()
        if name != GLOSSARY:
            texts.append((name, lines_of_document(path)))
        if limit := limit_of(name):
            for line, sentence in sentences(path.read_text(encoding="utf-8")):
                if len(sentence) > limit:
                    yield f"{name}:{line}: a sentence of {len(sentence)} words, more than {limit}: {' '.join(sentence[:8])} …"
    if not chosen:
        for folder in ("src/lacuna", "tools"):
            for path in sorted((root / folder).rglob("*.cpp")) + sorted((root / folder).rglob("*.h")):
                texts.append((path.relative_to(root).as_posix(), literals(path)))
        for path in sorted((root / "src/lacuna/api").glob("*.h")):
            texts.append((path.relative_to(root).as_posix(), comments(path)))
    for name, lines in texts:
        for line, text in lines:
            for found in matcher.finditer(text):
                yield f"{name}:{line}: '{found.group(1)}': write '{words[found.group(1).lower()]}' ({GLOSSARY})"


def main(arguments):
    if not arguments:
        raise SystemExit(__doc__)
    root = pathlib.Path(arguments[0]).resolve()
    found = list(faults(root, [pathlib.Path(each).resolve() for each in arguments[1:]]))
    print("\n".join(found))
    print(f"{len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
