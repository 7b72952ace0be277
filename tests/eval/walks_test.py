#!/usr/bin/env python3
"""tools/walks.py: walks follow edges, every node keeps an edge, scores are those of known vectors."""

import random
import unittest

from files import Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", skip=True)

import numpy as np

from tools import walks

RING = "".join(f"n{i}\tn{(i + 1) % 30}\n" for i in range(30))


class Walks(Files):
    def start(self, *arguments):
        return run_script("tools/walks.py", *arguments)

    def test_walks_follow_edges(self):
        edges = self.write("edges.tsv", RING + "n0\tn15\textra\nn3\tn3\nn1\tn0\n")
        done = self.start("make", edges, self.path("walks"), "--walks", "3", "--length", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        known = {frozenset(edge) for edge in walks.read_edges(edges)}
        self.assertEqual(len(known), 31)
        with open(self.path("walks"), encoding="utf-8") as stream:
            lines = [line.split() for line in stream]
        self.assertEqual(len(lines), 90)
        self.assertEqual(len({line[0] for line in lines}), 30)
        for line in lines:
            self.assertEqual(len(line), 7)
            for step in zip(line, line[1:]):
                self.assertIn(frozenset(step), known)
        again = self.start("make", edges, self.path("again"), "--walks", "3", "--length", "7")
        self.assertEqual(again.returncode, 0)
        with open(self.path("again"), encoding="utf-8") as stream:
            self.assertEqual([line.split() for line in stream], lines)

    def test_every_node_keeps_an_edge(self):
        chance = random.Random(1)
        edges = [(a, b) for a in range(40) for b in range(a + 1, 40) if chance.random() < 0.1]
        kept, held = walks.hold_out(edges, 0.3, chance)
        self.assertEqual(sorted(kept + held), edges)
        self.assertEqual(len(held), int(0.3 * len(edges)))
        self.assertEqual({node for edge in kept for node in edge},
                         {node for edge in edges for node in edge})

    def test_area(self):
        self.assertEqual(walks.area(np.array([2.0, 3.0]), np.array([0.0, 1.0])), 1)
        self.assertEqual(walks.area(np.array([0.0, 1.0]), np.array([0.0, 1.0])), 0.5)
        self.assertEqual(walks.area(np.array([0.0]), np.array([1.0, 2.0])), 0)

    def test_score(self):
        # Nodes on a circle, near where they are near in the ring: a held-out edge is found.
        angles = [2 * np.pi * i / 30 for i in range(30)]
        vectors = self.write("v.txt", "30 2\n" + "".join(
            f"n{i} {np.cos(a):.6f} {np.sin(a):.6f}\n" for i, a in enumerate(angles)))
        edges = self.write("edges.tsv", RING)
        done = self.start("score", vectors, edges, self.write("held.tsv", "n4\tn5\nn9\tn10\n"))
        self.assertEqual(done.stdout, "2 held-out edges\tAUC 100.0\tHits@10 100.0\n", done.stderr)

    def test_bad_input(self):
        for text in ("a b\n", "a\n", "", "a\t\n", "a b\tc\n"):
            done = self.start("make", self.write("bad.tsv", text), self.path("out"))
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"\Awalks\.py: .*; .*\n\Z")


if __name__ == "__main__":
    unittest.main()
