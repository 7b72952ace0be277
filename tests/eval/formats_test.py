#!/usr/bin/env python3
"""Tests that what acevec converts is what numpy and gensim read, and the other way round.

ACEVEC is the program to test, build/acevec when not given.
"""

import os
import subprocess
import unittest

from files import ACEVEC, Files

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "gensim", skip=True)

import numpy as np
from gensim.models import KeyedVectors


WORDS = ["wolf", "naïve", "日本語", "a,b", "x'y", "\N{OWL}"]
MATRIX = np.random.default_rng(1).standard_normal((len(WORDS), 7)).astype(np.float32)
MATRIX[2, 3] = 0
MATRIX[4] *= np.float32(1e-30)


class Formats(Files):
    def convert(self, source, target, *options, status=0):
        done = subprocess.run([ACEVEC, "convert", self.path(source), self.path(target), *options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def save(self, matrix=MATRIX):
        """Writes v.npy and v.words as a user of numpy would."""
        np.save(self.path("v.npy"), matrix)
        with open(self.path("v.words"), "w", encoding="utf-8") as stream:
            stream.writelines(word + "\n" for word in WORDS)

    def test_numpy_to_gensim(self):
        self.save()
        for ending, binary, header in (("bin", True, True), ("txt", False, True),
                                       ("glove", False, False)):
            self.convert("v.npy", "v." + ending)
            read = KeyedVectors.load_word2vec_format(self.path("v." + ending), binary=binary,
                                                     no_header=not header)
            self.assertEqual(read.index_to_key, WORDS)
            np.testing.assert_array_equal(read.vectors, MATRIX)

    def test_gensim_to_numpy(self):
        vectors = KeyedVectors(MATRIX.shape[1])
        vectors.add_vectors(WORDS, MATRIX)
        for name, options in (("v.bin", {"binary": True}), ("v.txt", {}),
                              ("v.glove", {"write_header": False})):
            vectors.save_word2vec_format(self.path(name), **options)
            self.convert(name, "w.npy")
            read = np.load(self.path("w.npy"))
            self.assertEqual(read.dtype, np.float32)
            np.testing.assert_array_equal(read, MATRIX)
            with open(self.path("w.words"), encoding="utf-8") as stream:
                self.assertEqual(stream.read().split("\n"), WORDS + [""])

    def test_heads_of_any_length(self):
        # The head of an .npy file is filled up to 64 bytes: shapes of more digits move the end.
        self.save()
        for rows in (1, 10, 100, 1000, 10000):
            np.save(self.path("n.npy"), np.ones((rows, 3), np.float32))
            with open(self.path("n.words"), "w", encoding="utf-8") as stream:
                stream.writelines(f"w{i}\n" for i in range(rows))
            self.convert("n.npy", "n.txt")
            self.convert("n.txt", "n.npy")
            np.testing.assert_array_equal(np.load(self.path("n.npy"), mmap_mode="r"),
                                          np.ones((rows, 3), np.float32))

    def test_doubles_are_rounded(self):
        self.save(MATRIX.astype(np.float64) / 3)
        self.convert("v.npy", "w.npy")
        np.testing.assert_array_equal(np.load(self.path("w.npy")),
                                      (MATRIX.astype(np.float64) / 3).astype(np.float32))

    def test_halves_are_numpys(self):
        halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        halves = halves[np.isfinite(halves)].reshape(-1, 64)
        chance = np.random.default_rng(3)
        rounded = chance.standard_normal((992, 64)) * 10.0 ** chance.integers(-9, 4, (992, 64))
        for matrix in (halves, rounded.astype(np.float32)):
            np.save(self.path("h.npy"), matrix)
            with open(self.path("h.words"), "w", encoding="utf-8") as stream:
                stream.writelines(f"w{i}\n" for i in range(len(matrix)))
            self.convert("h.npy", "wide.npy")
            wide = np.load(self.path("wide.npy"))
            self.assertEqual(wide.dtype, np.float32)
            np.testing.assert_array_equal(wide, matrix.astype(np.float32))
            self.convert("h.npy", "half.npy", "-type", "float16")
            half = np.load(self.path("half.npy"))
            self.assertEqual(half.dtype, np.float16)
            np.testing.assert_array_equal(half.view(np.uint16),
                                          matrix.astype(np.float16).view(np.uint16))

    def test_numbers_beyond_halves_are_refused(self):
        self.save(np.where(MATRIX > 2, 65520, MATRIX).astype(np.float32) + 65520 * (MATRIX == 0))
        self.assertIn("float16", self.convert("v.npy", "w.npy", "-type", "float16", status=1))
        self.assertFalse(os.path.exists(self.path("w.npy")))
        self.assertIn("-type has no effect", self.convert("v.npy", "w.bin", "-type", "float16",
                                                         status=2))

    def test_later_versions_of_npy(self):
        self.save()
        for version in ((1, 0), (2, 0), (3, 0)):
            with open(self.path("v.npy"), "wb") as stream:
                np.lib.format.write_array(stream, MATRIX, version=version)
            self.convert("v.npy", "w.npy")
            np.testing.assert_array_equal(np.load(self.path("w.npy")), MATRIX)

    def test_other_arrays_are_refused(self):
        for matrix, reason in ((np.asfortranarray(MATRIX), "Fortran"), (MATRIX[0], "2-D"),
                               (MATRIX[None], "2-D"), (MATRIX.astype(np.complex64), "float32"),
                               (MATRIX[:0], "declares 0 rows")):
            self.save(matrix)
            self.assertIn(reason, self.convert("v.npy", "w.bin", status=1))

    def test_projector(self):
        self.save()
        self.convert("v.npy", "vectors.tsv")
        read = np.loadtxt(self.path("vectors.tsv"), dtype=np.float32, delimiter="\t")
        np.testing.assert_array_equal(read, MATRIX)
        with open(self.path("vectors.metadata.tsv"), encoding="utf-8") as stream:
            self.assertEqual(stream.read().split(), WORDS)

    def test_normalize_and_top(self):
        self.save()
        self.convert("v.npy", "w.npy", "-normalize", "-limit", "4")
        norms = np.linalg.norm(MATRIX[:4], axis=1, keepdims=True)
        np.testing.assert_allclose(np.load(self.path("w.npy")), MATRIX[:4] / norms, rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
