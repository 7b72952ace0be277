#!/usr/bin/env python3
"""The wheel of python/: built, installed in a fresh environment without network, and docs/python.md run
there as it is printed.

ACEVEC is a program whose folder is the build, build/acevec when not given.
"""

import os
import random
import re
import subprocess
import sys
import unittest
import zipfile

from files import ACEVEC, ROOT, Files, without_missing

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "venv", "pip", "ensurepip", skip=True)

BUILD = os.path.dirname(ACEVEC)
BACKEND = os.path.join(ROOT, "python", "backend.py")
PIP = ["-m", "pip", "--disable-pip-version-check", "--no-cache-dir"]
WORDS = ["king", "queen", "man", "woman", "unhappy", "happy", "music", "actor", *(f"w{i}" for i in range(60))]
PARAGRAPHS = """Dr. Smith paid 3.5 dollars. "Really?" he asked (twice!). It works... maybe.
Τι κάνεις; Καλά. Это так! Да. 你好。再见！ मैं ठीक हूँ। धन्यवाद
"""


class Wheel(Files):
    def run_it(self, *words, **options):
        """Run a command of the new environment; return what it prints."""
        program = os.path.join(self.path("venv"), "bin", words[0])
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("ACEVEC", "PYTHON", "PIP_"))}
        done = subprocess.run([program, *words[1:]], check=False, cwd=self.directory, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", env={**environment, "TMPDIR": self.directory},
                              **options)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout

    def make(self):
        """Make the wheel, and an environment with it; return the wheel's path."""
        subprocess.run(["cmake", "--build", BUILD, "--target", "acevec-portable"], check=True,
                       stdout=subprocess.DEVNULL)
        wheel = subprocess.run([sys.executable, BACKEND, BUILD, self.directory], check=True,
                               stdout=subprocess.PIPE, encoding="utf-8").stdout.strip()
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", self.path("venv")], check=True)
        self.run_it("python", *PIP, "install", "--no-index", wheel)
        return wheel

    def test_wheel(self):
        wheel = self.make()
        self.check_names(wheel)
        self.check_program()
        self.check_page()
        self.check_backend(wheel)
        self.run_it("python", *PIP, "uninstall", "-y", "acevec")
        left = subprocess.run(["find", self.path("venv"), "-path", "*acevec*"], check=True, stdout=subprocess.PIPE)
        self.assertEqual(left.stdout, b"")

    def check_names(self, wheel):
        tag = re.fullmatch(r"acevec-[\d.]+-py3-none-manylinux_2_(\d+)_[a-z]\w+\.whl", os.path.basename(wheel))
        self.assertTrue(tag, wheel)
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            for name in names:  # the tag is true: no symbol is of a newer glibc
                if name.startswith("acevec/bin/"):
                    symbols = re.findall(rb"\0GLIBC_2\.(\d+)", archive.read(name))
                    self.assertGreater(len(symbols), 1)
                    self.assertLessEqual(max(map(int, symbols)), int(tag[1]), name)
        self.assertLessEqual({"acevec/bin/acevec", "acevec/__init__.pyi"}, {*names})
        self.assertTrue(any(name.endswith("licenses/LICENSE") for name in names))
        self.assertEqual([name for name in names if "pycache" in name], [])

    def check_program(self):
        """The program in the environment does what the one of the build does, with its own libraries."""
        expected = subprocess.run([ACEVEC, "text", "-", "-split", "sentences"], check=True, input=PARAGRAPHS,
                                  stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.assertGreater(len(expected.splitlines()), 8)
        for command in (["acevec"], ["python", "-m", "acevec"]):
            self.assertEqual(self.run_it(*command, "text", "-", "-split", "sentences", input=PARAGRAPHS), expected)
        place = self.run_it("python", "-c", "import acevec; print(acevec.program())").strip()
        self.assertTrue(place.startswith(self.path("venv")))
        needed = subprocess.run(["ldd", place], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        for name, path in re.findall(r"^\s*(\S+) => (/\S+)", needed, re.M):
            if not re.match(r"lib(c|m|gcc_s|stdc\+\+)\.so", name):
                self.assertEqual(os.path.dirname(path), os.path.dirname(place), name)

    def check_page(self):
        with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as stream:
            blocks = re.findall(r"^```python\n(.*?)^```$", stream.read(), re.M | re.S)
        self.assertGreater(len(blocks), 4)
        chance = random.Random(1)
        self.write("corpus.txt", "".join(" ".join(chance.choices(WORDS, k=8)) + "\n" for _ in range(400)))
        self.write("page.py", without_missing("\n".join(blocks)))
        printed = self.run_it("python", "page.py")
        self.assertRegex(printed, r"\A\[\('\S+', -?\d\.\d+\), ")
        self.assertTrue(printed.endswith("100%\n"))

    def check_backend(self, wheel):
        """pip makes the same wheel from the sources."""
        os.makedirs(self.path("again"))
        done = subprocess.run([os.path.join(self.path("venv"), "bin", "python"), *PIP, "wheel",
                               "--no-build-isolation", "--no-deps", "--no-index", "-w", self.path("again"),
                               os.path.join(ROOT, "python")], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={**os.environ, "ACEVEC_BUILD": BUILD}, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(wheel, "rb") as one, open(os.path.join(self.path("again"), os.path.basename(wheel)), "rb") as other:
            self.assertEqual(one.read(), other.read())


if __name__ == "__main__":
    unittest.main()
