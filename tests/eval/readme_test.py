#!/usr/bin/env python3
"""Runs the commands and the Python of README and of the pages in docs/ as they stand.

The blocks of a page are run in their order, twice, as a reader does who tries a page again, and each
by itself; each time in a fresh copy of the sources in which README's first commands have been run.
Small files stand for the texts that users bring, for WordNet and for MNIST. `make`, `sudo` and `pip`
are stand-ins too, and `python3` is the one that has what a page asks for: the program is the one
under test, and nothing is installed. Blocks marked `sh` and `python` are run; those marked `text` are
shown only.

ACEVEC is the program to run, build/acevec when not given.
"""

import bz2
import glob
import gzip
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from files import ACEVEC, ROOT, without_missing

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "gensim", skip=True)

WORDS = ["paris", "blue", "london", "red", "city", "sky", "#1", '"quoted"', "naïve", "a", "of", "the",
         "king", "queen", "man", "woman", "actor", "computer", "new", "york", "music", "happy", "unhappy",
         "kingdoms", *(f"word{i}" for i in range(60))]
PAGES_XML = """<mediawiki>
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
[ ! -x "$ACEVEC-mpi" ] || ln -sf "$ACEVEC-mpi" build/acevec-mpi
[ "${1-}" != demo ] || cp ../yours/corpus.txt build/glosses.txt
"""
SETS = ("rw", "ws353", "ws353-sim", "ws353-rel", "mturk287", "mturk771", "men", "simlex999", "simverb3500", "mc30",
        "yp130-verbs", "verb143")
PLOTTING = ("numpy", "scipy", "matplotlib", "sklearn")
LEARNING = ("numpy", "sklearn")
# mpirun's options as variables: a test may run as root, and on one core.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
PACKAGE = os.path.join(ROOT, "python")
PROGRAM = "PATH=$PWD/build:$PATH\n"
# What README has made before a page is read.
MADE = PROGRAM + """make demo
cp build/glosses.txt corpus.txt
acevec -train corpus.txt -output vectors.bin -debug 0
acevec -train corpus.txt -output words.bin -maxn 6 -bucket 1000 -output-model words.ft -debug 0
"""


def blocks(page, language):
    """Return the blocks of code of a language in a page."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as stream:
        return re.findall(rf"^```{language}\n(.*?)^```$", stream.read(), re.M | re.S)


PAGES = [page for page in (os.path.relpath(path, ROOT) for path in sorted(glob.glob(os.path.join(ROOT, "docs", "*.md"))))
         if blocks(page, "sh") or blocks(page, "python")]


def sentences(words, seed, count=300):
    chance = random.Random(seed)
    return "".join(" ".join(chance.choices(words, k=8)) + "\n" for _ in range(count))


def wordnet():
    """Return the index and the data of a WordNet's nouns, KINDS."""
    offset = {word: f"{number:08}" for number, word in enumerate(KINDS, 100)}
    index = "".join(f"{word} n 1 1 @ 1 0 {offset[word]}\n" for word in KINDS)
    data = "".join(
        f"{offset[word]} 05 n 01 {word} 0 " + (f"001 @ {offset[kind]} n 0000" if kind else "000")
        + f" | what a {word} is\n" for word, kind in KINDS.items())
    return index, data


def idx(shape, numbers):
    """Return an IDX file of bytes, packed."""
    head = struct.pack(f">BBBB{len(shape)}I", 0, 0, 8, len(shape), *shape)
    return gzip.compress(head + bytes(numbers))


class Pages(unittest.TestCase):
    """Each in a copy of the sources, as a clone would have them, with what users bring laid in it."""

    made = None  # a folder with what MADE has made, by the first page for all of them

    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.folder = os.path.join(self.top, "acevec")
        for name in ("eval", "data"):
            shutil.copytree(os.path.join(ROOT, name), self.path(name), symlinks=True)
        self.write("../bin/make", MAKE, 0o755)
        self.write("../bin/sudo", '#!/bin/sh\nexec "$@"\n', 0o755)
        self.write("../bin/pip", "#!/bin/sh\n", 0o755)
        for name, text in zip(("index", "data"), wordnet()):
            self.write(f"../wordnet/{name}.noun", text)
        for part in ("verb", "adj", "adv"):
            self.write(f"../wordnet/data.{part}", "00000900 29 v 01 run 0 000 | to move fast\n" * 10)
        if interpreter.find(*LEARNING):
            self.write("../bin/python3",
                       f'#!/bin/sh\nexec {interpreter.find(*LEARNING)} "$@"\n', 0o755)
        self.write_mnist("train", 80)
        self.write_mnist("t10k", 20)
        self.write("../yours/corpus.txt", sentences(WORDS, 2, 400))
        raw = sentences(["Paris,", "blue", "London.", "red!", "city"], 1)
        for name in ("news-1.gz", "news-2.gz", "b.txt.gz"):
            with gzip.open(self.path(name), "wt", encoding="utf-8") as stream:
                stream.write(raw)
        with bz2.open(self.path("enwiki-latest-pages-articles.xml.bz2"), "wt") as stream:
            stream.write(PAGES_XML % raw)
        self.write("news.jsonl", "".join(json.dumps({"id": i, "body": line}) + "\n"
                                         for i, line in enumerate(raw.splitlines())))
        self.write("a.txt", sentences(WORDS, 3))
        self.write("special.txt", sentences(WORDS[2:] + ["special"], 2))
        for name in SETS:  # data/get-wordsim.sh does not download what is there
            self.write(f"data/wordsim/{name}.tsv", "king\tqueen\t9\nking\tsky\t1\nred\tblue\t7\n")
        rings = "".join(f"user{i} " + " ".join(str((i + k) % 60 + 1) for k in range(12)) + "\n"
                        for i in range(200))
        for name in ("beauty", "sports"):  # nor does data/get-reviews.sh
            self.write(f"data/reviews/{name}.txt", rings)
        self.write("questions-words.txt", ": gram1\nking queen red blue\nparis london a of\n")
        self.write("glove.txt", "".join(f"{word} 0.5 -1 2\n" for word in WORDS))
        self.write("faq.tsv", "How do I reset it?\tPress the red key.\nIs it blue?\tIt is.\n")
        self.write("answers.txt", "Press the red key.\nIt is.\n")
        self.write("edges.tsv", "".join(f"n{i}\tn{(i * i + 1) % 50}\nn{i}\tn{(i + 1) % 50}\n"
                                        for i in range(50)))
        items = ["milk", "rye bread", "butter", "apples", "cheese"]
        self.write("orders.tsv", "".join(f"order{i % 40}\t{random.Random(i).choice(items)}\n"
                                         for i in range(200)))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode=0o644):
        os.makedirs(os.path.dirname(os.path.normpath(self.path(name))), exist_ok=True)
        with open(os.path.normpath(self.path(name)), "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(os.path.normpath(self.path(name)), mode)

    def write_mnist(self, part, count):
        """Write images whose rows of pixels tell the digit; data/get-mnist.sh finds them there."""
        folder = self.path("data/mnist")
        os.makedirs(folder, exist_ok=True)
        digits = [i % 10 for i in range(count)]
        pixels = [255 if row == 2 * digit else 0
                  for digit in digits for row in range(28) for _ in range(28)]
        for name, shape, numbers in (("images-idx3", (count, 28, 28), pixels),
                                     ("labels-idx1", (count,), digits)):
            with open(os.path.join(folder, f"{part}-{name}-ubyte.gz"), "wb") as out:
                out.write(idx(shape, numbers))

    def bash(self, commands):
        # Of a failure the last command shown is the one that failed.
        done = subprocess.run(["bash", "-veu", "-o", "pipefail", "-c", commands], cwd=self.folder,
                              env={**os.environ, **MPI, "ACEVEC": ACEVEC, "PYTHONPATH": PACKAGE,
                                   "WNSEARCHDIR": os.path.join(self.top, "wordnet"),
                                   "PATH": os.path.join(self.top, "bin:") + os.environ["PATH"]},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout

    def make(self):
        """Lay what MADE makes in the folder."""
        if Pages.made:
            shutil.copytree(Pages.made, self.folder, symlinks=True, dirs_exist_ok=True)
            return
        before = os.listdir(self.folder)
        self.bash(MADE)
        Pages.made = tempfile.mkdtemp()
        self.addClassCleanup(shutil.rmtree, Pages.made)
        shutil.copytree(self.folder, Pages.made, symlinks=True, dirs_exist_ok=True,
                        ignore=lambda folder, _: before if folder == self.folder else [])

    @staticmethod
    def recipes(page):
        """Return the commands of a page, without those that this machine has no packages for."""
        recipes = blocks(page, "sh")
        for mark, there, needed in (
                ("eval/", interpreter.find(*PLOTTING), f"{', '.join(PLOTTING)} for Python"),
                ("sklearn", interpreter.find(*LEARNING), f"{', '.join(LEARNING)} for Python"),
                ("fasttext", shutil.which("fasttext"), "the program fasttext (Debian's package fasttext)"),
                ("mpirun", shutil.which("mpirun") and os.access(ACEVEC + "-mpi", os.X_OK),
                 "mpirun and acevec-mpi")):
            if not there and any(mark in recipe for recipe in recipes):
                print("skipped: commands of", page, "need", needed)
                recipes = [recipe for recipe in recipes if mark not in recipe]
        return recipes

    def test_readme(self):
        self.assertEqual(len(blocks("README.md", "sh")), 10)
        set_up = "".join(blocks("README.md", "sh")[:2])
        printed = self.bash("".join(self.recipes("README.md")) * 2)
        self.assertRegex(printed, r"(?m)^music\t1\t\S+\t-?\d\.\d{6}$")
        self.assertRegex(printed, r"(?m)^58 4 21\t1\t\d+\t\d\.\d{6}$")
        self.assertRegex(printed, r"(?m)^unhappiest\t1\t\S+\t-?\d\.\d{6}$")
        for name in ("news.bin", "wiki.bin", "best.bin", "special.bin"):
            with open(self.path(name + ".json"), encoding="utf-8") as stream:
                record = json.load(stream)
            self.assertEqual(record["settings"]["output"], name)
            self.assertGreater(record["training"]["loss"], 0)
        # What a run is said to leave behind repeats it.
        self.bash(set_up + record["command"])

    def test_python_of_readme(self):
        package_lines, gensim_lines = blocks("README.md", "python")
        self.make()
        self.bash(PROGRAM + "acevec convert vectors.bin vectors.txt")
        found = {}
        sys.path.insert(0, PACKAGE)
        for code in (package_lines, gensim_lines):
            self.assertLessEqual(len(code.splitlines()), 3)
            before = os.getcwd()
            os.chdir(self.folder)
            try:
                with mock.patch.dict(os.environ, {"ACEVEC": ACEVEC}):
                    exec(code, found)  # pylint: disable=exec-used
            finally:
                os.chdir(before)
        self.assertEqual(sorted(found["model"].words), sorted(WORDS))
        self.assertEqual(found["model"].matrix.shape, (len(WORDS), 100))
        self.assertEqual(sorted(found["vectors"].key_to_index), sorted(WORDS))
        numbers = subprocess.run(["grep", "^#1 ", self.path("vectors.txt")], check=True,
                                 stdout=subprocess.PIPE, encoding="utf-8").stdout.split()[1:]
        row = found["vectors"]["#1"]
        self.assertEqual([str(value) for value in row[:3]],
                         [str(type(row[0])(number)) for number in numbers[:3]])

    def test_each_block_of_shell_alone(self):
        """After README's first commands; a page's first block is run by itself by the page's test."""
        for page, first in (("README.md", 2), *((page, 1) for page in PAGES)):
            for commands in self.recipes(page)[first:]:
                with self.subTest(page=page, commands=commands):
                    self.setUp()
                    self.make()
                    self.bash(PROGRAM + commands)

    def test_each_block_of_python_alone(self):
        """Pasted by itself, in a folder with only a text."""
        os.symlink(ACEVEC, self.path("../bin/acevec"))
        python = interpreter.find("numpy", "gensim")
        for page in PAGES:
            for code in blocks(page, "python"):
                with self.subTest(page=page, code=code), tempfile.TemporaryDirectory() as folder:
                    shutil.copy(self.path("../yours/corpus.txt"), folder)
                    self.bash(f"cd {folder}\n{python} - <<'END'\n{without_missing(code)}END\n")

    def run_page(self, page):
        """Return what a page prints in its second round."""
        code = without_missing("\n".join(blocks(page, "python")))
        self.write("page.py", code)
        commands = "".join(self.recipes(page))
        if code:
            commands += f"{interpreter.find('numpy', 'gensim')} page.py\n"
        if not commands:
            self.skipTest("nothing of the page can be run here")
        self.make()
        self.bash(PROGRAM + commands)
        return self.bash(PROGRAM + commands)


def page_test(page):
    name = os.path.splitext(os.path.basename(page))[0]

    def test(self):
        printed = self.run_page(page)
        if name == "from-gensim":  # what the Python prints: neighbours, numbers
            self.assertRegex(printed, r"\[\('[^']+', -?\d\.\d+\), .*\]\n\[[^]]+\] \[[^]]+\]\n\Z")
            gensims, own = ([float(number) for number in row.split()]
                            for row in re.findall(r"\[([-\d. e]+)\]", printed)[-2:])
            for one, other in zip(gensims, own, strict=True):  # sums are in another order
                self.assertAlmostEqual(one, other, delta=1e-6)
        if name == "sequences":
            self.assertRegex(printed, r"(?m)^milk\t1\t")
            self.assertRegex(printed, r"(?m)^58 4 21\t1\t\d+\t\d\.\d{6}$")
            self.assertRegex(printed, r"(?m)^sessions\tpreset\ttest\tnext:0.7\t1\t")
        if name == "scripts":  # the comments say what is printed
            self.assertEqual(printed, "".join(line.split("# ")[1] + "\n"
                                              for line in blocks(page, "sh")[0].splitlines()))
        if name == "vectors":
            self.assertRegex(printed, r"(?m)\A(?:.*\n)*paris\t1\t.*\nparis\t2\t.*\nparis\t3\t")
    return test


for path in PAGES:
    setattr(Pages, "test_" + re.sub(r"\W", "_", path), page_test(path))

if __name__ == "__main__":
    unittest.main()
