#!/usr/bin/env python3
"""Runs README's recipes and its Python as they stand, in a temporary folder with small inputs.

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

WORDS = ["paris", "blue", "london", "red", "city", "sky", "#1", '"quoted"', "naïve", "a", "of", "the"]
PAGES = """<mediawiki>
  <page><title>Paris</title><ns>0</ns><id>1</id><revision><id>2</id><text>%s</text></revision></page>
</mediawiki>
"""


def blocks(section, language):
    """Return the code blocks of a language in a section of README."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as stream:
        text = re.search(rf"^## {section}\n(.*?)(?=^## )", stream.read(), re.M | re.S)[1]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def sentences(words, seed, count=300):
    chance = random.Random(seed)
    return "".join(" ".join(chance.choices(words, k=8)) + "\n" for _ in range(count))


class Readme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        os.mkdir(cls.path("bin"))
        os.symlink(ACEVEC, cls.path("bin/acevec"))
        raw = sentences(["Paris,", "blue", "London.", "red!", "city"], 1)
        for name in ("news-1.gz", "news-2.gz"):
            with gzip.open(cls.path(name), "wt", encoding="utf-8") as stream:
                stream.write(raw)
        for name, words in (("corpus.txt", WORDS), ("special.txt", WORDS[2:] + ["new"])):
            with open(cls.path(name), "w", encoding="utf-8") as stream:
                stream.write(sentences(words, 2))
        with open(cls.path("words.txt"), "w", encoding="utf-8") as stream:
            stream.write("london\nred\n")
        with bz2.open(cls.path("enwiki-latest-pages-articles.xml.bz2"), "wt") as stream:
            stream.write(PAGES % raw)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def bash(self, commands):
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", commands], cwd=self.folder,
                              env={**os.environ, "PATH": self.path("bin:") + os.environ["PATH"]},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, 0, commands + done.stderr)
        return done.stdout

    def run_recipes(self):
        """Run all of them, in their order; return what they printed."""
        recipes = blocks("Recipes", "sh")
        self.assertEqual(len(recipes), 5)
        return [(recipe, self.bash(recipe)) for recipe in recipes]

    def test_recipes_and_python(self):
        printed = "".join(text for _, text in self.run_recipes())
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
        self.bash(record["command"])

        gensim_lines, numpy_lines = blocks("In Python", "python")
        self.bash("acevec -train corpus.txt -output vectors.txt -quiet")
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
