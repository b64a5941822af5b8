#!/usr/bin/env python3
"""Plants one fault after the other in a small tree and expects check_tree.py to report each."""

import pathlib
import tempfile
import unittest

import check_tree

TABLE = """
| folder | holds | uses |
| --- | --- | --- |
| `low/` | ground | – |
| `home/low/` | pipes in the ground | low |
| `mid/` | floor | home/low |
| `side/` | annexe | – |
| `top/` | roof | mid |
| `home/high/` | pipes on the roof | top |
| `list/` | everything | all above |

| folder | holds | uses |
| --- | --- | --- |
| `list/a/` | cellar | – |
| `list/b/` | stairs | a |
| `list/c/` | loft | – |
| `list/d/` | tower | b |
"""


class CheckTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("src/lacuna/README.md", TABLE)
        for name in ["low", "mid", "side", "top", "list"]:
            self.write(f"src/lacuna/{name}/{name}.h", "#pragma once\n#include <vector>\n")
            self.write(f"src/lacuna/{name}/{name}.cpp", f'#include "lacuna/{name}/{name}.h"\n')
            self.write(f"src/lacuna/{name}/CMakeLists.txt", f"lacuna_layer({name} SOURCES {name}.cpp)\n")

        for name in ["list/a", "list/b", "list/c", "list/d", "home/low", "home/high"]:
            self.write(f"src/lacuna/{name}/{name[5:]}.h", "#pragma once\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def expect_fault(self, *parts):
        found = list(check_tree.faults(self.root))
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_a_clean_tree_has_no_faults(self):
        self.assertEqual(list(check_tree.faults(self.root)), [])

    def test_use_is_transitive(self):
        self.write("src/lacuna/top/top.h", '#include "lacuna/low/low.h"\n')
        self.write("src/lacuna/list/list.h", '#include "lacuna/side/side.h"\n')
        self.assertEqual(list(check_tree.faults(self.root)), [])

    def test_an_upward_include_is_reported_with_its_line(self):
        self.write("src/lacuna/low/low.h", '#pragma once\n\n#  include "lacuna/top/top.h"\n')
        self.expect_fault("low/low.h:3:", "low/ may not include lacuna/top/top.h")

    def test_an_include_of_a_neighbour_is_reported(self):
        self.write("src/lacuna/top/deep/a.h", "#include <lacuna/side/side.h>\n")
        self.expect_fault("top/deep/a.h:1:", "side is not among its uses")

    def test_inner_folders_use_what_their_rows_say(self):
        self.write("src/lacuna/list/d/d.h", '#include "lacuna/list/a/a.h"\n#include "lacuna/low/low.h"\n')
        self.write("src/lacuna/list/list.h", '#include "lacuna/list/d/d.h"\n#include "lacuna/list/c/c.h"\n')
        self.assertEqual(list(check_tree.faults(self.root)), [])

    def test_an_upward_include_of_an_inner_folder_is_reported(self):
        self.write("src/lacuna/list/a/a.h", '#include "lacuna/list/b/b.h"\n')
        self.expect_fault("list/a/a.h:1:", "list/a/ may not include list/b/b.h")

    def test_an_include_of_an_inner_neighbour_is_reported(self):
        self.write("src/lacuna/list/d/deep/d.h", '#include "lacuna/list/c/c.h"\n')
        self.expect_fault("list/d/deep/d.h:1:", "c is not among its uses")

    def test_an_inner_folder_does_not_use_the_files_above_it(self):
        self.write("src/lacuna/list/a/a.h", '#include "lacuna/list/list.h"\n')
        self.expect_fault("list/a/a.h:1:", "may not include a file of list/ itself")

    def test_an_inner_folder_without_a_row_is_reported(self):
        self.write("src/lacuna/list/attic/a.h", "#pragma once\n")
        self.expect_fault("list/attic", "has no row")

    def test_a_row_of_an_inner_folder_that_is_gone_is_reported(self):
        self.write("src/lacuna/README.md", TABLE + "| `list/gone/` | air | – |\n")
        self.expect_fault("list/gone/, which does not exist")

    def write_row(self, row):
        """Adds a row to the first table."""
        self.write("src/lacuna/README.md", TABLE.replace("| `list/` |", row + "\n| `list/` |"))

    def expect_refusal(self, *parts):
        with self.assertRaises(SystemExit) as refusal:
            list(check_tree.faults(self.root))
        for part in parts:
            self.assertIn(part, str(refusal.exception))

    def test_layers_of_one_home_use_what_their_rows_say(self):
        self.write("src/lacuna/home/low/deep/a.h", '#include "lacuna/low/low.h"\n#include "lacuna/home/low/low.h"\n')
        self.write("src/lacuna/mid/mid.h", '#include "lacuna/home/low/low.h"\n')
        self.write("src/lacuna/home/high/high.h", '#include "lacuna/home/low/low.h"\n#include "lacuna/top/top.h"\n')
        self.write("src/lacuna/list/list.h", '#include "lacuna/home/high/high.h"\n')
        self.assertEqual(list(check_tree.faults(self.root)), [])

    def test_an_upward_include_between_layers_of_one_home_is_reported(self):
        self.write("src/lacuna/home/low/low.h", '#include "lacuna/home/high/high.h"\n')
        self.expect_fault("home/low/low.h:1:", "home/low/ may not include lacuna/home/high/high.h", "among its uses")

    def test_an_include_of_a_layer_in_a_home_that_is_no_use_is_reported(self):
        self.write("src/lacuna/side/side.h", '#include "lacuna/home/low/low.h"\n')
        self.expect_fault("side/side.h:1:", "home/low is not among its uses")

    def test_a_layer_in_a_home_uses_no_other_by_the_name_of_the_home(self):
        self.write("src/lacuna/home/low/low.h", '#include "lacuna/mid/mid.h"\n')
        self.expect_fault("home/low/low.h:1:", "mid is not among its uses")

    def test_an_include_of_a_home_itself_is_reported(self):
        self.write("src/lacuna/list/list.h", '#include "lacuna/home/home.h"\n')
        self.expect_fault("list/list.h:1:", "list/ may not include lacuna/home/home.h")

    def test_a_file_directly_in_a_home_is_reported(self):
        self.write("src/lacuna/home/CMakeLists.txt", "")
        self.expect_fault("home/CMakeLists.txt", "is in no layer")

    def test_a_folder_of_a_home_without_a_row_is_reported(self):
        self.write("src/lacuna/home/attic/a.h", "#pragma once\n")
        self.expect_fault("home/attic", "has no row")

    def test_a_row_of_a_layer_in_a_home_that_is_gone_is_reported(self):
        self.write_row("| `home/gone/` | air | – |")
        self.expect_fault("a row for home/gone/, which does not exist")

    def test_layers_of_one_home_in_a_circle_are_refused(self):
        self.write("src/lacuna/README.md", TABLE.replace("pipes in the ground | low", "pipes | home/high"))
        self.expect_refusal("home/low uses home/high, which is not a row above it")

    def test_a_home_that_is_a_layer_itself_is_refused(self):
        self.write_row("| `home/` | all pipes | low |")
        self.expect_refusal("the folders in home/ are layers", "no row itself")

    def test_a_home_whose_folders_have_rows_in_both_tables_is_refused(self):
        self.write("src/lacuna/README.md", TABLE + "| `home/low/` | pipes | – |\n")
        self.expect_refusal("the folders in home/ are layers", "none below the first table")

    def test_an_include_without_its_folder_is_reported(self):
        self.write("src/lacuna/mid/mid.h", '#include "low.h"\n')
        self.expect_fault("mid/mid.h:1:", "lacuna/<folder>/low.h")

    def test_an_include_of_a_missing_file_is_reported(self):
        self.write("src/lacuna/mid/mid.h", '#include "lacuna/low/gone.h"\n')
        self.expect_fault("mid/mid.h:1:", "does not exist")

    def test_a_source_outside_the_cmake_lists_is_reported(self):
        self.write("test/unit/low/CMakeLists.txt", "# forgotten_test.cpp\nlacuna_test(low SOURCES a/low_test.cpp)\n")
        self.write("test/unit/low/a/low_test.cpp", "")
        self.write("test/unit/low/forgotten_test.cpp", "")
        self.expect_fault("forgotten_test.cpp", "is not named in any CMakeLists.txt")

    def test_a_file_that_is_too_long_is_reported(self):
        self.write("src/lacuna/mid/long.h", "\n" * 501)
        self.expect_fault("long.h", "has 501 lines")

    def test_two_types_of_one_name_are_reported(self):
        step = "struct Step {\n  int x;\n};\n"
        self.write("src/lacuna/mid/mid.h", "namespace lacuna {\n" + step + "}  // namespace lacuna\n")
        self.write("src/lacuna/top/top.h", "namespace lacuna {\n\n" + step + "}  // namespace lacuna\n")
        self.expect_fault("top/top.h:3:", "mid/mid.h defines a Step in lacuna too")

    def test_types_of_other_namespaces_and_declarations_may_have_one_name(self):
        step = "struct Step {\n  int x;\n};\n"
        self.write("src/lacuna/low/low.h", "namespace lacuna {\n" + step + "}  // namespace lacuna\n")
        self.write("src/lacuna/low/low.cpp", "namespace lacuna {\nnamespace {\n" + step + "}  // namespace\n}  // namespace lacuna\n")
        self.write("src/lacuna/mid/mid.h", "namespace lacuna {\nstruct Step;\nnamespace mid {\n" + step + "}  // namespace mid\n}\n")
        self.assertEqual(list(check_tree.faults(self.root)), [])

    def test_a_level_that_the_sources_know_by_name_is_reported(self):
        self.write("levels/hedge.level", "")
        self.write("src/lacuna/mid/mid.h", "// as hedges are\nif (name == \"hedge\")\n")
        self.expect_fault("mid/mid.h:2:", "hedge is a level")

    def test_kinds_of_levels_are_named_in_few_files(self):
        self.write("src/lacuna/README.md", TABLE + "| `format/` | kinds | – |\n")
        self.write("src/lacuna/format/format.h", "enum class LevelKind { Dense };  // LevelKind::Dense\n")
        for k in range(check_tree.MAX_FILES_OF_KINDS):
            self.write(f"src/lacuna/low/a{k:02}.h", "// LevelKind::Dense\n")
        self.assertEqual(list(check_tree.faults(self.root)), [])
        self.write("src/lacuna/low/b.h", "// LevelKind::Dense\n")
        self.expect_fault("low/b.h: names a LevelKind")

    def test_documents_may_name_what_exists(self):
        self.write("docs/a.md", "[b](../README.md#top), `low/low.h`, `src/lacuna/mid/mid.cpp`, [web](https://example.org)\n")
        self.write("README.md", "[top](#top)\n")
        self.assertEqual(list(check_tree.faults(self.root)), [])

    def test_a_broken_link_in_a_document_is_reported(self):
        self.write("docs/a.md", "first\n[b](b.md)\n")
        self.expect_fault("a.md:2:", "b.md does not exist")

    def test_a_document_naming_a_missing_file_is_reported(self):
        self.write("README.md", "see `low/gone.h`\n")
        self.expect_fault("README.md:1:", "low/gone.h does not exist")

    def test_ci_runs_what_the_readme_shows(self):
        self.write("README.md", "```console\n$ ./dev run       # builds\n$ ./dev test      # tests\n```\n")
        self.write(".ci/run", "step test ./dev test\n")
        self.assertEqual(list(check_tree.faults(self.root)), [])

    def test_ci_that_tests_another_build_is_reported(self):
        self.write("README.md", "$ ./dev test\n")
        self.write(".ci/run", "step test ./dev test --preset other\n")
        self.expect_fault(".ci/run", "./dev test --preset other", "where README.md shows ['./dev test']")

    def test_a_folder_without_a_row_is_reported(self):
        self.write("src/lacuna/attic/a.h", "")
        self.expect_fault("attic", "has no row")

    def test_a_row_without_a_folder_is_reported(self):
        self.write("src/lacuna/README.md", TABLE + "| `gone/` | nothing | low |\n")
        self.expect_fault("a row for gone/")

    def test_a_table_that_uses_a_later_row_is_refused(self):
        self.write("src/lacuna/README.md", "| `low/` | ground | mid |\n| `mid/` | floor | – |\n")
        with self.assertRaises(SystemExit):
            list(check_tree.faults(self.root))

    def test_a_readme_without_a_table_is_refused(self):
        self.write("src/lacuna/README.md", "# Nothing\n")
        with self.assertRaises(SystemExit):
            list(check_tree.faults(self.root))


if __name__ == "__main__":
    unittest.main()
