#!/usr/bin/env python3
"""Tests of eval/papers/metric.py on scikit-learn's digits: every way runs, what is done is not done
again, and the pictures are drawn.

ACEVEC is the program to run, build/acevec when not given.
"""

import os
import unittest

from files import Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "sklearn", "matplotlib", skip=True)

from lib import tables
from papers import metric


class Metric(Files):
    def compare(self, *arguments):
        return run_script("papers/metric.py", "--data", "digits", "--seeds", 1, "--results",
                          self.directory, *arguments, "--", "-hidden", 16, "-iter", 2)

    def test_every_way_is_compared_once(self):
        done = self.compare()
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = tables.texts(self.path("metric-digits.tsv"))
        self.assertEqual([row["way"] for row in rows], list(metric.WAYS))
        for row in rows:
            self.assertGreater(float(row["knn"]), 0.7)
            self.assertTrue(0 <= float(row["mixed"]) <= 1)
        self.assertEqual(len(tables.texts(self.path("metric-digits-curves.tsv"))), 2 * len(rows))
        self.assertTrue(os.path.exists(self.path("metric-digits.png")))
        again = self.compare()
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn("6/6", again.stderr)
        self.assertEqual(again.stdout, done.stdout)

    def test_an_unknown_way_is_refused(self):
        done = self.compare("--ways", "easiest")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--ways", done.stderr)


if __name__ == "__main__":
    unittest.main()
