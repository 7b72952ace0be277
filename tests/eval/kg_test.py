#!/usr/bin/env python3
"""Tests of eval/papers/kg.py on a small graph: every setting runs, what is done is not done again.

ACEVEC is the program to run, build/acevec when not given.
"""

import os
import unittest

from files import PNG, Files, run_script, write_graph

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("matplotlib", skip=True)

from lib import acevec, graphs, stats, tables
from papers import kg


class Kg(Files):
    def setUp(self):
        super().setUp()
        write_graph(self.directory)

    def run_script(self, *options):
        return run_script("papers/kg.py", "--data", self.directory, "--results", self.directory,
                          *options)

    def test_every_setting(self):
        options = ("--seeds", "1", "--", "-size", "8", "-iter", "4", "-report-every", "2",
                   "-ace-candidates", "20", "-threads", "1")
        # Noise refuses -ace-candidates: it is said, and nothing is written of it.
        refused = self.run_script(*options)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("-ace-candidates has no effect without -ace 1", refused.stderr)
        options = [word for word in options if word not in ("-ace-candidates", "20")]
        done = self.run_script(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = tables.texts(self.path("kg.tsv"))
        self.assertEqual([row["setting"] for row in rows], [*kg.MAIN, *kg.ABLATION])
        self.assertTrue(all(0 < float(row["test_mrr"]) <= 1 for row in rows))
        self.assertEqual(len(tables.texts(self.path("kg-curves.tsv"))), 2 * len(rows))
        for name in ("kg-training.png", "kg-ablation.png"):
            with open(self.path(name), "rb") as file:
                self.assertTrue(file.read().startswith(PNG))
        again = self.run_script(*options)
        self.assertEqual(again.stdout, done.stdout)
        self.assertEqual(again.stderr, "")  # no run

    def test_every_score(self):
        """On files of names."""
        for part in graphs.PARTS:
            ids = graphs.path_of(self.directory, part)
            self.write(f"{part}.tsv", "".join(f"e{head}\tr{relation}\te{tail}\n"
                                              for head, tail, relation in graphs.read(ids)))
            os.remove(ids)
        done = self.run_script("--only", "scores", "--seeds", "1", "--", "-size", "8", "-iter", "2",
                               "-report-every", "1", "-threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        graph = os.path.basename(self.directory)
        rows = tables.texts(self.path(f"kg-scores-{graph}.tsv"))
        self.assertEqual([row["setting"] for row in rows], list(kg.SCORES_COMPARED))
        self.assertEqual({row["setting"] for row in rows},
                         {row["setting"] for row in tables.texts(
                             self.path(f"kg-scores-{graph}-curves.tsv"))})

    def test_options_for_every_run_replace_those_of_a_setting(self):
        own = kg.SETTINGS["noise"]
        both = acevec.with_options
        self.assertEqual(both(own, []), own)
        self.assertEqual(both(own, ["-threads", "1"]), own + ["-threads", "1"])
        self.assertEqual(both(own, ["-iter", "4"]), ["-negative", "10", "-iter", "4"])

    def test_means_over_seeds(self):
        row = {"setting": "noise", "valid_mrr": 0.5, **{f"test_{n}": 2 for n in kg.SCORES},
               "seconds": 3}
        lines = list(stats.summary([{**row, "seed": 1}, {**row, "seed": 2, "valid_mrr": 0.6}],
                                   kg.NAMES[:1], kg.COLUMNS, kg.digits))
        self.assertEqual(lines[1].split("\t")[:4], ["noise", "2", "0.5500 ± 0.0707", "2.0 ± 0.0"])

    def test_no_data(self):
        done = self.run_script("--data", self.path("none"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("give --data FOLDER", done.stderr)


if __name__ == "__main__":
    unittest.main()
