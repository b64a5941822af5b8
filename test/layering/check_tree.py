#!/usr/bin/env python3
"""Checks the shape of the source tree; prints one line a fault and exits with 1 if there are any.

- Every #include in src/lacuna is allowed by the tables in src/lacuna/README.md, and names a file that exists: the first
  table is of layers, the second one of the folders in some of them. A layer is a folder, or, where its row in the first
  table has two parts, a folder in a folder that is no layer itself.
- Every .cpp file of the source folders is named in a CMakeLists.txt of its folder or of one above.
- No source file is longer than MAX_LINES.
- No two files of src/lacuna define a type of one name in one namespace: at link time they would be one.
- No level's name, which is that of a file in levels/, occurs in src: the library treats a user's levels alike.
- Few files outside format/ name a LevelKind: all others ask what a level can do (LevelFormat).
- .ci/run calls the command that README.md shows for the tests, as it stands there.
- Every relative link and every `folder/file.h` in a Markdown file names something that exists.
"""

import pathlib
import re
import sys

MAX_LINES = 500
MAX_FILES_OF_KINDS = 11
SOURCE_FOLDERS = ["src", "python", "tools", "test", "bench", "examples", "cmake"]
SOURCE_SUFFIXES = {".h", ".cpp", ".c", ".py", ".cmake", ".sh", ".level"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)[^)]*\)|`((?:\w+/)+\w+\.(?:h|cpp))`")
NAMESPACE = re.compile(r"^namespace\s*([\w:]*)\s*\{(?!.*\})")
NAMESPACE_END = re.compile(r"^\}\s*// namespace")
TYPE = re.compile(r"^(?:class|struct|enum class|union)\s+(\w+)\s*(?:final\s*)?(?::[^:].*)?\{")
ROW = re.compile(r"^\|\s*`(\w+)/(?:(\w+)/)?`\s*\|.*\|\s*([^|]*?)\s*\|\s*$")


def add_row(allowed, folder, uses, readme):
    """Adds a folder to those it may include: itself, what it uses, and what that uses. Rows come in the order of use."""
    named = set(allowed) if uses == "all above" else {name.strip() for name in uses.split(",")} - {"–", "-", ""}
    below = named - set(allowed)
    if below:
        raise SystemExit(f"{readme}: {folder} uses {', '.join(sorted(below))}, which is not a row above it")
    allowed[folder] = {folder}.union(named, *(allowed[name] for name in named))


def rows_of_tables(readme):
    """(whether it is in the first table, folder, folder in it or None, uses) of each row."""
    tables, in_table = 0, False
    for line in readme.read_text(encoding="utf-8").splitlines():
        tables += line.startswith("|") and not in_table
        in_table = line.startswith("|")
        row = ROW.match(line)
        if row:
            yield tables == 1, *row.groups()


def read_tables(readme):
    """Layer -> all the layers it may include, its own among them; and the same of the folders in a layer, by layer. A
    layer is "folder" or "folder/folder"."""
    allowed, inner = {}, {}
    for first, folder, name, uses in rows_of_tables(readme):
        if name and not first:
            add_row(inner.setdefault(folder, {}), name, uses, readme)
        else:
            add_row(allowed, f"{folder}/{name}" if name else folder, uses, readme)
    if not allowed:
        raise SystemExit(f"{readme}: no table of folders was found")
    for folder in sorted(homes_of(allowed) & {*allowed, *inner}):
        raise SystemExit(f"{readme}: the folders in {folder}/ are layers, so it has no row itself and none below the first table")
    return allowed, inner


def homes_of(allowed):
    """The folders that are no layers themselves, but hold some."""
    return {layer.split("/")[0] for layer in allowed if "/" in layer}


def layer_of(parts, allowed):
    """The layer of a file, by the parts of its path in src/lacuna."""
    return "/".join(parts[:2]) if parts[0] in homes_of(allowed) else parts[0]


def source_files(root, suffixes):
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in suffixes:
                yield path


def folders_in(folder):
    """The names of the folders that hold something."""
    return {path.name for path in folder.iterdir() if path.is_dir() and any(path.rglob("*.*"))}


def check_folders(library, allowed):
    """The table and the tree name the same layers."""
    homes = homes_of(allowed)
    present = folders_in(library) - homes
    for home in sorted(path for path in map(library.joinpath, homes) if path.is_dir()):
        present |= {f"{home.name}/{name}" for name in folders_in(home)}
        for path in sorted(home.iterdir()):
            if path.is_file():
                yield f"{path}: is in no layer; {home.name}/ holds folders with rows in {library / 'README.md'} only"
    for folder in sorted(present - set(allowed)):
        yield f"{library / folder}: has no row in {library / 'README.md'}"
    for folder in sorted(set(allowed) - present):
        yield f"{library / 'README.md'}: has a row for {folder}/, which does not exist"


def check_inner_folders(library, inner):
    """Where a folder's folders have rows, all of them do."""
    for folder, rows in inner.items():
        present = folders_in(library / folder)
        for name in sorted(present - set(rows)):
            yield f"{library / folder / name}: has no row in {library / 'README.md'}"
        for name in sorted(set(rows) - present):
            yield f"{library / 'README.md'}: has a row for {folder}/{name}/, which does not exist"


def check_inner_include(path, name, inner):
    """Files directly in a folder stand above its folders."""
    folder, *places = path
    used_folder, *used_places = name
    if folder not in inner or used_folder != folder or len(places) < 2 or places[0] == used_places[0]:
        return None
    if len(used_places) < 2:
        return f"{folder}/{places[0]}/ may not include a file of {folder}/ itself, which is above it"
    if used_places[0] not in inner[folder].get(places[0], set(inner[folder])):
        return f"{folder}/{places[0]}/ may not include {'/'.join(name)}: {used_places[0]} is not among its uses"
    return None


def check_include(root, path, quote, name, allowed, inner):
    parts = path.relative_to(root / "src/lacuna").parts
    folder = layer_of(parts, allowed)
    if not name.startswith("lacuna/"):
        return f'write #include "lacuna/<folder>/{name}"' if quote == '"' else None
    used = layer_of(name.split("/")[1:], allowed)
    if folder in allowed and used not in allowed[folder]:
        return f"{folder}/ may not include {name}: {used} is not among its uses in src/lacuna/README.md"
    if not (root / "src" / name).is_file():
        return f"{name} does not exist"
    return check_inner_include(parts, name.split("/")[1:], inner)


def check_includes(root, allowed, inner):
    for path in sorted((root / "src/lacuna").rglob("*")):
        if path.suffix not in {".h", ".cpp", ".c"} or path.parent == root / "src/lacuna":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            include = INCLUDE.match(line)
            fault = include and check_include(root, path, *include.groups(), allowed, inner)
            if fault:
                yield f"{path}:{number}: {fault}"


def check_cmake_lists(root):
    named = set()
    for folder in SOURCE_FOLDERS:
        for lists in (root / folder).rglob("CMakeLists.txt"):
            text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))
            for token in re.findall(r"[^\s()\"]+\.cpp\b", text):
                named.add((lists.parent / token).resolve())
    for path in source_files(root, {".cpp"}):
        if path.resolve() not in named:
            yield f"{path}: is not named in any CMakeLists.txt"


def check_lengths(root):
    for path in source_files(root, SOURCE_SUFFIXES):
        lines = len(path.read_bytes().splitlines())
        if lines > MAX_LINES:
            yield f"{path}: has {lines} lines; {MAX_LINES} are the most, so split it by idea"


def defined_types(path):
    """(namespace, name, line number) of the types that a file defines outside of anonymous namespaces."""
    open_namespaces = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        begin, end, type_ = NAMESPACE.match(line), NAMESPACE_END.match(line), TYPE.match(line)
        if begin:
            open_namespaces.append(begin.group(1) or "")
        elif end and open_namespaces:
            open_namespaces.pop()
        elif type_ and "" not in open_namespaces:
            yield "::".join(open_namespaces), type_.group(1), number


def check_type_names(root):
    seen = {}
    for path in sorted((root / "src/lacuna").rglob("*")):
        if path.suffix not in {".h", ".cpp"}:
            continue
        for namespace, name, number in defined_types(path):
            first = seen.setdefault((namespace, name), path)
            if first != path:
                yield f"{path}:{number}: {first} defines a {name} in {namespace} too; take another name"


def check_level_names(root):
    names = [path.stem for path in sorted((root / "levels").glob("*.level"))]
    if not names:
        return
    word = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".h", ".cpp", ".c", ".txt", ".cmake"}:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in word.findall(line):
                yield f"{path}:{number}: {name} is a level of levels/, and src knows no level by name"


def check_level_kinds(root):
    library = root / "src/lacuna"
    naming = [path for path in sorted(library.rglob("*")) if path.suffix in {".h", ".cpp"}
              and path.relative_to(library).parts[0] != "format" and "LevelKind::" in path.read_text(encoding="utf-8")]
    for path in naming[MAX_FILES_OF_KINDS:]:
        yield f"{path}: names a LevelKind; ask LevelFormat what the level can do, so that a new kind needs no change here"


def check_documents(root):
    """Links count from their document; files in backticks from the root, from src or from src/lacuna."""
    documents = [path for folder in ["docs", *SOURCE_FOLDERS] for path in (root / folder).rglob("*.md")]
    for path in sorted([*root.glob("*.md"), *documents]):
        code = False  # inside a block of code, where [](…) is a lambda
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code ^= line.startswith("```")
            for link, file in [] if code else LINK.findall(line):
                candidates = [path.parent / link] if link else [root / base / file for base in [".", "src", "src/lacuna"]]
                if not any(candidate.exists() for candidate in candidates):
                    yield f"{path}:{number}: {link or file} does not exist"


def check_ci(root):
    """What people are told to run is what CI runs: another build of it would hide that theirs fails."""
    readme, ci = root / "README.md", root / ".ci/run"
    if not readme.is_file() or not ci.is_file():
        return
    shown = re.findall(r"^\$ (\./dev test\b.*?)\s*(?:#.*)?$", readme.read_text(encoding="utf-8"), re.MULTILINE)
    called = re.findall(r"^step \w+ (\./dev test\b.*?)\s*$", ci.read_text(encoding="utf-8"), re.MULTILINE)
    if not shown:
        yield f"{readme}: shows no ./dev test"
    if called != shown[:1]:
        yield f"{ci}: runs {called}, where README.md shows {shown[:1]}"


def faults(root):
    library = root / "src/lacuna"
    allowed, inner = read_tables(library / "README.md")
    yield from check_folders(library, allowed)
    yield from check_inner_folders(library, inner)
    yield from check_includes(root, allowed, inner)
    yield from check_cmake_lists(root)
    yield from check_lengths(root)
    yield from check_type_names(root)
    yield from check_level_names(root)
    yield from check_level_kinds(root)
    yield from check_documents(root)
    yield from check_ci(root)


def main(arguments):
    if len(arguments) != 1:
        raise SystemExit("usage: check_tree.py ROOT")
    found = list(faults(pathlib.Path(arguments[0])))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
