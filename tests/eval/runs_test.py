#!/usr/bin/env python3
"""Tests of neighbours.py and fine_tuning.py on tiny runs.

ACEVEC is the program to run, build/acevec when not given. No test looks at a time.
"""

import os
import random
import re
import unittest

from files import ACEVEC, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", skip=True)

from papers import fine_tuning
from lib import tables

WORDS = [f"w{i}" for i in range(40)]
OPTIONS = "-iter 5 -min-count 1 -sample 0 -alpha 0.2 -threads 1"
ACE = "-ace 1 -ace-filter 0"  # with the filter all pairs of so small a text would be left alone


def script(name):
    """The path of a script in eval/."""
    return os.path.join("papers" if name == "fine_tuning.py" else "tools", name)


class Scripts(Files):
    def setUp(self):
        super().setUp()
        chance = random.Random(1)
        pairs = [(*chance.sample(WORDS, 2), chance.random()) for _ in range(50)]
        for name in ("ws353", "rw"):
            self.write(name + ".tsv", "".join(f"{a}\t{b}\t{x}\n" for a, b, x in pairs))
            pairs.reverse()
            pairs.pop()

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    def text(self, name, words=WORDS, seed=1, lines=200):
        chance = random.Random(seed)
        return self.write(name, "".join(" ".join(chance.choices(words, k=8)) + "\n"
                                        for _ in range(lines)))

    def run_script(self, name, *arguments):
        return run_script(script(name), *arguments, folder=self.directory)

    def good(self, name, *arguments):
        done = self.run_script(name, *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def bad(self, pattern, name, *arguments, status=1):
        """The script must end with one line, which has the pattern."""
        done = self.run_script(name, *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertRegex(done.stderr, rf"\A{name}: (?=.*(?:{pattern})).*; .*\n\Z")


class NeighboursTable(Scripts):
    def setUp(self):
        super().setUp()
        # Angles: the neighbours of a are b c d e in the first file, e d c b in the second.
        first = "a 10 0\nb 10 1\nc 10 2\nd 10 3\ne 10 4\n"
        second = "a 10 0\ne 10 1\nd 10 2\nc 10 3\nb|x 10 4\n"
        self.files = self.write("one.txt", first), self.write("two.txt", second)

    def test_ranks(self):
        done = self.good("neighbours.py", *self.files, "a", "d", "--ranks", "1,3-4",
                         "--format", "tsv")
        self.assertEqual(done.stdout, "vectors\trank\ta\td\n"
                         "one.txt\t1\tb\te\none.txt\t3\td\tb\none.txt\t4\te\ta\n"
                         "two.txt\t1\te\tc\ntwo.txt\t3\tc\tb|x\ntwo.txt\t4\tb|x\ta\n")

    def test_formats(self):
        arguments = ["X=" + self.files[0], "Y=" + self.files[1], "a", "--more",
                     "Z=" + self.files[0], "--ranks", "1,3-4"]
        self.assertEqual(self.good("neighbours.py", *arguments).stdout,
                         "vectors  rank  a\n\nX        1     b\n\nX        3     d\n"
                         "X        4     e\n\nY        1     e\n\nY        3     c\n"
                         "Y        4     b|x\n\nZ        1     b\n\nZ        3     d\n"
                         "Z        4     e\n")
        lines = self.good("neighbours.py", *arguments, "--format",
                          "markdown").stdout.split("\n")
        self.assertEqual(lines[:2], ["| vectors | rank | a |", "|---|---|---|"])
        self.assertEqual(lines[7], "| Y | 4 | b\\|x |")

    def test_default_ranks_and_missing_words(self):
        done = self.good("neighbours.py", *self.files, "b", "a", "--format", "tsv")
        rows = [line.split("\t") for line in done.stdout.split("\n")[1:-1]]
        self.assertEqual([row[1] for row in rows],
                         2 * ["1", "2", "3", "4", "5", "45", "46", "47", "48", "49", "50"])
        self.assertEqual(rows[0][2:], ["c", "b"])  # c is nearer to b than a is
        self.assertEqual(rows[11][2:], ["", "e"])
        self.assertRegex(done.stderr, r'\A.*two.txt: .*no vector for "b".*\n\Z')

    def test_errors(self):
        one, two = self.files
        self.bad("no vector for", "neighbours.py", one, two, "q")
        self.bad("two files are called", "neighbours.py", one, one, "a")
        self.bad("cannot read", "neighbours.py", one, "none.txt", "a")
        for ranks in ("0-3", "5-2", "x"):
            self.bad("--ranks", "neighbours.py", one, two, "a", "--ranks", ranks, status=2)


class FineTuning(Scripts):
    def setUp(self):
        super().setUp()
        self.arguments = ["--corpus", self.text("corpus", WORDS[:30], 2), "--glosses",
                          self.text("glosses", WORDS, 3), "--size", 8, "--first", OPTIONS,
                          "--options", OPTIONS, "--ace", ACE,
                          "--wordsim", self.directory, "--work", self.path("work"), "--out",
                          self.path("table.tsv")]

    def rows(self):
        return {(row["arm"], row["seed"]): row for row in
                tables.read(self.path("table.tsv"))}

    def test_resumed(self):
        self.good("fine_tuning.py", *self.arguments, "--seeds", "1,2")
        rows, text = self.rows(), self.read("table.tsv")
        self.assertEqual(list(rows), [(arm, seed) for seed in (1, 2)
                                      for arm in ("start", "noise", "ace")])
        for name in fine_tuning.SETS:
            self.assertEqual(len({row[name] for row in rows.values()}), 6)
        # A table cut short, and one of its starting points gone: the rest is made again, the same.
        cut = text.rindex("\nnoise\t2") + 4
        self.write("table.tsv", text[:cut])
        os.remove(self.path("work/table-start-2.bin"))
        done = self.good("fine_tuning.py", *self.arguments, "--seeds", "1,2,3")
        self.assertEqual(re.findall(r"\d/\d: (\w+), seed (\d)", done.stderr),
                         [("noise", "2"), ("ace", "2"), ("start", "3"), ("noise", "3"),
                          ("ace", "3")])
        again = self.rows()
        self.assertEqual(len(again), 9)
        for key, row in rows.items():
            self.assertEqual([row[name] for name in fine_tuning.SETS],
                             [again[key][name] for name in fine_tuning.SETS], key)
        self.assertTrue(self.read("table.tsv").startswith(text[:cut - 3]))
        self.assertEqual(done.stdout, self.read("table-summary.tsv"))
        self.assertEqual(sorted({name.split("-")[1] for name in os.listdir(self.path("work"))
                                 if name.endswith(".bin")}), ["context", "start"])

    def test_what_the_arms_do(self):
        # Stands in for acevec: leaves its arguments where they can be seen.
        program = self.write("program", f"#!/bin/sh\necho \"$@\" >> '{self.path('calls')}'\n"
                             f"exec '{ACEVEC}' \"$@\"\n")
        os.chmod(program, 0o755)
        done = run_script(script("fine_tuning.py"), *self.arguments, "--seeds", "5", "--contexts",
                          "--scratch", ACEVEC=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        start, noise, ace, scratch = (
            call for call in self.read("calls").replace(self.directory + "/", "").splitlines()
            if call.startswith("-train "))
        own = "-size 8 -seed 5 " + OPTIONS
        init = " -init work/table-start-5.bin -init-context work/table-context-5.bin"

        def from_to(text, arm):
            return f"-train {text} -output work/table-{arm}-5.bin "
        self.assertEqual(start, from_to("glosses", "start") + own +
                         " -output-context work/table-context-5.bin")
        self.assertEqual(noise, from_to("corpus", "noise") + own + init)
        self.assertEqual(ace, from_to("corpus", "ace") + own + init + " " + ACE)
        self.assertEqual(scratch, from_to("corpus", "scratch") + own)

    def test_other_settings_are_not_mixed(self):
        self.good("fine_tuning.py", *self.arguments, "--seeds", "1")
        text = self.read("table.tsv")
        self.bad("other settings", "fine_tuning.py", *self.arguments, "--seeds", "1", "--contexts")
        self.assertEqual(self.read("table.tsv"), text)

    def test_summary(self):
        def row(arm, seed, rho):
            return {"arm": arm, "seed": seed, "ws353": rho, "rw": None}
        rows = [row("noise", 1, 10.0), row("noise", 2, 12.0), row("ace", 1, 11.0),
                row("ace", 2, 15.0), row("ace", 3, 99.0), row("ace", 4, 0.0)]
        found = {line["arm"]: line for line in fine_tuning.summary(rows, [1, 2, 3])}
        self.assertEqual(found["ace"]["seeds"], 3)
        self.assertEqual((found["noise"]["mean"], found["ace - noise"]["mean"]), (11, 2))
        self.assertAlmostEqual(found["ace - noise"]["stdev"], 2 ** 0.5)
        # t with one degree of freedom is 12.706 at 97.5 %; the standard error is 1.
        self.assertAlmostEqual(found["ace - noise"]["low"], 2 - 12.706, 3)
        self.assertAlmostEqual(found["ace - noise"]["high"], 2 + 12.706, 3)
        one = fine_tuning.summary(rows, [1])
        self.assertEqual([one[2][name] for name in ("seeds", "mean", "stdev", "low")],
                         [1, 1, None, None])


if __name__ == "__main__":
    unittest.main()
