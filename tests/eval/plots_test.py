#!/usr/bin/env python3
"""Tests of plot.py and report.py on tiny runs.

ACEVEC is the program to run, build/acevec when not given. No test looks at a time.
"""

import json
import os
import random
import re
import subprocess
import unittest

from files import ACEVEC, PNG

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", "sklearn", skip=True)

from lib import tables
from runs_test import Scripts


class Trained(Scripts):
    def train(self, name, *options):
        corpus = self.text("corpus", lines=100)
        subprocess.run([ACEVEC, "-train", corpus, "-output", name + ".bin", "-log", name + ".tsv",
                        "-size", "8", "-min-count", "1", "-threads", "1", "-debug", "0", "-iter", "6",
                        *options], check=True, cwd=self.directory)
        return name + ".tsv"


class Curves(Trained):
    def test_two_runs(self):
        one = self.train("one", "-save-every", "30%")
        two = self.train("two", "-save-every", "50%", "-ace", "1", "-ace-filter", "1")
        done = self.good("plot.py", "curves", "plot.png", "NCE=" + one, two, "--wordsim", ".")
        self.assertEqual(done.stdout + done.stderr, "")
        with open(self.path("plot.png"), "rb") as stream:
            self.assertEqual(stream.read(len(PNG)), PNG)
        points = tables.read(self.path("plot.tsv"))
        self.assertEqual([(point["run"], point["tokens"]) for point in points],
                         [("NCE", 1600), ("NCE", 3200), ("NCE", 4800),
                          ("two", 2400), ("two", 4800)])
        for log, end in ((one, points[2]), (two, points[4])):
            scored = self.good("wordsim.py", "--tsv", log.replace(".tsv", ".bin"), "ws353.tsv",
                               "rw.tsv").stdout.split("\n")[1:3]
            self.assertEqual([end["ws353"], end["rw"]],
                             [float(line.split("\t")[3]) for line in scored])

    def test_vectors_beside_the_log(self):
        log = self.train("one")
        os.mkdir(self.path("moved"))
        for name in (log, "one.bin"):
            os.rename(self.path(name), self.path(f"moved/{name}"))
        self.good("plot.py", "curves", "plot.png", "moved/one.tsv", "--wordsim", ".")
        self.assertEqual(len(tables.read(self.path("plot.tsv"))), 1)

    def test_losses_alone(self):
        log = self.train("one")
        os.mkdir(self.path("none"))
        done = self.good("plot.py", "curves", "plot.png", log, "--wordsim", "none")
        self.assertRegex(done.stderr, "quality is left out")
        self.assertTrue(os.path.exists(self.path("plot.png")))
        self.assertFalse(os.path.exists(self.path("plot.tsv")))

    def test_errors(self):
        self.bad("not a log", "plot.py", "curves", "p.png", self.write("t", "a\tb\n1\t2\n"),
                 "--wordsim", ".")
        self.bad("No such file", "plot.py", "curves", "p.png", "none.tsv", "--wordsim", ".")
        self.bad("not the name of a picture", "plot.py", "curves", self.train("one"), "one.tsv")
        os.remove(self.path("one.bin"))
        self.bad("one.bin: No such file", "plot.py", "curves", "p.png", "one.tsv",
                 "--wordsim", ".")

    def test_svg_against_tokens(self):
        self.good("plot.py", "curves", "plot.svg", "A&B=" + self.train("one"), "--wordsim", ".",
                  "--against", "tokens")
        picture = self.read("plot.svg")
        for text in ("A&amp;B", "tokens, millions", "learning rate", "RW, ρ × 100"):
            self.assertIn(">" + text + "<", picture)
        self.assertNotIn("seconds", picture)
        self.assertNotIn("entropy", picture)  # there is no generator


class Map(Scripts):
    def setUp(self):
        super().setUp()
        # Two bundles of directions, the words of a bundle next to each other in it.
        chance = random.Random(2)
        rows = []
        for number in range(20):
            values = [chance.gauss(0, 0.05) for _ in range(5)]
            values[number % 2] += 1 + number  # lengths do not matter
            rows.append(f"{'ab'[number % 2]}{number} {' '.join(map(str, values))}\n")
        self.vectors = self.write("v.txt", f"{len(rows)} 5\n" + "".join(rows))

    def words(self, picture):
        return re.findall(r">([ab]\d+)<", self.read(picture))

    def test_most_frequent(self):
        self.good("plot.py", "map", "map.svg", self.vectors, "--top", 6)
        for method in ("PCA", "t-SNE"):
            self.assertIn(">" + method + "<", self.read("map.svg"))
        self.assertEqual(sorted(set(self.words("map.svg"))), ["a0", "a2", "a4", "b1", "b3", "b5"])
        self.good("plot.py", "map", "again.svg", self.vectors, "--top", 6)
        places = [re.findall(r"<use [^>]*>", self.read(name)) for name in ("map.svg", "again.svg")]
        self.assertEqual(*[[re.findall(r" [xy]=\S+", use) for use in uses] for uses in places])

    def test_each_word_has_a_label(self):
        """Also in a crowd, where labels have no room beside their points."""
        self.good("plot.py", "map", "map.svg", self.vectors, "--method", "pca")
        self.assertEqual(len(set(self.words("map.svg"))), 20)

    def test_words_and_their_neighbours(self):
        done = self.good("plot.py", "map", "map.svg", self.vectors, "a8", "none", "--near", 4,
                         "--method", "pca")
        self.assertEqual(done.stderr, f"plot.py: {self.vectors} has no vector for none; left out\n")
        words = self.words("map.svg")
        self.assertEqual((len(words), {word[0] for word in words}, "a8" in words), (5, {"a"}, True))
        self.good("plot.py", "map", "map.png", self.vectors, "a8", "b1", "b3")

    def test_errors(self):
        self.bad("2 words are too few", "plot.py", "map", "m.png", self.vectors, "a0", "b1")
        self.bad("not the name of a picture", "plot.py", "map", self.vectors, "a0")
        self.bad("No such file", "plot.py", "map", "m.png", "none")


class Report(Trained):
    def test_page(self):
        one, two = self.train("one"), self.train("two", "-ace", "1", "-ace-filter", "1")
        done = self.good("report.py", "page.html", "A<B=one.bin", "two.bin", "--wordsim", ".",
                         "--words", "w1,w2")
        self.assertEqual(done.stderr, "")
        page = self.read("page.html")
        self.assertNotRegex(page, r'(src|href)="(?!data:)')
        self.assertNotIn("A<B", page)
        shown, folded = page.split("<details>", 1)
        self.assertIn('<tr class="differs"><td>-ace</td><td>0</td><td>1</td></tr>', shown)
        self.assertIn("<tr><td>-log</td><td>one.tsv</td><td>two.tsv</td></tr>", shown)
        self.assertNotIn("<td>-size</td>", shown)
        self.assertIn("<tr><td>-size</td><td>8</td><td>8</td></tr>", folded)
        for name in ("one", "two"):
            with open(self.path(name + ".bin.json"), encoding="utf-8") as stream:
                record = json.load(stream)
            self.assertIn(f"<pre>{record['command']}</pre>", page)
            self.assertIn(f"{record['training']['loss']:.4g}</td>", page)
        scored = self.good("wordsim.py", "--tsv", "one.bin", "rw.tsv").stdout.split("\n")[1]
        rho = float(scored.split("\t")[3])
        self.assertRegex(page, rf'RW, ρ × 100</td><td class="number">(<b>)?{rho:.1f}(</b>)? <small>')
        asked = subprocess.run([ACEVEC, "nn", "one.bin", "w2", "-format", "tsv"], check=True,
                               stdout=subprocess.PIPE, encoding="utf-8", cwd=self.directory)
        row = re.search(r"<th>w2</th><td>(.*?)</td>", page)[1]
        self.assertEqual(re.sub("</?b>", "", row).split(", "),
                         [line.split("\t")[2] for line in asked.stdout.splitlines()])
        self.assertIn("data:image/svg+xml;base64,", page)

    def test_without_record_and_log(self):
        self.train("one")
        for name in ("one.tsv", "one.bin.json"):
            os.remove(self.path(name))
        os.mkdir(self.path("none"))
        done = self.good("report.py", "page.html", "one.bin", "--wordsim", "none")
        self.assertRegex(done.stderr, "has no one.bin.json")
        page = self.read("page.html")
        self.assertIn("No run has a log", page)
        self.assertEqual(page.count("<th>w"), 5)  # words are chosen by themselves

    def test_errors(self):
        self.train("one")
        self.bad("not the name of a page", "report.py", "one.bin", "one.bin")
        self.bad("same label", "report.py", "p.html", "one.bin", "one.bin", "--wordsim", ".")
        self.write("one.bin.json", "[]")
        self.bad("not a record of a run", "report.py", "p.html", "one.bin", "--wordsim", ".")


if __name__ == "__main__":
    unittest.main()
