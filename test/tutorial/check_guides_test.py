#!/usr/bin/env python3
"""Plants faults in small trees and expects check_reading_order.py and check_level_places.py to report each."""

import pathlib
import tempfile
import unittest

import check_level_places
import check_reading_order

LEVELS = """
| file | add | reported by |
| --- | --- | --- |
| [a.h](../../src/a.h), [a.cpp](../../src/a.cpp) | the kind | compiler |
| [b.cpp](../../src/b.cpp) | its cost | – |

| file | tests |
| --- | --- |
| [t.cpp](../../test/t.cpp) | its name |
"""


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class CheckReadingOrder(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/a.h", "struct Node { int size(); };\n")

    def expect(self, document, *faults):
        self.write(check_reading_order.DOCUMENT, document)
        found = list(check_reading_order.faults(self.root))
        self.assertEqual(len(found), len(faults), found)
        for fault, text in zip(faults, found):
            self.assertIn(fault, text)

    def test_names_that_the_file_has_are_found(self):
        self.expect("**Read** [a.h](../../src/a.h). **Look\nfor** `Node::size`: it has `other`.\n")

    def test_a_name_that_the_file_lacks_is_reported(self):
        self.expect("**Read** [a.h](../../src/a.h). **Look for** `Node` and `Nod`.\n", "a.h has no Nod")

    def test_a_step_that_names_no_file_is_reported(self):
        self.expect("**Look for** `Node`.\n", "does not follow")


class CheckLevelPlaces(Tree):
    def setUp(self):
        super().setUp()
        self.write(check_level_places.DOCUMENT, LEVELS)
        self.write("src/a.h", "int bitmap_level();\n")
        self.write("src/a.cpp", "switch (kind) { case LevelKind::Bitmap: return 1; }\n")
        self.write("src/b.cpp", "if (level.has_present()) return;\n")
        self.write("src/c.cpp", "// a bitmap\nconst char* text = \"bitmap\";\n")
        self.write("test/t.cpp", "LevelKind kinds[] = {LevelKind::Bitmap};\n")
        self.write("test/u.cpp", "Format f = bitmap_format(2);\n")

    def expect(self, *faults):
        found = list(check_level_places.faults(self.root))
        self.assertEqual(len(found), len(faults), found)
        for fault, text in zip(faults, found):
            self.assertIn(fault, text)

    def test_complete_tables_have_no_fault(self):
        self.expect()

    def test_a_file_that_no_table_has_is_reported(self):
        self.write("src/c.cpp", "make(bitmap_format(2));\n")
        self.write("test/u.cpp", "use(LevelKind::Bitmap);\n")
        self.expect("src/c.cpp: names the kind", "test/u.cpp: names the kind")

    def test_a_file_that_no_longer_names_the_kind_is_reported(self):
        self.write("src/b.cpp", "if (level.has_gaps()) return;\n")
        self.expect("src/b.cpp is in a table, but does not name the kind")

    def test_a_file_that_is_not_there_is_reported(self):
        (self.root / "test/t.cpp").unlink()
        self.expect("t.cpp does not exist")

    def test_a_wrong_word_on_the_compiler_is_reported(self):
        self.write("src/a.cpp", "if (kind == LevelKind::Bitmap) return;\n")
        self.write("src/b.cpp", "case LevelKind::Bitmap: return;\n")
        self.expect("the row of a.h, a.cpp is wrong", "the row of b.cpp is wrong")


if __name__ == "__main__":
    unittest.main()
