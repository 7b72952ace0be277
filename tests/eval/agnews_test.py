#!/usr/bin/env python3
"""Tests of eval/papers/agnews.py on made-up texts: what is read, learned, resumed and reported.

ACEVEC is the program to run, build/acevec when not given.
"""

import random
import unittest

from files import PNG, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", "sklearn", skip=True)

import numpy as np

from papers import agnews
from lib import tables
from lib.cli import UserError


class Parts(Files):
    def test_words(self):
        self.assertEqual(agnews.words_of("Oracle #39;s Café,\\cut 10&lt;B&gt; US$ &amp; quot;so quot;"),
                         "oracle s cafe cut one zero us so".split())
        self.assertEqual(agnews.words_of("a <A HREF='x'>link</A>; b"), ["a", "link", "b"])

    def test_both_forms_are_read(self):
        plain = agnews.read_texts(self.write("a", '"3","One two","three"\n"4","b","c"\n"1","d","e"\n'
                                                  '"2","f","g"\n'))
        self.assertEqual(plain.words[:2], [["one", "two", "three"], ["b", "c"]])
        self.assertEqual(plain.classes.tolist(), [2, 3, 0, 1])
        columns = agnews.read_texts(self.write("b", 'label,gt,text,group\n2,0,"x, y",5\n0,1,z,5\n'))
        self.assertEqual(columns.words, [["x", "y"], ["z"]])
        self.assertEqual(columns.classes.tolist(), [0, 1])
        for bad in ("", "1\n", "a,b\n", '"5","x","y"\n"1","x","y"\n', "gt,words\n0,a\n"):
            self.assertRaises(UserError, agnews.read_texts, self.write("c", bad))

    def test_means(self):
        texts = agnews.Texts([["a", "b", "a", "no"], ["no"]], np.array([0, 1]))
        means = agnews.mean_vectors(texts, ["a", "b"], np.array([[3, 0], [0, 6]], "f4"))
        np.testing.assert_allclose(means, [[2, 2], [0, 0]])

    def test_classifier(self):
        chance = np.random.default_rng(1)
        classes = chance.integers(0, 4, 800)
        inputs = 100 + np.eye(4)[classes] + chance.normal(0, 0.05, (800, 4))
        f1, accuracy = agnews.classify((inputs[:600], classes[:600]), inputs[600:], classes[600:],
                                       10, 1)
        self.assertEqual((f1, accuracy), (100, 100))
        self.assertLess(agnews.classify((inputs[:600], chance.permutation(classes[:600])),
                                        inputs[600:], classes[600:], 10, 1)[1], 60)
        self.assertEqual(agnews.own_class(inputs, classes), 1)
        self.assertAlmostEqual(agnews.own_class(chance.normal(size=(800, 2)), classes), 0.25,
                               delta=0.05)


class Script(Files):
    def setUp(self):
        super().setUp()
        chance = random.Random(1)
        topics = [[f"{topic}{letter}" for letter in "abcdefghij"] for topic in "wsbt"]

        def text(topic, length=8):
            return " ".join(chance.choices(topics[topic], k=length))

        self.write("corpus.txt", "".join(text(line % 4, 12) + "\n" for line in range(2000)))
        self.write("test.csv", "".join(f'"{i % 4 + 1}","{text(i % 4)}","x"\n' for i in range(80)))
        with open(self.path("test.csv"), encoding="utf-8") as stream:
            leaked = stream.readline().split('"')[3]  # is in the training texts too
        self.write("train.csv", f"gt,text\n0,{leaked} x\n" + "".join(
            f"{i % 4},{text(i % 4)}\n" for i in range(200)))

    def start(self, *arguments):
        return run_script("papers/agnews.py", "--corpus", self.path("corpus.txt"), "--out",
                          self.path("table.tsv"), "--size", "8", "--tsne", "40", "--noises",
                          "power 0.75,qcem-relative 0.1", *arguments)

    def test_goes_on_where_it_was(self):
        usual = ("--train", self.path("train.csv"), "--test", self.path("test.csv"),
                 "--vectors", self.path("vectors"), "--iter", "5")
        first = self.start(*usual, "--seeds", "1", "--hidden", "10")
        self.assertEqual(first.returncode, 0, first.stderr)
        before = tables.read(self.path("table.tsv"))
        self.assertEqual([(row["noise"], row["seed"], row["hidden"]) for row in before],
                         [("power 0.75", 1, 10), ("qcem-relative 0.1", 1, 10)])
        for row in before:
            self.assertGreater(row["macro_f1"], 90)
        with open(self.path("table.tsv"), encoding="utf-8") as stream:
            self.assertIn("# texts: 200 to train on, 80 to test on\n", stream.read())
        second = self.start(*usual, "--seeds", "1,2", "--hidden", "5,10")
        after = tables.read(self.path("table.tsv"))
        self.assertEqual(after[:2], before)
        self.assertEqual(sorted((row["noise"], row["seed"], row["hidden"]) for row in after[2:]),
                         sorted((noise, seed, hidden) for noise in ("power 0.75",
                                                                    "qcem-relative 0.1")
                                for seed, hidden in ((1, 5), (2, 5), (2, 10))))
        self.assertEqual(len(second.stdout.splitlines()), 3)
        for picture in ("table.png", "table-tsne.png"):
            with open(self.path(picture), "rb") as stream:
                self.assertEqual(stream.read(len(PNG)), PNG)

    def test_missing_texts(self):
        done = self.start("--train", self.path("none.csv"), "--test", self.path("test.csv"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\Aagnews.py: found no .*none.csv; give --data DIR.*\n\Z")


if __name__ == "__main__":
    unittest.main()
