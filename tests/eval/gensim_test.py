#!/usr/bin/env python3
"""Tests that the vectors acevec writes load in gensim, strictly, and mean the same in each format.

ACEVEC is the program to test, build/acevec when not given. The corpus has what real text brings
along: UTF-8, bytes that are not UTF-8, carriage returns and a NUL.
"""

import os
import random
import subprocess
import sys
import tempfile
import unittest

from files import ACEVEC

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "gensim", skip=True)

import numpy as np
from gensim.models import KeyedVectors

from lib.vectors import load_vectors

SIZE = 20
GOOD_WORDS = ["wolf", "naïve", "straße", "жук", "日本語", "\N{OWL}"]
# Two words that become the same one when what is not UTF-8 is replaced.
BAD_WORDS = [b"caf\xe9", b"caf\xe8", b"\xed\xa0\x80", b"\xff\xfe", b"nul\x00byte"]


def corpus():
    """Bytes of 600 lines, ended by turns with LF and CRLF; the words above and 40 plain ones."""
    words = [word.encode() for word in GOOD_WORDS] + BAD_WORDS + [b"w%d" % i for i in range(40)]
    chance = random.Random(1)
    lines = [b" ".join(chance.choices(words, k=12)) for _ in range(600)]
    return b"".join(line + (b"\n", b"\r\n")[i % 2] for i, line in enumerate(lines))


def read_text(path):
    """word2vec text as anyone would read it: (words, matrix)."""
    with open(path, encoding="utf-8", newline="\n") as stream:
        rows = [line.rstrip("\n ").split(" ") for line in stream][1:]
    return [row[0] for row in rows], np.array([row[1:] for row in rows], np.float32)


def read_binary(path):
    """word2vec binary as anyone would read it: (words, matrix)."""
    words, rows = [], []
    with open(path, "rb") as stream:
        count, size = map(int, stream.readline().split())
        for _ in range(count):
            words.append(b"".join(iter(lambda: stream.read(1), b" ")).lstrip(b"\n").decode())
            rows.append(np.frombuffer(stream.read(4 * size), "<f4"))
    return words, np.array(rows)


class Gensim(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.directory = directory.name
        train = os.path.join(directory.name, "corpus.txt")
        with open(train, "wb") as stream:
            stream.write(corpus())
        cls.paths = {}
        for ending in ("bin", "txt"):
            cls.paths[ending] = path = os.path.join(directory.name, "v." + ending)
            done = subprocess.run(
                [ACEVEC, "-train", train, "-output", path, "-size", str(SIZE), "-min-count", "1",
                 "-iter", "1", "-threads", "1", "-seed", "1"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            if done.returncode:
                raise AssertionError(f"status {done.returncode}: {done.stdout}")
        cls.binary = KeyedVectors.load_word2vec_format(cls.paths["bin"], binary=True)
        cls.text = KeyedVectors.load_word2vec_format(cls.paths["txt"], binary=False)

    def test_text_and_binary_agree(self):
        self.assertEqual(self.binary.index_to_key, self.text.index_to_key)
        np.testing.assert_allclose(self.binary.vectors, self.text.vectors, rtol=0, atol=1e-5)

    def test_shape(self):
        # gensim drops a word that comes twice, so the header tells whether there was one.
        for ending, loaded in (("bin", self.binary), ("txt", self.text)):
            with open(self.paths[ending], "rb") as stream:
                count, size = map(int, stream.readline().split())
            self.assertEqual(size, SIZE)
            self.assertEqual(loaded.vectors.shape, (count, size))
            self.assertEqual(len(loaded.index_to_key), count)

    def test_finite(self):
        self.assertTrue(np.isfinite(self.binary.vectors).all())
        self.assertTrue(np.isfinite(self.text.vectors).all())
        self.assertTrue(self.binary.vectors.any(axis=1).all(), "a word with a null vector")

    def test_words(self):
        words = self.binary.index_to_key
        self.assertLessEqual(set(GOOD_WORDS) | {f"w{i}" for i in range(40)}, set(words))
        for word in words:
            self.assertTrue(word and not set(word) & set(" \r\n"), repr(word))

    def test_fine_tuning(self):
        # From gensim's files of either kind to files that gensim reads; words that are not in the text
        # keep their numbers.
        given = KeyedVectors(SIZE)
        words = ["kept", "wolf", "größer", "w7"]
        given.add_vectors(words, np.linspace(-1, 1, 4 * SIZE, dtype=np.float32).reshape(4, SIZE))
        text = os.path.join(self.directory, "corpus.txt")
        for binary in (True, False):
            init, output = (os.path.join(self.directory, name) for name in ("init", "tuned.bin"))
            given.save_word2vec_format(init, binary=binary)
            done = subprocess.run([ACEVEC, "-train", text, "-init", init, "-output", output,
                                   "-min-count", "1", "-iter", "1", "-debug", "0"])
            self.assertEqual(done.returncode, 0)
            tuned = KeyedVectors.load_word2vec_format(output, binary=True)
            self.assertEqual(tuned.index_to_key[-2:], ["kept", "größer"])
            self.assertEqual(len(tuned), len(self.binary) + 2)
            for word in ("kept", "größer"):
                np.testing.assert_array_equal(tuned[word], given[word])
            for word in ("wolf", "w7"):
                self.assertFalse(np.array_equal(tuned[word], given[word]))
                self.assertGreater(tuned[word] @ given[word], 0)

    def test_plain_readers_agree(self):
        for words, matrix in (read_text(self.paths["txt"]), read_binary(self.paths["bin"]),
                              load_vectors(self.paths["txt"]), load_vectors(self.paths["bin"])):
            self.assertEqual(words, self.binary.index_to_key)
            np.testing.assert_allclose(matrix, self.binary.vectors, rtol=0, atol=1e-5)


if __name__ == "__main__":
    if not os.path.exists(ACEVEC):
        sys.exit(f"gensim_test.py: found no program {ACEVEC}; build it (make) or set ACEVEC")
    unittest.main()
