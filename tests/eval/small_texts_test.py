#!/usr/bin/env python3
"""eval/tools/small_texts.py: how texts are cut, what is run and kept, and the mean over the sets.

ACEVEC is the program to run, build/acevec when not given.
"""

import gzip
import unittest

from files import Files, run_script

from lib import tables
from tools import small_texts


class SmallTexts(Files):
    def test_a_cut_has_whole_lines(self):
        text = self.write("text", "one\ntwo\nthree\n")
        packed = self.path("text.gz")
        with gzip.open(packed, "wt", encoding="utf-8") as stream:
            stream.write("one\ntwo\nthree\n")
        for path in (text, packed):
            target = self.path("part")
            self.assertTrue(small_texts.cut(path, 10, target))
            with open(target, encoding="utf-8") as stream:
                self.assertEqual(stream.read(), "one\ntwo\n")
            self.assertFalse(small_texts.cut(path, 100, target))

    def test_sets_count_by_their_pairs(self):
        row = {"ws353": 10.0, "ws353_pairs": 3, "mturk287": 30.0, "mturk287_pairs": 1, "rw": None,
               "rw_pairs": 1}
        self.assertEqual(small_texts.overall(row), 15)

    def test_runs_are_rows_and_are_made_once(self):
        text = self.write("text", "a red sky and a blue sea\nthe king and the queen\n" * 23000)
        for name in small_texts.SETS:
            self.write(f"{name}.tsv", "red\tblue\t9\nking\tqueen\t8\nsky\tking\t1\n")
        table = self.path("table.tsv")
        arguments = ["--text", f"tiny={text}", "--megabytes", "1,4", "--seeds", "1", "--setting",
                     "one: -iter 1 -size 4", "--wordsim", self.directory, "--out", table]
        said = []
        for _ in range(2):
            done = run_script("tools/small_texts.py", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            said.append(done.stdout)
        rows = tables.read(table)
        self.assertEqual([(row["text"], row["megabytes"], row["rw_pairs"]) for row in rows],
                         [("tiny", 1, 3)])
        self.assertGreater(rows[0]["tokens"], 200000)
        self.assertEqual(said[0], said[1])
        self.assertIn("tiny\t1\t", said[0])


if __name__ == "__main__":
    unittest.main()
