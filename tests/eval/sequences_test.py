#!/usr/bin/env python3
"""eval/tools/sequences.py and eval/bench/sequences.py: the split, the ranking against a plain one and
against `acevec next`, and what is run and kept.

ACEVEC is the program to run, build/acevec when not given.
"""

import os
import random
import subprocess
import unittest

from files import ACEVEC, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", skip=True)

import numpy as np

from lib import sequences, tables
from tools import sequences as tool


def users(count, seed=1):
    """Lines of users who go round a ring of 40 items, now and then leaving one out."""
    chance = random.Random(seed)
    lines = []
    for user in range(count):
        place = chance.randrange(40)
        items = []
        for _ in range(chance.randrange(3, 15)):
            place = (place + chance.choice([1, 1, 1, 2])) % 40
            items.append(f"i{place}")
        lines.append(" ".join([f"u{user}", *dict.fromkeys(items)]))
    return "\n".join(lines) + "\n"


class Sequences(Files):
    def test_the_split(self):
        text = self.write("text", "a 1 2 3 4\nb 5 1\na 6\nc 7\n")
        data = sequences.read(text)
        self.assertEqual([[data.items[item] for item in one] for one in data.sequences],
                         [["1", "2", "3", "4", "6"], ["5", "1"], ["7"]])
        self.assertEqual(dict(zip(data.items, data.counts)),
                         {"1": 2, "2": 1, "3": 1, "4": 0, "6": 0, "5": 1, "7": 1})
        sequences.write_training(data, self.path("training"))
        with open(self.path("training"), encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "1 2 3\n5 1\n7\n")
        names = {}
        for split in ("valid", "test"):
            asked = sequences.questions(data, split)
            names[split] = ([[data.items[item] for item in one] for one in asked.histories],
                            [data.items[item] for item in asked.answers])
        self.assertEqual(names, {"valid": ([["1", "2", "3"]], ["4"]),
                                 "test": ([["1", "2", "3", "4"]], ["6"])})
        lines = sequences.read(text, users=False)
        self.assertEqual([len(one) for one in lines.sequences], [5, 3, 2, 2])

    def test_ranks_are_those_of_a_plain_search(self):
        chance = np.random.default_rng(1)
        scores = chance.integers(0, 30, (50, 1500)).astype(np.float32)  # many ties
        known = chance.random(1500) < 0.9
        histories = [list(chance.integers(0, 1500, chance.integers(1, 9))) for _ in range(50)]
        answers = np.array([next(item for item in chance.integers(0, 1500, 99) if item not in history)
                            for history in histories])
        found = sequences.ranks(sequences.Questions(histories, answers), known,
                                lambda block, rows: scores[rows, block].copy())
        for row, (history, answer) in enumerate(zip(histories, answers)):
            if not known[answer]:
                self.assertEqual(found[row], 1500)
                continue
            rivals = [scores[row, item] for item in range(1500)
                      if known[item] and item not in history and item != answer]
            above = sum(rival > scores[row, answer] for rival in rivals)
            equal = sum(rival == scores[row, answer] for rival in rivals)
            self.assertEqual(found[row], above + equal / 2)

    def test_summary(self):
        scores = sequences.summary(np.array([0, 4, 9, 19, 1500]))
        self.assertEqual([scores[name] for name in ("hr5", "hr10", "hr20")], [40, 60, 80])
        self.assertAlmostEqual(scores["ndcg10"], 20 * (1 + 1 / np.log2(6) + 1 / np.log2(11)))
        self.assertAlmostEqual(scores["mrr"], 20 * (1 + 1 / 5 + 1 / 10 + 1 / 20 + 1 / 1501))

    def test_cubes_rank_as_acevec_next_does(self):
        data = sequences.read(self.write("text", users(80)))
        vectors, contexts, known, _ = tool.train(ACEVEC, data, "-preset items -iter 3 -size 8", 1, 1,
                                                 self.directory)
        asked = sequences.questions(data, "test")
        shares = sequences.weights(asked.histories, known, 0.6)
        found = sequences.ranks(asked, known, sequences.cube_scores(shares, vectors, contexts))
        os.rename(self.path("u.bin"), self.path("v-context.bin"))
        lines = "".join(" ".join(data.items[item] for item in history) + "\n"
                        for history in asked.histories)
        rows = subprocess.run([ACEVEC, "next", self.path("v.bin"), "-top", "100", "-decay", "0.6",
                               "-format", "tsv"], input=lines, stdout=subprocess.PIPE,
                              encoding="utf-8", check=True).stdout.splitlines()
        places = {}
        for row in rows:
            history, rank, item, score = row.split("\t")
            if float(score) > 0:
                places[history, item] = int(rank) - 1
        compared = 0
        for history, answer, rank in zip(lines.splitlines(), asked.answers, found):
            if (history, data.items[answer]) in places:
                self.assertEqual(places[history, data.items[answer]], rank)
                compared += 1
        self.assertGreater(compared, 40)

    def test_acevec_next_measures_the_same(self):
        data = sequences.read(self.write("text", users(300)))
        vectors, contexts, known, _ = tool.train(ACEVEC, data, "-preset items -iter 3 -size 8", 1, 1,
                                                 self.directory)
        asked = sequences.questions(data, "test")
        self.assertTrue(known.all())
        shares = sequences.weights(asked.histories, known, 0.7)
        right = sequences.summary(
            sequences.ranks(asked, known, sequences.cube_scores(shares, vectors, contexts)))
        os.rename(self.path("u.bin"), self.path("v-context.bin"))
        test = self.write("test", "".join(
            " ".join(data.items[item] for item in [*history, answer]) + "\n"
            for history, answer in zip(asked.histories, asked.answers)))
        said = []
        for threads in ("1", "16"):
            said.append(subprocess.run(
                [ACEVEC, "next", self.path("v.bin"), "-test", test, "-format", "tsv", "-threads",
                 threads], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout)
        self.assertEqual(said[0], said[1])
        names, numbers = (line.split("\t") for line in said[0].splitlines())
        self.assertEqual(names, ["lines", "HR@10", "NDCG@10", "MRR"])
        self.assertEqual(numbers, [str(len(asked.histories)), *(
            f"{right[name]:.2f}" for name in ("hr10", "ndcg10", "mrr"))])

    def test_the_tool(self):
        text = self.write("ring.txt", users(400))
        table = self.path("table.tsv")
        arguments = [text, "--setting", "short: -preset items -iter 1 -size 8", "--setting",
                     "usual: -preset items -size 16", "--readout", "next:0.7", "--readout",
                     "mean:1:2", "--seeds", "1,2", "--threads", "1", "--out", table]
        said = []
        for _ in range(2):
            done = run_script("tools/sequences.py", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            said.append(done.stdout)
        self.assertEqual(said[0], said[1])
        rows = tables.read(table)
        self.assertEqual(len(rows), 8)
        best = [row["hr10"] for row in rows
                if (row["setting"], row["readout"]) == ("usual", "next:0.7")]
        self.assertGreater(min(best), 60)  # by chance a quarter
        self.assertEqual(run_script("tools/sequences.py", self.write("none", "a b\n")).returncode, 1)
        self.assertEqual(run_script("tools/sequences.py", text, "--readout", "x").returncode, 2)

    def test_the_comparison(self):
        text = self.write("ring.txt", users(300))
        done = run_script("bench/sequences.py", text, "--methods", "popularity,neighbours,als,acevec",
                          "--seeds", "1", "--threads", "1", "--out", self.path("table.tsv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        scores = {row["method"]: row["hr10"] for row in tables.read(self.path("table.tsv"))}
        self.assertEqual(list(scores), ["popularity", "neighbours", "als", "acevec"])
        self.assertGreater(min(scores["neighbours"], scores["als"], scores["acevec"]),
                           scores["popularity"])
        bad = run_script("bench/sequences.py", text, "--methods", "magic")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("no method magic", bad.stderr)


if __name__ == "__main__":
    unittest.main()
