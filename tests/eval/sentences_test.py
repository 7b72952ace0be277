#!/usr/bin/env python3
"""papers/sentences.py on a few sentences: every row has every column, and the classifier works.

ACEVEC is the program to run, build/acevec when not given.
"""

import os
import random
import types
import unittest

from files import Files

from lib import interpreter
from lib.cli import UserError

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", skip=True)

import numpy as np

from papers import sentences

# In place of sent2vec: a coordinate for each of eight words.
STAND_IN = """#!/usr/bin/env python3
import sys
if sys.argv[1] == "sent2vec":
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    words = sorted(set(open(options["-input"]).read().split()))
    open(options["-output"] + ".bin", "w").write(" ".join(words[:int(options["-dim"])]))
else:
    words = open(sys.argv[2]).read().split()
    for line in sys.stdin:
        print(*(line.split().count(word) for word in words))
"""
GOOD, BAD, ANY = ("fine", "good", "warm"), ("poor", "bad", "cold"), ("a", "film", "with", "music")


def made_up(count, classes=2):
    """Return sentences whose words tell whether their class is odd, and the classes."""
    draw = random.Random(1)
    labels = [i % classes for i in range(count)]
    return [" ".join(draw.choices(GOOD if label % 2 else BAD, k=3) + draw.choices(ANY, k=1))
            for label in labels], np.array(labels)


def made_up_pairs(_):
    """Return pairs of sentences, and scores that tell whether both have one class."""
    lines, labels = made_up(80)
    return lines[:40], lines[1:21] + lines[60:], np.array(
        [float(a == b) for a, b in zip(labels[:40], [*labels[1:21], *labels[60:]])])


class Sentences(Files):
    def setUp(self):
        super().setUp()
        lines, _ = made_up(3000)
        with open(self.path("corpus.txt"), "w", encoding="utf-8") as text:
            text.write("\n".join(lines) + "\n")
        for name, stand_in in (("read_task", lambda _: made_up(80)),
                               ("read_news", lambda: (*made_up(80, 4), *made_up(20, 4))),
                               ("read_pairs", made_up_pairs)):
            before = getattr(sentences, name)
            setattr(sentences, name, stand_in)
            self.addCleanup(setattr, sentences, name, before)

    def row(self, name, work=None, **given):
        options = types.SimpleNamespace(**{
            "rows": name, "sent2vec": None, "held": None, "seeds": 1, "size": 8, "flags": [],
            "word_options": "", "work": work, "corpus": self.path("corpus.txt"), **given})
        experiment = sentences.Experiment(options, self.directory)
        setting, = experiment.plan()
        result = {**setting, **experiment.make(setting)}
        self.assertEqual(set(result), set(sentences.COLUMNS))
        return result

    def test_tfidf_has_no_news(self):
        result = self.row("tfidf")
        self.assertIsNone(result["agnews"])
        self.assertGreater(result["mr"], 95)

    def test_means_of_words(self):
        result = self.row("mean")
        self.assertGreater(result["mr_centroid"], 90)
        self.assertIsNotNone(result["agnews"])

    def test_models_without_training(self):
        for name in ("features", "search"):
            with self.subTest(row=name):
                result = self.row(name)
                self.assertGreater(result["mr_centroid"], 75)
                self.assertGreater(result["sts"], 20)

    def test_sent2vec(self):
        with self.assertRaises(UserError):
            self.row("sent2vec")
        with open(self.path("sent2vec"), "w", encoding="utf-8") as program:
            program.write(STAND_IN)
        os.chmod(self.path("sent2vec"), 0o755)
        result = self.row("sent2vec", sent2vec=self.path("sent2vec"))
        self.assertGreater(result["mr"], 95)
        self.assertGreater(result["sts"], 20)
        self.assertFalse(os.path.exists(self.path("sent2vec-1.model.bin")))

    def test_held_sets_are_scored_when_they_are_given(self):
        self.assertIsNone(self.row("unit")["trec"])
        result = self.row("unit", held=self.directory)
        self.assertGreater(result["sst2"], 95)
        self.assertGreater(result["trec"], 95)
        self.assertGreater(result["sts_test"], 20)

    def test_a_bag(self):
        self.assertGreater(self.row("bag")["seconds"], 0)
        self.assertFalse(os.path.exists(self.path("bag-1.model")))

    def test_what_is_kept_is_not_trained_again(self):
        first = self.row("bag", self.directory)
        os.remove(self.path("corpus.txt"))
        self.assertEqual(self.row("bag", self.directory), first)


if __name__ == "__main__":
    unittest.main()
