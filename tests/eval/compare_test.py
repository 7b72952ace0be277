#!/usr/bin/env python3
"""Tests of tools/compare.py, papers/ace.py and papers/noise_word.py on a tiny text.

What is run, resumed and reported.

ACEVEC is the program to run, build/acevec when not given.
"""

import io
import os
import subprocess
import unittest

from files import ACEVEC, PNG, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", skip=True)

from lib import comparison as comparisons
from lib import grid, noises, stats, tables
from lib.comparison import Comparison, Setting
from papers import ace, noise_word


class Summary(unittest.TestCase):
    def row(self, setting, seed, score, seconds):
        return {"setting": setting, "iter": 2, "seed": seed, "training_seconds": seconds,
                "ws353": score, "rw": None, "ws353-sim": None, "ws353-rel": None}

    def test_paired_differences(self):
        comparison = Comparison([Setting("a", ""), Setting("b", "-x")], [2], [1, 2, 3], 1)
        rows = [self.row("a", 1, 10.0, 2.0), self.row("b", 1, 11.0, 3.0),
                self.row("a", 2, 20.0, 2.0), self.row("b", 2, 22.0, 4.0),
                self.row("a", 3, 30.0, 4.0), self.row("b", 3, 33.0, 4.0)]
        out = io.StringIO()
        comparisons.summarise(comparison, rows, out)
        lines = [line.split("\t") for line in out.getvalue().splitlines()]
        self.assertEqual(lines[1], ["a", "2", "3", "2.0", "1.00", "20.00 ± 10.00", ""])
        # Mean 2, deviation 1, t(2) = 4.303: the half width is 4.303/√3.
        self.assertEqual(lines[2], ["b", "2", "3", "4.0", "1.50", "22.00 ± 11.00",
                                    "+2.00 [-0.48, +4.48]"])

    def test_of_a_table_that_is_not_complete(self):
        comparison = Comparison([Setting("a", ""), Setting("b", "-x"), Setting("c", "")], [2],
                                [1, 2], 1)
        rows = [{"flags": "-threads 1", **self.row("a", 1, 10.0, 2.0)},
                {"flags": "-threads 1 -x", **self.row("b", 2, 12.0, 2.0)},
                {"flags": "-threads 1 -x", **self.row("b", 1, 11.0, 3.0)},
                {"flags": "-threads 2 -x", **self.row("b", 1, 99.0, 3.0)}]
        found = grid.pick(comparisons.plan(comparison), rows)
        self.assertEqual(found, [rows[0], rows[2], rows[1]])
        out = io.StringIO()
        comparisons.summarise(comparison, found, out)
        self.assertEqual([line.split("\t") for line in out.getvalue().splitlines()[1:]],
                         [["a", "2", "1", "2.0", "1.00", "10.00", ""],
                          ["b", "2", "2", "2.5", "1.50", "11.50 ± 0.71", "+1.00"]])

    def test_mean_of_sets(self):
        row = dict.fromkeys(comparisons.SETS, 1.0)
        self.assertEqual(comparisons.with_mean({**row, "rw": 7.0, "ws353-sim": 9.0})["mean"], 2)
        self.assertIsNone(comparisons.with_mean({**row, "rw": None})["mean"])

    def test_one_seed_has_no_interval(self):
        self.assertEqual(stats.difference([1.5]), "+1.50")

    def test_settings(self):
        self.assertEqual(comparisons.setting("a b: -x 1: "), ("a b", "-x 1:"))
        for bad in ("none", ": -x"):
            self.assertRaises(ValueError, comparisons.setting, bad)


class Runs(Files):
    def setUp(self):
        super().setUp()
        self.corpus = self.path("corpus.txt")
        with open(self.corpus, "w", encoding="utf-8") as text:
            for i in range(300):
                print(*(f"w{(i * 7 + k * k) % 40}" for k in range(12)), file=text)
        with open(self.path("ws353.tsv"), "w", encoding="utf-8") as pairs:
            for i in range(39):
                print(f"w{i}", f"w{i + 1}", i * i % 11, sep="\t", file=pairs)

    def start(self, script, *arguments):
        return run_script(script, *arguments, "--corpus", self.corpus, "--wordsim", self.directory)

    def test_goes_on_where_it_stopped(self):
        table = self.path("table.tsv")
        common_part = ("tools/compare.py", "--setting", "noise:", "--setting", "critic: -ace 1 "
                       "-ace-sampler critic -ace-filter 0", "--threads", 1, "--flags",
                       "-size 8 -alpha 0.3 -sample 0",
                       "--iter", "1,2", "--out", table)
        first = self.start(*common_part, "--seeds", "1")
        self.assertEqual(first.returncode, 0, first.stderr)
        before = tables.read(table)
        self.assertEqual([(row["setting"], row["iter"], row["seed"]) for row in before],
                         [("noise", 1, 1), ("critic", 1, 1), ("noise", 2, 1), ("critic", 2, 1)])
        for row in before:
            self.assertIsNotNone(row["ws353"])
            self.assertIsNone(row["rw"])
        second = self.start(*common_part, "--seeds", "1,2", "--plot", self.path("plot.png"))
        after = tables.read(table)
        self.assertEqual(after[:4], before)
        self.assertEqual([row["seed"] for row in after[4:]], [2] * 4)
        self.assertEqual(len(second.stdout.splitlines()), 5)
        self.assertNotEqual(after[0]["ws353"], after[1]["ws353"])

    def test_another_corpus_is_refused(self):
        table = self.path("table.tsv")
        tables.write(tables.Table(table, comparisons.COLUMNS, {"corpus": "other.txt"}))
        done = self.start("tools/compare.py", "--setting", "noise:", "--out", table)
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds runs of other corpus than corpus.txt", done.stderr)

    def test_sizes_share_a_table(self):
        os.remove(self.path("ws353.tsv"))  # then quality is left out
        table = self.path("table.tsv")
        usual = ("papers/noise_word.py", "sizes", "--iter", 1, "--seeds", 1, "--out", table)
        names = [noise.name for noise in noises.NOISES["sizes"]]
        first = self.start(*usual, "--sizes", 5)
        self.assertEqual(first.returncode, 0, first.stderr)
        before = tables.read(table)
        self.assertEqual([row["setting"] for row in before], names)
        second = self.start(*usual, "--sizes", "5,8")
        self.assertEqual(second.returncode, 0, second.stderr)
        after = tables.read(table)
        self.assertEqual(after[:len(before)], before)
        self.assertEqual([(row["flags"].split(" -noise ")[0], row["setting"])
                          for row in after[len(before):]],
                         [("-threads 1 -size 8", noise) for noise in names])
        self.assertEqual([line for line in second.stdout.splitlines() if line[:4] == "size"],
                         ["size 5", "size 8"])
        # The same and no more is reported of two of the noises from the table alone.
        shown = self.start(*usual, "--sizes", "5,8", "--show", "--noises", "power 0.75,uniform")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertEqual(shown.stdout.splitlines(),
                         [line for line in second.stdout.splitlines()
                          if line.split("\t")[0] in ("size 5", "size 8", "setting", "power 0.75",
                                                     "uniform")])
        self.assertEqual(tables.read(table), after)
        self.assertEqual(self.start(*usual, "--noises", "none").returncode, 2)

    def test_plot_of_sizes(self):
        rows = [{"setting": noise.name, "iter": 2, "ws353": None, "rw": 30.0, "ws353-sim": 40.0,
                 "ws353-rel": 50.0} for noise in noises.NOISES["sizes"]]
        noise_word.plot({5: rows, 8: rows[1:], 9: []}, 2, self.path("plot.png"))
        with open(self.path("plot.png"), "rb") as stream:
            self.assertEqual(stream.read(len(PNG)), PNG)

    def test_every_setting_of_the_evidence_is_accepted(self):
        of_noises = {name: Comparison(settings, [1], [1], 1)
                     for name, settings in noises.NOISES.items()}
        for name, comparison in {**ace.COMPARISONS, **of_noises}.items():
            for one in comparison.settings:
                flags = comparisons.flags_of(one, comparison).split()
                done = subprocess.run(
                    [ACEVEC, "-train", self.corpus, "-output", self.path("v.bin"), "-debug", "0",
                     *flags], stderr=subprocess.PIPE, encoding="utf-8")
                self.assertEqual((done.returncode, done.stderr), (0, ""), (name, one))


if __name__ == "__main__":
    unittest.main()
