#!/usr/bin/env python3
"""acevec order query on WordNet's animals: how many answers are true, and how many are found.

4,000 of 82,000 nouns, which learn in a second, with more epochs since an epoch has fewer steps.
"""

import os
import subprocess
import sys
import unittest

from files import ACEVEC, ROOT, Files

WORDNET = os.environ.get("WNSEARCHDIR", "/usr/share/wordnet")
TOP = "animal.n.01"


def animals():
    """Return the pairs of concepts, specific and general, at and below TOP."""
    written = subprocess.run([os.path.join(ROOT, "data", "wordnet-hypernyms")], check=True, stdout=subprocess.PIPE,
                             encoding="utf-8").stdout
    pairs = [tuple(line.split("\t")) for line in written.splitlines()]
    inside = {TOP, *(specific for specific, general in pairs if general == TOP)}
    return [pair for pair in pairs if inside.issuperset(pair)]


class OrderAnswers(Files):
    def answers(self, *arguments):
        return subprocess.run([ACEVEC, "order", "query", self.path("animals.bin"), *arguments],
                              check=True, capture_output=True, text=True).stdout

    def test_answers_are_true_and_found(self):
        truth = set(animals())
        pairs = self.write("animals.tsv", "".join(f"{specific}\t{general}\n" for specific, general in sorted(truth)))
        subprocess.run([ACEVEC, "order", "-train", pairs, "-output", self.path("animals.bin"), "-iter", "100",
                        "-threads", "1", "-debug", "0"], check=True)
        for direction in ("above", "below"):
            with self.subTest(direction):
                table = self.answers("-truth", pairs, "-direction", direction).splitlines()
                concepts, precision, recall = map(float, table[1].split("\t"))
                self.assertEqual(concepts, 1000)
                self.assertGreater(precision, 0.85)
                self.assertGreater(recall, 0.65)
        # The first five of each, as people see them.
        for name in ("tuna.n.03", "stallion.n.01", "siamese_cat.n.01", "terrier.n.01"):
            rows = [row.split("\t") for row in self.answers(name, "-top", "5", "-format", "tsv").splitlines()]
            self.assertEqual([row[2] for row in rows if (name, row[2]) not in truth], [], name)
            self.assertEqual(len(rows), 5, name)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(WORDNET, "data.noun")):
        print("skipped: no WordNet; install the package wordnet-base")
        sys.exit(77)
    unittest.main()
