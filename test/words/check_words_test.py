#!/usr/bin/env python3
"""Tests of check_words.py: each kind of fault is found, and nothing else."""

import pathlib
import tempfile
import unittest

import check_words

GLOSSARY = """# Glossary

| term | meaning | do not write |
| --- | --- | --- |
| iteration | one execution of a loop's body | `turn`, `comes to` |
| level | the storage of one mode | - |
"""


class CheckWordsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.write("docs/glossary.md", GLOSSARY)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def faults(self):
        return list(check_words.faults(self.root, []))

    def test_a_project_that_keeps_the_rules_has_no_faults(self):
        self.write("README.md", "Returns are allowed. One iteration.\n")
        self.write("src/lacuna/a.cpp", '// a turn of a comment\nconst char* text = "an iteration";\n')
        self.assertEqual(self.faults(), [])

    def test_banned_words_are_found_in_documents_messages_and_public_headers(self):
        self.write("docs/a.md", "First line.\nThe loop Comes to i.\n")
        self.write("tools/b.cpp", 'throw Error("each turn");\n')
        self.write("tools/d.cpp", 'const char* help = R"(one\ntwo turn)";\n')
        self.write("src/lacuna/api/c.h", "/// A turn.\n")
        self.assertEqual(sorted(fault.split(": write")[0] for fault in self.faults()),
                         ["docs/a.md:2: 'Comes to'", "src/lacuna/api/c.h:1: 'turn'", "tools/b.cpp:1: 'turn'",
                          "tools/d.cpp:2: 'turn'"])

    def test_long_sentences_are_found(self):
        self.write("docs/a.md", "Short one. " + "word " * 45 + "end.\n")
        self.write("README.md", "- " + "word " * 31 + "\n")
        found = self.faults()
        self.assertEqual(len(found), 2)
        self.assertIn("README.md:1: a sentence of 31 words, more than 30", found[0])
        self.assertIn("docs/a.md:1: a sentence of 46 words, more than 45", found[1])

    def test_code_headings_and_cells_are_no_long_sentences(self):
        self.write("docs/a.md", "```\n" + "word " * 60 + "\n```\n# " + "word " * 60 + "\n\n| " + "word " * 30 + " | "
                   + "word " * 30 + " |\n")
        self.assertEqual(self.faults(), [])


if __name__ == "__main__":
    unittest.main()
