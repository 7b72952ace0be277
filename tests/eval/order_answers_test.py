#!/usr/bin/env python3
"""acevec order query on all of WordNet's nouns: how many answers are true, and how many are found."""

import os
import subprocess
import sys
import unittest

from files import ACEVEC, ROOT, Files

WORDNET = os.environ.get("WNSEARCHDIR", "/usr/share/wordnet")


class OrderAnswers(Files):
    def answers(self, *arguments):
        return subprocess.run([ACEVEC, "order", "query", self.path("nouns.bin"), *arguments],
                              check=True, capture_output=True, text=True).stdout

    def test_answers_are_true_and_found(self):
        pairs = self.path("nouns.tsv")
        subprocess.run([os.path.join(ROOT, "data", "wordnet-hypernyms"), pairs], check=True)
        subprocess.run([ACEVEC, "order", "-train", pairs, "-output", self.path("nouns.bin"),
                        "-threads", "1", "-debug", "0"], check=True)
        for direction in ("above", "below"):
            with self.subTest(direction):
                table = self.answers("-truth", pairs, "-direction", direction).splitlines()
                concepts, precision, recall = map(float, table[1].split("\t"))
                self.assertEqual(concepts, 1000)
                self.assertGreater(precision, 0.85)
                self.assertGreater(recall, 0.65)
        # The first five of each, as people see them.
        with open(pairs, encoding="utf-8") as file:
            truth = set(file.read().splitlines())
        for name in ("dog.n.01", "car.n.01", "paris.n.01", "tulip.n.01"):
            rows = [row.split("\t") for row in
                    self.answers(name, "-most", "5", "-format", "tsv").splitlines()]
            self.assertEqual([row[2] for row in rows if f"{name}\t{row[2]}" not in truth], [], name)
            self.assertEqual(len(rows), 5)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(WORDNET, "data.noun")):
        print("skipped: no WordNet; install the package wordnet-base")
        sys.exit(77)
    unittest.main()
