#!/usr/bin/env python3
"""Tests that acevec joins the phrases that gensim's Phrases joins, given the same score.

gensim's own score has the number of different words and pairs where word2phrase's and acevec's has
the number of tokens; with the default score the thresholds are therefore converted.
ACEVEC is the program to test, build/acevec when not given.
"""

import random
import subprocess
import unittest

from files import ACEVEC

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("gensim", skip=True)

from gensim.models.phrases import Phrases


def make_lines():
    """Lines of words of uneven frequency, some of which like to follow each other."""
    chance = random.Random(1)
    words = [f"w{i}" for i in range(300)]
    weights = [1 / (i + 3) for i in range(300)]
    lines = []
    for _ in range(4000):
        line = []
        for word in chance.choices(words, weights, k=chance.randrange(20)):
            line.append(word)
            number = int(word[1:])
            if number % 5 == 0 and chance.random() < 0.6:
                line.append(f"w{number + 3}")
                if number % 10 == 0 and chance.random() < 0.6:
                    line.append("ende")
        lines.append(line)
    return lines


def token_score(worda_count, wordb_count, bigram_count, len_vocab, min_count, corpus_word_count):
    """word2phrase's score in the form that gensim asks for."""
    return (bigram_count - min_count) / (worda_count * wordb_count) * corpus_word_count


class PhrasesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lines = make_lines()
        cls.tokens = sum(map(len, cls.lines))

    def acevec(self, threshold, min_count, passes=1):
        done = subprocess.run(
            [ACEVEC, "phrases", "-train", "-", "-output", "-", "-debug", "0", "-threads", "2",
             "-threshold", repr(threshold), "-min-count", str(min_count), "-passes", str(passes)],
            input="".join(" ".join(line) + "\n" for line in self.lines), text=True, check=True,
            stdout=subprocess.PIPE)
        return [line.split() for line in done.stdout.split("\n")[:-1]]

    def test_with_word2phrases_score(self):
        for threshold, min_count in ((1.5, 5), (4, 1), (10, 20), (0.1, 3)):
            model = Phrases(self.lines, min_count=min_count, threshold=threshold,
                            scoring=token_score)
            expected = [model[line] for line in self.lines]
            self.assertNotEqual(expected, self.lines)
            self.assertEqual(self.acevec(threshold, min_count), expected)

    def test_with_gensims_default_score(self):
        model = Phrases(self.lines, min_count=5, threshold=1)
        expected = [model[line] for line in self.lines]
        self.assertNotEqual(expected, self.lines)
        self.assertEqual(self.acevec(self.tokens / len(model.vocab), 5), expected)

    def test_two_passes(self):
        expected = self.lines
        for _ in range(2):
            model = Phrases(expected, min_count=5, threshold=2, scoring=token_score)
            expected = [model[line] for line in expected]
        self.assertTrue(any(word.count("_") > 1 for line in expected for word in line))
        self.assertEqual(self.acevec(2, 5, passes=2), expected)


if __name__ == "__main__":
    unittest.main()
