#!/usr/bin/env python3
"""Tests acevec's analogies and similarities against gensim's, and nn against numpy.

ACEVEC is the program to test, build/acevec when not given.
"""

import csv
import io
import os
import random
import subprocess
import tempfile
import unittest
from collections import Counter

from files import ACEVEC

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "gensim", skip=True)

import numpy as np
from gensim.models import KeyedVectors

from lib.vectors import load_vectors
from lib.similarity import read_pairs, score_set

GROUPS, MEMBERS, SIZE = 12, 60, 15


def make_vectors():
    """Words g3m5 whose vector is about one for group 3 plus one for member 5; some in capitals."""
    chance = np.random.default_rng(2)
    words, rows = [], []
    groups = chance.standard_normal((GROUPS, SIZE))
    members = chance.standard_normal((MEMBERS, SIZE))
    for g, m in np.ndindex(GROUPS, MEMBERS):
        for word in [f"g{g}m{m}"] + [f"G{g}M{m}"] * (m % 7 == 0):
            words.append(word)
            rows.append(groups[g] + members[m] + 0.7 * chance.standard_normal(SIZE))
    order = chance.permutation(len(words))
    return [words[i] for i in order], np.array(rows, np.float32)[order]


class Ask(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.directory = directory.name
        cls.words, cls.matrix = make_vectors()
        cls.vectors = KeyedVectors(SIZE)
        cls.vectors.add_vectors(cls.words, cls.matrix)
        cls.path = os.path.join(directory.name, "v.bin")
        cls.vectors.save_word2vec_format(cls.path, binary=True)
        cls.unit = cls.matrix / np.linalg.norm(cls.matrix, axis=1, keepdims=True)

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        return path

    def rows(self, *arguments, **options):
        """What acevec prints, as dictionaries by the first line's names."""
        done = subprocess.run([ACEVEC, *arguments, "-format", "tsv"], check=True, text=True,
                              stdout=subprocess.PIPE, **options)
        return list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t"))

    def questions(self):
        """A file of questions of which a few have unknown words, and it as sections."""
        chance = random.Random(3)
        lines = []
        for section in ("one", "two", "gram1"):
            lines.append(f": {section}")
            for _ in range(150):
                g, h = chance.sample(range(GROUPS), 2)
                m, n = chance.sample(range(MEMBERS + 2), 2)
                line = f"g{g}m{m} g{g}m{n} g{h}m{m} g{h}m{n}"
                lines.append(line.upper() if chance.random() < 0.3 else line)
        return self.write("questions", "\n".join(lines) + "\n")

    def test_analogies_are_gensims(self):
        questions = self.questions()
        seen = set()
        for top in (len(self.words), 500):
            ours = self.rows("analogy", self.path, questions, "-limit", str(top))
            ours = {row["section"]: row for row in ours}
            _, theirs = self.vectors.evaluate_word_analogies(questions, restrict_vocab=top)
            for section in theirs:
                name = section["section"].replace("Total accuracy", "total")
                right, wrong = len(section["correct"]), len(section["incorrect"])
                self.assertEqual(int(ours[name]["covered"]), right + wrong)
                self.assertAlmostEqual(float(ours[name]["cosadd"]),
                                       100 * right / (right + wrong), delta=0.006)
                seen.add(right)
        self.assertGreater(len(seen), 4)  # neither all right nor all wrong

    def test_multiplication_is_gensims(self):
        # gensim's ε is 1e-6 and not 0.001: of 300 questions it changes at most a few answers.
        chance = random.Random(4)
        forms = Counter(word.lower() for word in self.words)
        alone = [word for word in self.words if forms[word.lower()] == 1]  # acevec ignores case
        lines, right = [], 0
        for _ in range(300):
            a, b, c = chance.sample(alone, 3)
            (answer, _), = self.vectors.most_similar_cosmul(positive=[b, c], negative=[a], topn=1)
            lines.append(f"{a} {b} {c} {answer}\n")
        row, = [row for row in self.rows("analogy", self.path, self.write("q", "".join(lines)))
                if row["section"] == "total"]
        self.assertGreaterEqual(float(row["cosmul"]), 98)
        self.assertLess(float(row["cosadd"]), 95)

    def test_similarity_sets_are_scored_as_by_wordsim(self):
        chance = random.Random(5)
        lines = ["word1\tword2\tscore"]
        for _ in range(300):
            a, b = (chance.choice([word, word.swapcase(), "gone"] + 5 * [word])
                    for word in chance.sample(self.words, 2))
            lines.append(f"{a}\t{b}\t{chance.randrange(10)}")
        path = self.write("set.tsv", "\n".join(lines) + "\n")
        row, = self.rows("similarity", self.path, "-set", path)
        score = score_set(read_pairs(path), *load_vectors(self.path))
        self.assertEqual((int(row["pairs"]), int(row["covered"])), score[:2])
        self.assertLess(score.covered, score.pairs)
        self.assertAlmostEqual(float(row["rho_covered"]), score.rho_covered, delta=0.006)
        self.assertAlmostEqual(float(row["rho_all"]), score.rho_all, delta=0.006)

    def test_neighbours_are_numpys(self):
        queries = self.words[::3]
        done = subprocess.run([ACEVEC, "nn", self.path, "-top", "4", "-format", "tsv"], check=True,
                              input="\n".join(queries), text=True, stdout=subprocess.PIPE)
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows[::4]], queries)
        for i, query in enumerate(queries):
            cosines = self.unit @ self.unit[3 * i]
            cosines[3 * i] = -2
            best = np.argsort(-cosines, kind="stable")[:4]
            self.assertEqual([row[2] for row in rows[4 * i:4 * i + 4]],
                             [self.words[j] for j in best])
            np.testing.assert_allclose([float(row[3]) for row in rows[4 * i:4 * i + 4]],
                                       cosines[best], atol=2e-6)


if __name__ == "__main__":
    unittest.main()
