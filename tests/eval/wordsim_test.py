#!/usr/bin/env python3
"""Tests of tools/wordsim.py, and of interpreter, vectors and similarity in lib, on generated files."""

import gzip
import math
import os
import struct
import subprocess
import sys
import unittest

from files import EVAL, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", skip=True)

import numpy as np
from scipy.stats import spearmanr

from lib.cli import UserError
from lib.vectors import load_vectors
from lib.similarity import read_pairs, score_set
from lib.texts import find_sets, set_path

WORDSIM = os.path.join(EVAL, "tools", "wordsim.py")
WORDS = ["the", "Paris", "paris", "straße", "\N{GREEK SMALL LETTER ALPHA}\ta", "x"]
MATRIX = np.array([[0.5, -1, 2.25], [1, 0, 0], [1e-3, 2, -3], [0, 0, 0], [-1, -2, -3],
                   [7, 1e10, 0.1]], dtype=np.float32)


def text(words=WORDS, matrix=MATRIX, header=True, end="\n"):
    lines = [f"{len(words)} {len(matrix[0])}"] if header else []
    lines += [word + "".join(f" {float(value)!r}" for value in row)
              for word, row in zip(words, matrix)]
    return (end.join(lines) + end).encode()


def binary(words=WORDS, matrix=MATRIX, newline=b"\n"):
    rows = [word.encode() + b" " + struct.pack(f"<{len(row)}f", *row) + newline
            for word, row in zip(words, matrix)]
    return f"{len(words)} {len(matrix[0])}\n".encode() + b"".join(rows)


class LoadVectors(Files):
    def check(self, data, words=WORDS, matrix=MATRIX, wanted=None):
        got_words, got = load_vectors(self.write("vectors", data), wanted)
        self.assertEqual(got_words, list(words))
        self.assertEqual(got.dtype, np.float32)
        np.testing.assert_array_equal(got, np.asarray(matrix, np.float32))

    def fails(self, data, pattern):
        path = self.write("vectors", data)
        with self.assertRaisesRegex(UserError, pattern) as caught:
            load_vectors(path)
        message = str(caught.exception)
        self.assertTrue(message.startswith(path + ": "), message)
        self.assertIn("; ", message)
        self.assertNotIn("\n", message)

    def test_every_format(self):
        for data in (text(), text(end=" \n"), text(end="\r\n"), text()[:-1], text() + b"\n",
                     text(header=False), binary(), binary(newline=b""), binary()[:-1]):
            for pack in (bytes, gzip.compress):
                with self.subTest(start=data[:20], packed=pack is not bytes):
                    self.check(pack(data))

    def test_small_dimensions(self):
        # Few raw bytes are the easiest to mistake for text, and the other way round.
        numbers = [[1.0], [3.0039215], [0.0], [8.5e-33]]
        for size in (1, 2, 3):
            words, matrix = ["a", "b", "c", "d"], np.array(numbers, np.float32).repeat(size, 1)
            for data in (text(words, matrix), binary(words, matrix), binary(words, matrix, b"")):
                with self.subTest(size=size, start=data[:20]):
                    self.check(data, words, matrix)

    def test_raw_bytes_that_look_like_separators(self):
        odd = np.frombuffer(b"\n  \n\x20\x20\x20\x3f\x0a\x0a\x0a\x3d" * 2, "<f4").reshape(2, 3)
        for newline in (b"\n", b""):
            self.check(binary(["a", "b"], odd, newline), ["a", "b"], odd)

    def test_more_than_one_block(self):
        words = [f"word{i}" for i in range(3000)]
        matrix = np.random.default_rng(1).standard_normal((3000, 500), dtype=np.float32)
        self.check(binary(words, matrix), words, matrix)
        self.check(gzip.compress(binary(words, matrix, b""), 1), words, matrix)

    def test_only_wanted_words(self):
        for data in (text(), text(header=False), binary()):
            self.check(data, WORDS[1:4], MATRIX[1:4], {"PARIS", "strasse", "absent"})
            self.check(data, [], np.empty((0, 3)), ())

    def test_words_of_any_bytes(self):
        for pattern in (b"1 2\n%b 1 2\n", b"1 2\n%b " + struct.pack("<2f", 1, 2)):
            self.check(pattern.replace(b"%b", b"a\xff\x00\t\r"), ["a\ufffd\x00\t\r"], [[1, 2]])

    def test_same_word_twice(self):
        self.check(b"2 1\na 1\na 2\n", ["a", "a"], [[1], [2]])

    def test_truncated(self):
        for data in (text(), binary(), binary(newline=b"")):
            for length in range(len(data) - 2):
                if length < 3 or data == text() and length > data.rindex(b" "):
                    continue  # no header; a number cut short is a number
                with self.subTest(length=length, data=data[:20]):
                    self.fails(data[:length], "truncated|not followed by 3 numbers")
        for data in (text(), binary(), text(header=False)):
            packed = gzip.compress(data)
            self.fails(packed[:len(packed) // 2], "gzip|truncated|not followed")
            self.fails(packed[:-4], "gzip")

    def test_malformed(self):
        for data, pattern in (
                (b"", "empty"),
                (gzip.compress(b""), "empty"),
                (b"\n", "not word vectors"),
                (b"hello\n", "not word vectors"),
                (b"hello world\n", "not word vectors"),
                (bytes(range(256)), "not word vectors"),
                (b"0 3\n", "no vectors"),
                (b"3 0\n", "no vectors"),
                (b"2 3\n", "truncated: 0 of 2"),
                (b"2 2\na 1 2\nb 1 2\nc 1 2\n", "more than the 2 words"),
                (b"1 2\na 1 2\n\nb 1 2\n", "more than the 1 words"),
                (b"2 2\na 1 2\n\nb 1 2\n", "not followed by 2 numbers"),
                (b"2 2\na 1 2\nb 1 2 3\n", "word 2 'b' is not followed by 2 numbers"),
                (b"2 2\na 1 2\nb 1 x\n", "word 2 'b' is not followed by 2 numbers"),
                (b"2 2\na 1 2\nb 1  \n", "word 2 'b' is not followed by 2 numbers"),
                (b"2 3\na 1 2 3\nb 1  3\n", "word 2 'b' is not followed by 3 numbers"),
                (b"2 2\na 1 2\n 1 2\n", "word 2 '' is not followed by 2 numbers"),
                (b"1 9\na 1 2 3 4 5 6 7 8\n", "word 1 'a' is not followed by 9 numbers"),
                (b"a 1 2\nb 1\n", "word 2 'b' is not followed by 2 numbers"),
                (binary() + b"more", "more than the 6 words"),
                (binary(["", "b"], MATRIX[:2]), "word 1 is empty")):
            with self.subTest(data=data[:30]):
                self.fails(data, pattern)

    def test_not_finite(self):
        for value in (math.nan, math.inf, -math.inf):
            matrix = MATRIX.copy()
            matrix[1, 1] = value
            for data in (text(matrix=matrix), text(matrix=matrix, header=False),
                         binary(matrix=matrix)):
                with self.subTest(value=value, data=data[:20]):
                    self.fails(data, "word 'Paris' has a value that is not finite")
                    # of no concern to these words
                    load_vectors(self.write("vectors", data), {"the"})
        self.fails(b"1 1\na 1e99\n", "not finite")
        self.fails(text(["a"], np.array([[math.inf, -math.inf]])), "not finite")
        huge = np.full((1, 4), 3e38, np.float32)
        self.check(binary(["a"], huge), ["a"], huge)

    def test_missing_file(self):
        with self.assertRaises(OSError):
            load_vectors(self.path("none"))


class ReadPairs(Files):
    def test_separators_comments_header(self):
        for data in ("a\tb\t1\nNew York\tc\t2.5\n", "\ufeffa\tb\t1\r\nNew York\tc\t2.5\r\n",
                     "word1\tword2\tscore\na\tb\t1\textra\nNew York\tc\t2.5\n",
                     "# comment\n\nWord 1,Word 2,Human (mean)\na,b,1\nNew York, c,2.5"):
            with self.subTest(data=data):
                self.assertEqual(read_pairs(self.write("pairs", data)),
                                 [("a", "b", 1.0), ("New York", "c", 2.5)])
        self.assertEqual(read_pairs(self.write("pairs", "a b  1\n#c\nd  e 2")),
                         [("a", "b", 1), ("d", "e", 2)])

    def test_malformed(self):
        for data, pattern in (("", "no pairs"), ("# a b 1\n", "no pairs"),
                              ("a\tb\tscore\n", "no pairs"), ("a b\n", "line 1: not two words"),
                              ("a b 1\na b x\n", "line 2: not two words"),
                              ("h h h\nh h h\n", "line 2: not two words"),
                              ("a b 1\na b nan\n", "line 2: not two words"),
                              ("a b 1\n\tb\t1\n", "line 2: not two words")):
            with self.subTest(data=data), self.assertRaisesRegex(UserError, pattern):
                read_pairs(self.write("pairs", data))


class FindSets(Files):
    def test_working_directory_comes_first(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.directory)
        self.write("mine.tsv", b"a b 1\n")
        self.assertEqual(find_sets(None, ("none", "mine")), ["./mine.tsv"])
        self.assertEqual(find_sets(self.directory, ("mine",)), [self.path("mine.tsv")])
        for typed in ("mine", "mine.tsv", "./mine.tsv"):
            self.assertEqual(os.path.normpath(set_path(typed)), "mine.tsv")
        self.assertEqual(set_path("none.tsv"), "none.tsv")  # for a message when it is read


class ScoreSet(unittest.TestCase):
    # Cosines with a: b 1, c 0, d -1, e 1/sqrt 2, f 0 again (a tie); null has no direction.
    words = ["a", "b", "c", "d", "e", "f", "null"]
    matrix = np.array([[1, 0], [2, 0], [0, 3], [-1, 0], [1, 1], [0, -1], [0, 0]], np.float32)

    def score(self, pairs):
        return score_set(pairs, self.words, self.matrix)

    def test_without_ties(self):
        score = self.score([("a", "b", 10), ("a", "e", 7), ("c", "a", 8), ("a", "d", 1)])
        self.assertEqual(score[:2], (4, 4))
        self.assertAlmostEqual(score.rho_covered, 80)  # 1 - 6 * 2 / (4 * 15)
        self.assertAlmostEqual(score.rho_all, 80)

    def test_ties(self):
        pairs = [("a", "b", 5), ("a", "c", 5), ("a", "f", 1), ("a", "d", 0), ("b", "e", 5)]
        score = self.score(pairs)
        cosines = [1, 0, 0, -1, 0.5 ** 0.5]
        expected = 100 * spearmanr(cosines, [5, 5, 1, 0, 5])[0]
        self.assertAlmostEqual(score.rho_covered, expected)
        # By hand: ranks 5 2.5 2.5 1 4 and 4 4 2 1 4 about their mean of 3.
        self.assertAlmostEqual(expected, 100 * 7 / math.sqrt(9.5 * 8))

    def test_missing_words_have_cosine_0(self):
        pairs = [("a", "b", 3), ("a", "d", 2), ("a", "e", 1), ("a", "none", 2.5), ("no", "no", 0)]
        score = self.score(pairs)
        self.assertEqual(score[:2], (5, 3))
        self.assertAlmostEqual(score.rho_covered, 50)
        expected = 100 * spearmanr([1, -1, 0.5 ** 0.5, 0, 0], [3, 2, 1, 2.5, 0])[0]
        self.assertAlmostEqual(score.rho_all, expected)

    def test_null_vector_is_covered_with_cosine_0(self):
        score = self.score([("a", "b", 3), ("a", "null", 2), ("a", "d", 1)])
        self.assertEqual(score[:2], (3, 3))
        self.assertAlmostEqual(score.rho_covered, 100)

    def test_undefined(self):
        for pairs in ([("a", "b", 1)], [("a", "b", 1), ("a", "no", 2)],
                      [("no", "b", 1), ("a", "no", 2)], [("a", "b", 1), ("a", "c", 1)]):
            self.assertTrue(math.isnan(self.score(pairs).rho_covered), pairs)

    def test_case(self):
        # A word as it is, then in lower case, then the first that is equal when case is folded.
        words = ["PARIS", "Paris", "paris", "STRASSE", "strasse", "z"]
        matrix = np.array([[1, 0], [0, 1], [-1, 0], [1, 1], [0, -1], [1, 0]], np.float32)
        human = [("Paris", 0), ("pariS", -1), ("straße", 0.5 ** 0.5), ("PARIS", 1)]
        score = score_set([(word, "z", cosine) for word, cosine in human], words, matrix)
        self.assertEqual(score.covered, 4)
        self.assertAlmostEqual(score.rho_covered, 100)


class CommandLine(Files):
    def run_wordsim(self, *arguments):
        return run_script("tools/wordsim.py", *arguments)

    def one_line(self, done, status, pattern):
        self.assertEqual((done.returncode, done.stdout), (status, ""))
        self.assertRegex(done.stderr, r"\Awordsim.py: .*" + pattern + r".*; .*\n\Z")

    def setUp(self):
        super().setUp()
        self.vectors = self.write("vectors", binary(ScoreSet.words, ScoreSet.matrix))
        self.set = self.write("small.set.tsv", "a\tb\t10\nA\te\t7\nc\ta\t8\na\td\t1\na\tq\t0\n")

    def test_tsv(self):
        done = self.run_wordsim("--tsv", self.vectors, self.set, self.set)
        row = "small.set\t5\t4\t80.00\t66.69\n"  # all: ranks 5 4 2.5 1 2.5 and 5 3 4 2 1
        self.assertEqual(done.stdout, "set\tpairs\tcovered\trho_covered\trho_all\n" + row + row)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_table(self):
        done = self.run_wordsim(self.vectors, self.set)
        self.assertEqual(done.stdout.split("\n")[1].split(),
                         ["small.set", "5", "4", "80.00", "66.69"])
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\A[^\n]*Bojanowski[^\n]*\n\Z")

    def test_help_names_the_convention(self):
        done = self.run_wordsim("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("null vector", done.stdout)

    def test_nothing_covered(self):
        other = self.write("other.tsv", "q\tr\t1\na\tb\t2\n")
        done = self.run_wordsim("--tsv", self.vectors, other)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.split("\n")[1], "other\t2\t1\tnan\t100.00")
        self.assertRegex(done.stderr, r"\Awordsim.py: no set has two pairs.*\n\Z")
        self.assertEqual(self.run_wordsim(self.vectors, other, self.set).returncode, 0)

    def test_errors(self):
        none = self.path("none")
        self.one_line(self.run_wordsim(), 2, "VECTORS")
        self.one_line(self.run_wordsim(self.vectors, self.set, "--nope"), 2, "--nope")
        self.one_line(self.run_wordsim(none, self.set), 1, "none: No such file")
        self.one_line(self.run_wordsim(self.vectors, none), 1, "none: No such file")
        self.one_line(self.run_wordsim(self.directory, self.set), 1, "directory")
        self.one_line(self.run_wordsim(self.set, self.vectors), 1, "not two words")
        self.one_line(self.run_wordsim(self.set, self.set), 1, "not word vectors")
        self.one_line(self.run_wordsim(self.write("cut", binary()[:30]), self.set), 1, "truncated")


class Interpreter(Files):
    def python(self, name, before):
        """Write a program that runs this interpreter after some shell; return its path."""
        path = self.write(name, f"#!/bin/sh\n{before}\nexec '{sys.executable}' \"$@\"\n")
        os.chmod(path, 0o755)
        return path

    def run_python(self, arguments, **environment):
        return subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, **environment})

    def test_another_one_is_found(self):
        os.mkdir(self.path("broken"))
        self.write("broken/numpy.py", "raise ImportError")
        here = {"PYTHONPATH": self.path("broken")}
        there = os.environ.get("PYTHONPATH", "")
        good = self.python("good", f"export PYTHONPATH='{there}'")
        arguments = [WORDSIM, "--tsv", self.write("vectors", text(["a", "b"], MATRIX[:2])),
                     self.write("set.tsv", "a a 1\na b 0\n")]
        done = self.run_python(arguments, ACEVEC_PYTHON=good, **here)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("set\t2\t2\t100.00\t100.00\n", done.stdout)
        # What is named by ACEVEC_PYTHON is no better, nor is anything else in this environment.
        done = self.run_python(arguments, ACEVEC_PYTHON=sys.executable, **here)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\Awordsim.py: needs numpy.*; install python3-numpy.*\n\Z")

    def test_none_has_it(self):
        name = "acevec_no_such_package"
        # Claims to have it and has not: must not be started again for ever.
        liar = self.python("liar", f"case $* in *' numpy {name}') exit 0;; esac")
        for options, status in (("", 1), (", skip=True", 77)):
            code = (f"import sys; sys.argv[0] = 'some.py'; "
                    f"from lib import interpreter; interpreter.require('numpy', {name!r}{options})")
            for python in ("", "/nonexistent/python3", liar):
                with self.subTest(status=status, python=python):
                    done = self.run_python(["-c", code], ACEVEC_PYTHON=python,
                                           PYTHONPATH=EVAL)
                    self.assertEqual(done.returncode, status)
                    said = done.stdout if status == 77 else done.stderr
                    self.assertRegex(
                        said, rf"\A(skipped: )?some.py:? needs {name} .*; install .*\n\Z")
                    self.assertEqual(done.stdout + done.stderr, said)


if __name__ == "__main__":
    unittest.main()
