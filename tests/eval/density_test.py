#!/usr/bin/env python3
"""Tests of eval/papers/density.py: its noises are what they should be, and estimation finds the density.

ACEVEC is the program to run, build/acevec when not given.
"""

import unittest

from files import ACEVEC, PNG, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", skip=True)

import numpy as np
from scipy.stats import chisquare

from papers import density
from lib import tables


class Parts(unittest.TestCase):
    def setUp(self):
        self.family = density.family(3, 128)
        self.theta = np.array([1.0, -0.5, 0.3, -0.8, 0.6, 0.2])
        self.log_truth = self.family.log_density(self.theta)
        self.random = np.random.default_rng(1)
        self.data = density.sample(self.random, np.exp(self.log_truth), 20000)

    def test_statistics_are_orthogonal(self):
        # Whole periods: sums of products over the cells are 0, of squares half their number.
        products = self.family.statistics.T @ self.family.statistics
        np.testing.assert_allclose(products, 64 * np.eye(6), atol=1e-9)
        np.testing.assert_allclose(self.family.statistics[:, 1], np.sin(self.family.centres))

    def test_samples_have_their_distribution(self):
        observed = np.bincount(self.data, minlength=128)
        self.assertGreater(chisquare(observed, 20000 * np.exp(self.log_truth)).pvalue, 1e-3)

    def test_moments_are_matched(self):
        fitted = np.exp(self.family.log_density(density.moment_match(self.family, self.data)))
        np.testing.assert_allclose(fitted @ self.family.statistics,
                                   self.family.statistics[self.data].mean(0), atol=1e-6)

    def test_noises(self):
        found = density.noises(self.family, self.data[:500], ACEVEC, 0.3)
        for name, noise in found.items():
            self.assertAlmostEqual(noise.sum(), 1, 9, name)
            self.assertTrue((noise > 0).all(), name)
        uniform, kde = found["UNI"], found["KDE"]
        farthest = ((uniform - kde) ** 2).sum()

        def entropy(name):
            return -(found[name] * np.log(found[name])).sum()

        for name in ("ENT", "QCEM"):
            self.assertAlmostEqual(((found[name] - kde) ** 2).sum() / farthest, 0.3, 6)
            self.assertGreater(entropy(name), entropy("KDE"))
        self.assertGreater(entropy("ENT"), entropy("QCEM"))
        values = self.family.centres[self.data[:500]]
        mode = self.family.centres[found["UNV"].argmax()]
        self.assertLess(abs(mode - values.mean()), 2 * density.HALF / 128)

    def test_estimation_recovers_the_parameters(self):
        settings = density.Settings(2000, 200, 0.3, range(1000, 2001))
        for name, noise in density.noises(self.family, self.data[:500], ACEVEC, 0.5).items():
            with self.subTest(noise=name):
                # The mean over the last steps, as single ones go to and fro.
                steps = list(density.estimate(self.family, self.data, noise, self.random,
                                              np.zeros(6), settings))
                theta = np.mean([theta for _, theta, _ in steps], 0)
                z = np.mean([z for _, _, z in steps])
                np.testing.assert_allclose(theta, self.theta, atol=0.06)
                # Z is such that the model sums to 1.
                expected = self.log_truth[0] - self.family.statistics[0] @ self.theta
                self.assertAlmostEqual(z, expected, delta=0.06)


class Script(Files):
    def start(self, table, *options):
        return run_script("papers/density.py", "--quick", "--cells", 128, "--out", table, *options)

    def test_quick(self):
        table = self.path("density.tsv")
        done = self.start(table)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\A(density.py: \d/2: repetition \d: \d+ minutes left\n){2}\Z")
        rows = tables.read(table)
        for picture in ("density.png", "density-fits.png"):
            with open(self.path(picture), "rb") as stream:
                self.assertEqual(stream.read(len(PNG)), PNG)
        names = ["UNI", "UNV", "KDE", "EF", "ENT", "QCEM"]
        self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()],
                         ["noise", "MLE", *names])
        for number in (1, 2):
            best, = [row["kl"] for row in rows
                     if row["noise"] == "MLE" and row["repetition"] == number]
            for name in names:
                curve = {row["iteration"]: row["kl"] for row in rows
                         if row["noise"] == name and row["repetition"] == number}
                self.assertGreater(curve[0], 10 * curve[300])
                self.assertGreater(curve[300], best / 10)
        # Cut off within the second repetition: it is made again, and nothing else.
        with open(table, encoding="utf-8") as stream:
            text = stream.read()
        self.write("density.tsv", text[:text.index("EF\t2\t26")])
        again = self.start(table)
        self.assertEqual((again.returncode, again.stdout), (0, done.stdout))
        self.assertRegex(again.stderr, r"\Adensity.py: 1/1: repetition 2: 0 minutes left\n\Z")
        with open(table, encoding="utf-8") as stream:
            self.assertEqual(stream.read(), text)
        other = self.start(table, "--seed", "2")
        self.assertEqual((other.returncode, other.stdout), (1, ""))
        self.assertIn("holds runs of other settings than --seed 2 --iterations 300", other.stderr)


if __name__ == "__main__":
    unittest.main()
