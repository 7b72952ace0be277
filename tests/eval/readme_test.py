#!/usr/bin/env python3
"""Runs README's commands and its Python as they stand, in order, in a fresh copy of the sources.

Small files stand for the texts that users bring, and a small one for WordNet. `make` and
`sudo` are stand-ins too: the program is the one under test, and nothing is installed.

ACEVEC is the program to run, build/acevec when not given.
"""

import bz2
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

from files import ACEVEC, ROOT

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "gensim", skip=True)

WORDS = ["paris", "blue", "london", "red", "city", "sky", "#1", '"quoted"', "naïve", "a", "of", "the",
         "king", "queen", "man", "woman", "computer", "new", "york", *(f"word{i}" for i in range(60))]
PAGES = """<mediawiki>
  <page><title>Paris</title><ns>0</ns><id>1</id><revision><id>2</id><text>%s</text></revision></page>
</mediawiki>
"""
# Words and what they are kinds of, for a small WordNet.
KINDS = {"animal": None, "canine": "animal", "dog": "canine",
         **{f"kind{i}": "animal" for i in range(12)},
         **{f"breed{i}": f"kind{i % 12}" for i in range(48)}}
# `make` as if it had built the program under test, and `make demo` as if it had been run.
MAKE = """#!/bin/sh
mkdir -p build
ln -sf "$ACEVEC" build/acevec
[ "${1-}" != demo ] || cp ../yours/corpus.txt build/glosses.txt
"""
PLOTTING = ("numpy", "scipy", "matplotlib", "sklearn")


def blocks(language, section=None):
    """Return the code blocks of a language in README, or in one of its sections."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as stream:
        text = stream.read()
    if section:
        text = re.search(rf"^## {section}\n(.*?)(?=^## )", text, re.M | re.S)[1]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def sentences(words, seed, count=300):
    chance = random.Random(seed)
    return "".join(" ".join(chance.choices(words, k=8)) + "\n" for _ in range(count))


def wordnet():
    """Return the index and the data of a WordNet's nouns, KINDS."""
    offset = {word: f"{number:08}" for number, word in enumerate(KINDS, 100)}
    index = "".join(f"{word} n 1 1 @ 1 0 {offset[word]}\n" for word in KINDS)
    data = "".join(
        f"{offset[word]} 05 n 01 {word} 0 " + (f"001 @ {offset[kind]} n 0000" if kind else "000")
        + " | x\n" for word, kind in KINDS.items())
    return index, data


class Readme(unittest.TestCase):
    """In a copy of the sources, as a clone would have them, with what users bring laid in it."""

    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.top)
        cls.folder = os.path.join(cls.top, "acevec")
        for name in ("eval", "data"):
            shutil.copytree(os.path.join(ROOT, name), cls.path(name), symlinks=True)
        cls.write("../bin/make", MAKE, 0o755)
        cls.write("../bin/sudo", '#!/bin/sh\nexec "$@"\n', 0o755)
        for name, text in zip(("index", "data"), wordnet()):
            cls.write(f"../wordnet/{name}.noun", text)
        cls.write("../yours/corpus.txt", sentences(WORDS, 2, 400))
        raw = sentences(["Paris,", "blue", "London.", "red!", "city"], 1)
        for name in ("news-1.gz", "news-2.gz"):
            with gzip.open(cls.path(name), "wt", encoding="utf-8") as stream:
                stream.write(raw)
        with bz2.open(cls.path("enwiki-latest-pages-articles.xml.bz2"), "wt") as stream:
            stream.write(PAGES % raw)
        cls.write("special.txt", sentences(WORDS[2:] + ["special"], 2))
        cls.write("words.txt", "london\nred\n")
        cls.write("ws353.tsv", "king\tqueen\t9\nking\tsky\t1\nred\tblue\t7\n")
        cls.write("questions-words.txt", ": gram1\nking queen red blue\nparis london a of\n")
        cls.write("glove.txt", "".join(f"{word} 0.5 -1 2\n" for word in WORDS))
        triples = [f"{city}\tcapital_of\t{land}\n" for city, land in
                   (("oslo", "norway"), ("paris", "france"), ("rome", "italy"), ("riga", "latvia"))]
        cls.write("train.tsv", "".join(triples * 2))
        cls.write("valid.tsv", triples[0])
        cls.write("test.tsv", triples[1])

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, text, mode=0o644):
        os.makedirs(os.path.dirname(os.path.normpath(cls.path(name))), exist_ok=True)
        with open(os.path.normpath(cls.path(name)), "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(os.path.normpath(cls.path(name)), mode)

    def bash(self, commands):
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", commands], cwd=self.folder,
                              env={**os.environ, "ACEVEC": ACEVEC,
                                   "WNSEARCHDIR": os.path.join(self.top, "wordnet"),
                                   "PATH": os.path.join(self.top, "bin:") + os.environ["PATH"]},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def run_recipes(self):
        """Run all commands of README as they stand, in their order and in one shell."""
        self.assertEqual(len(blocks("sh", "Recipes")), 6)
        recipes = blocks("sh")
        self.assertGreater(len(recipes), 15)
        if not interpreter.find(*PLOTTING):
            print("skipped: README's plots need", ", ".join(PLOTTING), "for Python")
            recipes = [recipe for recipe in recipes if "eval/" not in recipe]
        # Of a failure the last command shown is the one that failed.
        return self.bash("set -v\n" + "".join(recipes))

    def test_recipes_and_python(self):
        printed = self.run_recipes()
        self.assertRegex(printed, r"(?m)^paris: \S+ -?\d\.\d{3} .*\nblue: ")
        with open(self.path("neighbours.tsv"), encoding="utf-8") as stream:
            self.assertEqual([line.split("\t")[:2] for line in stream],
                             [[word, str(rank)] for word in ("london", "red") for rank in (1, 2, 3)])
        for name in ("news.bin", "wiki.bin", "vectors.bin", "special.bin"):
            with open(self.path(name + ".json"), encoding="utf-8") as stream:
                record = json.load(stream)
            self.assertEqual(record["settings"]["output"], name)
            self.assertGreater(record["training"]["loss"], 0)
        # What a run is said to leave behind repeats it.
        set_up = blocks("sh", "Recipes")[0]
        self.bash(set_up + record["command"])

        gensim_lines, numpy_lines = blocks("python", "In Python")
        self.bash(set_up + "acevec -train corpus.txt -output vectors.txt -quiet")
        found = {}
        for code in (gensim_lines, numpy_lines):
            self.assertLessEqual(len(code.splitlines()), 3)
            before = os.getcwd()
            os.chdir(self.folder)
            try:
                exec(code, found)  # pylint: disable=exec-used
            finally:
                os.chdir(before)
        self.assertEqual(sorted(found["words"]), sorted(WORDS))
        self.assertEqual(found["matrix"].shape, (len(WORDS), 100))
        self.assertEqual(str(found["matrix"].dtype), "float32")
        self.assertEqual(sorted(found["vectors"].key_to_index), sorted(WORDS))
        numbers = subprocess.run(["grep", "^#1 ", self.path("vectors.txt")], check=True,
                                 stdout=subprocess.PIPE, encoding="utf-8").stdout.split()[1:]
        row = found["matrix"][list(found["words"]).index("#1")]
        self.assertEqual([str(value) for value in row[:3]],
                         [str(type(row[0])(number)) for number in numbers[:3]])


if __name__ == "__main__":
    unittest.main()
