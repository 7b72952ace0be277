#!/usr/bin/env python3
"""Tests that `acevec noise` finds what a solver that knows nothing of the problem's form finds.

Small vocabularies, with scipy's SLSQP on the words' classes. It stops a little short of the
optimum, so it may not do better than acevec by more than rounding, and has to come near it.
ACEVEC is the program to test, build/acevec when not given.
"""

import itertools
import os
import subprocess
import sys
import unittest

from files import ACEVEC

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", skip=True)

import numpy as np
from scipy.optimize import minimize

COUNTS = ([3, 1], [9, 9, 1], [100, 50, 33, 25, 20], [8, 8, 8, 4, 4, 2, 1, 1, 1, 1, 1],
          [1000, 10, 9, 8, 7, 6, 5, 4, 3, 2], [50, 49, 1, 1, 1, 1])
BUDGETS = (0.03, 0.5, 0.95)
# The value of -noise for a noise and the distance that it is solved with.
NOISES = {("qcem", "isotropic"): "qcem", ("qcem", "relative"): "qcem-relative",
          ("entropy", "relative"): "entropy", ("entropy", "isotropic"): "entropy-isotropic"}


def acevec_noise(counts, *options):
    """Return (probabilities, report) of `acevec noise` as arrays and dict."""
    lines = "".join(f"w{i} {count}\n" for i, count in enumerate(counts))
    done = subprocess.run([ACEVEC, "noise", "-", *map(str, options)], input=lines, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [(row[0], int(row[1])) for row in rows] == [
        (f"w{i}", count) for i, count in enumerate(counts)]
    report = dict(line.split("\t") for line in done.stderr.splitlines())
    return np.array([float(row[2]) for row in rows]), {k: float(v) for k, v in report.items()}


class Problem:
    """The classes of counts and the constraints, all as the paper has them."""

    def __init__(self, counts, budget, precision):
        values, self.of_word, self.m = np.unique([-c for c in counts], return_inverse=True,
                                                 return_counts=True)
        self.d = -values / sum(counts)
        self.w = 1 / self.d if precision == "relative" else np.ones_like(self.d)
        self.budget = budget * self.distance(np.full_like(self.d, 1 / len(counts)))

    def distance(self, p):
        return self.m @ (self.w * (p - self.d) ** 2)

    def slsqp(self, objective):
        """Minimise; the gradients are taken numerically, on purpose."""
        best = None
        for start in (self.d, (self.d + 1 / self.m.sum()) / 2):
            scale = abs(objective(start)) or 1
            found = minimize(
                lambda p: objective(p) / scale, start, method="SLSQP",
                bounds=[(1e-12, 1)] * len(self.d), options={"ftol": 1e-14, "maxiter": 2000},
                constraints=[{"type": "eq", "fun": lambda p: self.m @ p - 1},
                             {"type": "ineq",
                              "fun": lambda p: 1 - self.distance(p) / self.budget}])
            # It gives up on some problems with a point near enough to the constraints.
            feasible = (abs(self.m @ found.x - 1) < 1e-7
                        and self.distance(found.x) < self.budget * (1 + 1e-6))
            if feasible and (best is None or found.fun * scale < objective(best)):
                best = found.x
        return best


def roughness(p):
    """QCEM's objective."""
    return np.sum(np.diff(p) ** 2)


class Noise(unittest.TestCase):
    def compare(self, counts, budget, precision, objective, *options):
        problem = Problem(counts, budget, precision)
        words, report = acevec_noise(counts, *options)
        own = np.zeros_like(problem.d)
        own[problem.of_word] = words
        np.testing.assert_array_equal(own[problem.of_word], words)
        self.assertAlmostEqual(problem.m @ own, 1, delta=1e-12)
        self.assertLessEqual(problem.distance(own), problem.budget * (1 + 1e-9))
        self.assertAlmostEqual(report["distance"], problem.distance(own), delta=1e-9)
        self.assertAlmostEqual(report["entropy"], -words @ np.log(words), delta=1e-9)
        other = problem.slsqp(objective)
        self.assertIsNotNone(other, "SLSQP found nothing")
        span = abs(objective(problem.d) - objective(own)) + 1e-12
        # Its point may lie outside the constraints by 1e-6, which buys it something.
        self.assertLessEqual(objective(own), objective(other) + 1e-5 * span)
        np.testing.assert_allclose(own, other, rtol=0, atol=3e-3 * np.abs(other - problem.d).max())

    def test_qcem(self):
        for counts, budget, precision in itertools.product(
                COUNTS, BUDGETS, ("isotropic", "relative")):
            with self.subTest(counts=counts, budget=budget, precision=precision):
                self.compare(counts, budget, precision, roughness, "-noise",
                             NOISES["qcem", precision], "-noise-budget", budget)

    def test_entropy(self):
        for counts, budget, precision in itertools.product(
                COUNTS, BUDGETS, ("isotropic", "relative")):
            with self.subTest(counts=counts, budget=budget, precision=precision):
                m = Problem(counts, budget, precision).m
                self.compare(counts, budget, precision,
                             lambda p, m=m: m @ (p * np.log(np.maximum(p, 1e-300))),
                             "-noise", NOISES["entropy", precision], "-noise-budget", budget)


if __name__ == "__main__":
    if not os.path.exists(ACEVEC):
        sys.exit(f"noise_test.py: found no program {ACEVEC}; build it (make) or set ACEVEC")
    unittest.main()
