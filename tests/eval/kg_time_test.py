#!/usr/bin/env python3
"""Tests of eval/papers/kg_time.py on a small graph: every setting runs and is timed, once.

ACEVEC is the program to run, build/acevec when not given.
"""

import unittest

from files import Files, run_script, write_graph

from lib import tables
from papers import kg_time


class KgTime(Files):
    def run_script(self, *options):
        return run_script("papers/kg_time.py", "--data", self.directory, "--results", self.directory,
                          *options)

    def test_every_setting(self):
        write_graph(self.directory)
        options = ("--seeds", "1", "--", "-size", "8", "-iter", "2")
        done = self.run_script(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = tables.texts(self.path("kg-time.tsv"))
        self.assertEqual([row["setting"] for row in rows], list(kg_time.SETTINGS))
        for row in rows:
            self.assertIn("-iter 2", row["options"])
            self.assertTrue(0 < float(row["test_mrr"]) <= 1, row)
            self.assertTrue(float(row["seconds"]) >= 0, row)
        again = self.run_script(*options)
        self.assertEqual(again.stdout, done.stdout)
        self.assertEqual(again.stderr, "")  # no run

    def test_errors(self):
        self.assertIn("give --data FOLDER", self.run_script().stderr)
        write_graph(self.directory)
        self.assertIn("no score is called TransX", self.run_script("--only", "TransX").stderr)


if __name__ == "__main__":
    unittest.main()
