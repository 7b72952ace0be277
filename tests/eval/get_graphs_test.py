#!/usr/bin/env python3
"""data/get-graphs.sh, with a curl that copies from a folder: what is written, kept and refused."""

import hashlib
import os
import re
import shutil
import subprocess
import unittest

from files import ROOT, Files

GRAPHS = ("fb15k-237", "wn18rr", "yago3-10", "codex-s", "codex-m", "codex-l")
PARTS = {"train": "a\tr\tb\nb\tr\tc\n", "valid": "a\tr\tc\n", "test": "c\tr\ta\n"}
CURL = """#!/bin/sh
echo "$6" >>"$SERVED/asked"
cp "$SERVED/$(basename "$6")" "$5"
"""


def git_name(text):
    return hashlib.sha1(f"blob {len(text)}\0{text}".encode()).hexdigest()


class GetGraphs(Files):
    """The script is a copy that expects PARTS."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("served"))
        os.mkdir(self.path("bin"))
        for name in ("get-graphs.sh", "download.sh"):
            shutil.copy(os.path.join(ROOT, "data", name), self.path(name))
        script = self.text("get-graphs.sh")
        for part, text in PARTS.items():
            script, count = re.subn(rf"(?m)^( +{part}=)[0-9a-f]{{40}}$", rf"\g<1>{git_name(text)}", script)
            self.assertEqual(count, len(GRAPHS))
            self.write(f"served/{part}.txt", text)
        self.write("get-graphs.sh", script)
        self.write("bin/curl", CURL)
        os.chmod(self.path("bin/curl"), 0o755)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    def get(self, *words):
        return subprocess.run(["sh", self.path("get-graphs.sh"), *words], check=False,
                              capture_output=True, encoding="utf-8",
                              env={**os.environ, "SERVED": self.path("served"),
                                   "PATH": self.path("bin:") + os.environ["PATH"]})

    def test_graphs(self):
        asked = set()
        for graph in GRAPHS:
            done = self.get(graph)
            self.assertEqual((done.returncode, done.stderr), (0, ""), graph)
            self.assertIn(f"graphs/{graph}/train.tsv: complete, 2 triples\n", done.stdout)
            for part, text in PARTS.items():
                self.assertEqual(self.text(f"graphs/{graph}/{part}.tsv"), text)
            self.assertEqual(len(os.listdir(self.path(f"graphs/{graph}"))), 3)  # nothing else stays
            asked.update(self.text("served/asked").splitlines())
        self.assertEqual(len(asked), 3 * len(GRAPHS))

    def test_goes_on_and_keeps_what_is_there(self):
        os.remove(self.path("served/valid.txt"))
        done = self.get("wn18rr", self.path("wn"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"(?m)^get-graphs.sh: could not download https://.*/valid.txt; check ")
        self.assertEqual(os.listdir(self.path("wn")), ["train.tsv"])
        self.write("wn/train.tsv", "the user's own\n")
        self.write("served/valid.txt", PARTS["valid"])
        done = self.get("wn18rr", self.path("wn"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("wn/train.tsv: already there\n", done.stdout)
        self.assertEqual(self.text("wn/train.tsv"), "the user's own\n")
        self.assertEqual(self.text("wn/valid.tsv"), PARTS["valid"])

    def test_other_bytes_are_refused(self):
        self.write("served/test.txt", PARTS["test"][:-1])
        done = self.get("codex-m", self.path("m"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("/test.txt is not the file of the publications; ", done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("m"))), ["train.tsv", "valid.tsv"])

    def test_usage(self):
        for words in ((), ("fb15k",), ("--help",)):
            done = self.get(*words)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, f"get-graphs.sh: which graph? give {', '.join(GRAPHS[:-1])} or {GRAPHS[-1]}\n")
        self.assertEqual(self.get("wn18rr", "a", "b").stderr,
                         "get-graphs.sh: takes one path at most; usage: data/get-graphs.sh GRAPH [DIR]\n")


if __name__ == "__main__":
    unittest.main()
