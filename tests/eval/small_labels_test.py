#!/usr/bin/env python3
"""eval/papers/small_labels.py: what is tested on, what a seed learns from, and which runs are made once.

ACEVEC is the program to run, build/acevec when not given.
"""

import unittest
from unittest import mock

from files import Files

from lib import interpreter, labellers, tables

if __name__ == "__main__":
    interpreter.require("sklearn", skip=True)

from papers import small_labels

LINES = [f"__label__{kind} {word}{at % 4} film {kind}{at}\n" for at in range(40)
         for kind, word in (("good", "fine"), ("bad", "dull"))]


class SmallLabels(Files):
    def test_no_text_is_learned_from_and_tested_on(self):
        path = self.write("texts", "".join(LINES))
        pool, test = small_labels.parts(path)
        self.assertEqual(len(test), 20)
        self.assertEqual(sorted(pool + test), sorted(LINES))
        self.assertEqual(small_labels.parts(path), (pool, test))

    def test_a_regression_finds_labels_of_words(self):
        train, test = (self.write(name, "".join(lines)) for name, lines in (("train", LINES[:60]), ("test", LINES[60:])))
        for words in "1", "2":
            self.assertEqual(labellers.regression(train, "4", words).score(*labellers.labelled(test)), 1)

    def test_a_run_counts_labels_that_no_text_learned_as_missed(self):
        path = self.write("texts", "".join(LINES))
        one = small_labels.Experiment([("films", path)], self.directory)
        pool, test = one.parts["films"]
        one.parts["films"] = pool, test + ["__label__odd fine1\n"] * 20
        for setting in ("acevec", "regression"):
            run = {"set": "films", "texts": 60, "setting": setting, "seed": 1}
            self.assertAlmostEqual(one.make(run)["accuracy"], 50, msg=setting)

    def test_runs_are_rows_of_the_table(self):
        path = self.write("texts", "".join(LINES))
        table = self.path("table.tsv")
        settings = {name: small_labels.SETTINGS[name] for name in ("acevec", "regression")}
        argv = ["small_labels.py", "--set", f"films={path}", "--texts", "10,60,61", "--seeds", "1", "--out", table]
        with mock.patch.object(small_labels, "SETTINGS", settings), mock.patch("sys.argv", argv):
            small_labels.main()
        self.assertEqual([(row["texts"], row["setting"]) for row in tables.read(table)],
                         [(10, "acevec"), (10, "regression"), (60, "acevec"), (60, "regression")])


if __name__ == "__main__":
    unittest.main()
