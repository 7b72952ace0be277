"""What the tests of python/ share: the package, from the sources, with the program that ACEVEC names."""

import os
import random
import signal
import subprocess
import sys

from files import ACEVEC, ROOT, Files

from lib import interpreter

interpreter.require("numpy", skip=True)
os.environ["ACEVEC"] = ACEVEC
os.environ["PYTHONPATH"] = os.path.join(ROOT, "python")
sys.path.insert(0, os.environ["PYTHONPATH"])
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C

ONE = {"threads": 1, "min_count": 1, "debug": 0}  # the same seed gives the same bytes
WORDS = ["king", "queen", "man", "woman", "żółw", "日本", "a\u00a0b", "-man", "the", *(f"w{i}" for i in range(40))]
SENTENCES = [random.Random(i).choices(WORDS, k=8) for i in range(400)]
TEXT = "".join(" ".join(words) + "\n" for words in SENTENCES)
TRIPLES = [(f"place {i % 30}", f"r{i % 3}", f"place {(7 * i + 1) % 30}") for i in range(200)]


def run(*words, **options):
    return subprocess.run([ACEVEC, *words], check=True, stdout=subprocess.PIPE, encoding="utf-8", **options).stdout


def children():
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as stream:
        return [int(child) for child in stream.read().split()]


class Module(Files):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.directory)
        os.environ["TMPDIR"] = self.directory
        self.write("corpus.txt", TEXT)

    def read(self, name):
        with open(self.path(name), "rb") as stream:
            return stream.read()

    def python(self, code, **options):
        """Run Python in a process of its own."""
        return subprocess.run([sys.executable, "-c", code], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", **options)
