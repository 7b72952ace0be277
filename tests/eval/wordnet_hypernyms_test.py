#!/usr/bin/env python3
"""data/wordnet-hypernyms on a WordNet of a few synsets, made by hand."""

import os
import subprocess
import unittest

from files import ROOT, Files

SCRIPT = os.path.join(ROOT, "data", "wordnet-hypernyms")

LICENCE = "  1 This software and database is being provided to you, the LICENSEE\n"

# A diamond: poodle -> dog -> canine and pet -> animal. "pet" is the second word of its synset and
# the second sense of its first; Rex is an instance. Pointers of other kinds lead nowhere.
INDEX = (
    "animal n 1 1 ~ 1 0 00000100\n"
    "tame_animal n 2 1 @ 2 0 00000900 00000300\n"
    "pet n 1 1 @ 1 0 00000300\n"
    "canine n 1 1 @ 1 0 00000200\n"
    "dog n 1 2 @ ~ 1 0 00000400\n"
    "poodle n 1 1 @ 1 0 00000500\n"
    "rex n 1 1 @i 1 0 00000600\n")
DATA = (
    "00000100 05 n 01 animal 0 001 ~ 00000200 n 0000 | lives\n"
    "00000200 05 n 01 canine 0 001 @ 00000100 n 0000 | barks\n"
    "00000300 05 n 02 Tame_animal 0 pet 1 001 @ 00000100 n 0000 | tame\n"
    "00000400 05 n 01 dog 0 003 @ 00000200 n 0000 @ 00000300 n 0000 ~ 00000500 n 0000 | x\n"
    "00000500 05 n 01 poodle 0 002 @ 00000400 n 0000 #m 00000100 n 0000 | y\n"
    "00000600 18 n 01 Rex 0 001 @i 00000500 n 0000 | z | @ 00000300 n 0000\n"
    "00000900 05 n 01 tame_animal 0 000 | other\n")

DIRECT = {("canine.n.01", "animal.n.01"), ("tame_animal.n.02", "animal.n.01"),
          ("dog.n.01", "canine.n.01"), ("dog.n.01", "tame_animal.n.02"),
          ("poodle.n.01", "dog.n.01"), ("rex.n.01", "poodle.n.01")}


def closure(edges):
    """The transitive closure, by composing until nothing is new."""
    pairs = set(edges)
    while True:
        longer = {(a, d) for a, b in pairs for c, d in edges if b == c} - pairs
        if not longer:
            return pairs
        pairs |= longer


class WordNetHypernyms(Files):
    def write_wordnet(self, index, data):
        for name, text in (("index.noun", index), ("data.noun", data)):
            self.write(name, LICENCE + text)

    def call(self, *arguments):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, "WNSEARCHDIR": self.directory})

    def pairs(self, *arguments):
        done = self.call(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [tuple(line.split("\t")) for line in done.stdout.splitlines()]

    def test_direct(self):
        self.write_wordnet(INDEX, DATA)
        pairs = self.pairs("--direct")
        self.assertEqual(len(pairs), len(DIRECT))
        self.assertEqual(set(pairs), DIRECT)

    def test_closure(self):
        self.write_wordnet(INDEX, DATA)
        pairs = self.pairs()
        self.assertEqual(len(pairs), len(set(pairs)))
        self.assertEqual(set(pairs), closure(DIRECT))

    def test_paths(self):
        self.write_wordnet(INDEX, DATA)
        pairs = self.pairs("--paths")
        self.assertEqual(set(pairs), closure(DIRECT))
        twice = {(low, "animal.n.01") for low in ("dog.n.01", "poodle.n.01", "rex.n.01")}
        for pair in set(pairs):
            self.assertEqual(pairs.count(pair), 2 if pair in twice else 1, pair)

    def test_file(self):
        self.write_wordnet(INDEX, DATA)
        path = self.path("out.tsv")
        self.assertEqual(self.call("--direct", path).returncode, 0)
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), self.call("--direct").stdout)

    def test_circle(self):
        self.write_wordnet(INDEX, DATA.replace("animal 0 001 ~ 00000200",
                                               "animal 0 001 @ 00000400"))
        done = self.call()
        self.assertEqual(done.returncode, 1)
        self.assertIn("the pointers run in a circle at ", done.stderr)

    def test_errors(self):
        done = self.call()
        self.assertEqual(done.returncode, 1)
        self.assertIn("found no WordNet", done.stderr)
        self.assertEqual(self.call("a", "b").returncode, 2)
        self.assertEqual(self.call("--all").returncode, 2)


if __name__ == "__main__":
    unittest.main()
