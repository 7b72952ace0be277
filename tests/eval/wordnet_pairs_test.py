#!/usr/bin/env python3
"""data/wordnet-pairs on a WordNet of a few synsets, made by hand."""

import os
import subprocess
import sys
import unittest

from files import ROOT, Files

SCRIPT = os.path.join(ROOT, "data", "wordnet-pairs")

# animal -> canine -> dog (hound) -> poodle; animal -> cat. Depths 1, 2, 3, 4 and 2.
DATA = (
    "  1 the licence\n"
    "00000100 05 n 01 animal 0 001 ~ 00000200 n 0000 | lives\n"
    "00000200 05 n 01 canine 0 001 @ 00000100 n 0000 | barks\n"
    "00000400 05 n 02 dog 0 hound 0 002 @ 00000200 n 0000 ~ 00000500 n 0000 | x\n"
    "00000500 05 n 01 poodle 0 002 @ 00000400 n 0000 #m 00000100 n 0000 | y\n"
    "00000600 05 n 01 cat 0 001 @i 00000100 n 0000 | z | @ 00000400 n 0000\n")
COUNTS = {"animal": 900, "canine": 5, "dog": 1000, "hound": 7, "poodle": 4, "cat": 800, "tin": 9}
SCORES = {("dog", "hound"): 1, ("cat", "dog"): 2 / 5, ("dog", "poodle"): 6 / 7,
          ("animal", "poodle"): 2 / 5, ("canine", "cat"): 2 / 4, ("hound", "poodle"): 6 / 7}


class WordNetPairs(Files):
    def setUp(self):
        super().setUp()
        self.write("data.noun", DATA)
        self.write("words", "".join(f"{word} {count}\n" for word, count in COUNTS.items()))

    def start(self, *arguments):
        return subprocess.run(
            [sys.executable, SCRIPT, self.path("words"), self.path("out.tsv"), *arguments],
            stderr=subprocess.PIPE, encoding="utf-8",
            env={**os.environ, "WNSEARCHDIR": self.directory})

    def pairs(self, *arguments):
        done = self.start(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.path("out.tsv"), encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        return {tuple(sorted(row[:2])): float(row[2]) for row in rows}, rows

    def test_scores(self):
        pairs, _ = self.pairs("--pairs", "15")  # all there are of six nouns; tin is none here
        self.assertEqual(len(pairs), 15)
        for words, score in SCORES.items():
            self.assertAlmostEqual(pairs[words], score, places=4)

    def test_counts(self):
        _, rows = self.pairs("--pairs", "3", "--most", "6")
        for first, _, _ in rows:
            self.assertIn(first, ("canine", "poodle"))
        pairs, _ = self.pairs("--pairs", "3", "--least", "100")
        self.assertEqual(set(pairs), {("animal", "cat"), ("animal", "dog"), ("cat", "dog")})

    def test_verbs(self):
        self.write("data.verb", DATA.replace(" n ", " v ").replace("poodle", "run"))
        self.write("words", "run 5\ndog 5\npoodle 5\n")
        self.assertEqual(set(self.pairs("--verbs", "--pairs", "1")[0]), {("dog", "run")})

    def test_same_seed_same_pairs(self):
        self.assertEqual(self.pairs("--pairs", "5")[1], self.pairs("--pairs", "5")[1])

    def test_errors(self):
        self.assertIn("only 15 such pairs", self.start("--pairs", "16").stderr)
        self.write("words", "dog\n")
        self.assertIn("line 1: not a word and its count", self.start().stderr)
        os.remove(self.path("data.noun"))
        done = self.start()
        self.assertEqual(done.returncode, 1)
        self.assertIn("found no WordNet", done.stderr)


if __name__ == "__main__":
    unittest.main()
