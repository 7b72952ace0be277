#!/usr/bin/env python3
"""Every script of eval/ starts by its path from anywhere; and papers/order.py and tools/wiki_text.py.

ACEVEC is the program to run, build/acevec when not given.
"""

import glob
import os
import subprocess
import unittest

from files import EVAL, PNG, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", "sklearn", skip=True)

from lib import tables
from papers import order

WIKI = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/">
  <page>
    <title>{}</title>
    <ns>0</ns>
    <revision><text>{}</text></revision>
  </page>
</mediawiki>
"""


class Scripts(Files):
    def start(self, script, *arguments):
        return run_script(script, *arguments, folder=self.directory)

    def test_help(self):
        scripts = [path for room in ("bench", "papers", "tools")
                   for path in sorted(glob.glob(os.path.join(EVAL, room, "*.py")))]
        self.assertGreater(len(scripts), 15)
        for path in scripts:
            with self.subTest(script=path):
                with open(path, encoding="utf-8") as stream:
                    self.assertEqual(stream.readline(), "#!/usr/bin/env python3\n")
                self.assertTrue(os.access(path, os.X_OK))
                done = self.start(path, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout.startswith(f"usage: {os.path.basename(path)} "))

    def test_by_their_path(self):
        # As a user starts it; one of each folder, whose link to lib is what the others use too.
        for path in ("bench/zipf.py", "papers/kg_time.py", "tools/compare.py"):
            with self.subTest(script=path):
                done = subprocess.run([os.path.join(EVAL, path), "--help"], cwd=self.directory,
                                      stdout=subprocess.PIPE, encoding="utf-8", check=True)
                self.assertTrue(done.stdout.startswith(f"usage: {os.path.basename(path)} "))

    def test_order(self):
        # A tree of 400 places, each with all that is above it.
        pairs = []
        for place in range(1, 400):
            above = place
            while above:
                above = (above - 1) // 3
                pairs.append(f"n{place}\tn{above}\n")
        usual = ("papers/order.py", "--pairs", self.write("pairs.tsv", "".join(pairs)), "--results",
                 self.directory, "--settings", "noise,ace", "--seeds")
        options = ("--", "-iter", 2, "-size", 8, "-threads", 1)
        first = self.start(*usual, 1, *options)
        self.assertEqual(first.returncode, 0, first.stderr)
        text = self.text("order.tsv")
        second = self.start(*usual, 2, *options)
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertTrue(self.text("order.tsv").startswith(text))
        rows = tables.read(self.path("order.tsv"))
        self.assertEqual({(row["split"], row["setting"], row["seed"]) for row in rows},
                         {(split, setting, seed) for split in ("paper", "honest")
                          for setting in ("noise", "ace") for seed in (1, 2)})
        self.assertEqual(len(rows), 8)
        for name in order.SCORES:
            self.assertTrue(all(0 <= row[name] <= 100 for row in rows), name)
        self.assertEqual({(row["split"], row["setting"], row["seed"])
                          for row in tables.read(self.path("order-curves.tsv"))},
                         {(row["split"], row["setting"], row["seed"]) for row in rows})
        self.assertEqual(len(second.stdout.splitlines()), 5)
        for name in ("order-training.png", "order-generator.png"):
            with open(self.path(name), "rb") as stream:
                self.assertEqual(stream.read(len(PNG)), PNG)
        other = self.start(*usual, 1, "--", "-iter", 3)
        self.assertEqual(other.returncode, 1)
        self.assertRegex(other.stderr, r"\Aorder.py: .*holds runs of other options.*; .*\n\Z")

    def test_wiki_text(self):
        words = " ".join(f"word{i}" for i in range(300))
        dump = self.write("dump.xml", WIKI.format("Title", f"'''{words}''' [[more|link]]"))
        reference = self.write("reference.txt", f"Title\n{words} link and three others\n")
        done = self.start("tools/wiki_text.py", dump, reference)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\nTitle\t301\t304\t301\t0.990\t1.000\n", done.stdout)
        done = self.start("tools/wiki_text.py", dump, self.write("other.txt", "nothing\n"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Awiki_text.py: no article of .*; .*\n\Z")

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()


if __name__ == "__main__":
    unittest.main()
