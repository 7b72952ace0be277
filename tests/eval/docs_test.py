#!/usr/bin/env python3
"""README and docs: links lead somewhere, options exist and have the defaults that pages give them.

ACEVEC is the program to run, build/acevec when not given.
"""

import glob
import json
import os
import re
import subprocess
import unittest

from files import ACEVEC, ROOT

README = os.path.join(ROOT, "README.md")
REFERENCE = sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))
PAGES = [README, os.path.join(ROOT, "CONTRIBUTING.md"), *REFERENCE, *sorted(glob.glob(os.path.join(ROOT, "docs", "experiments", "*.md")))]
# In their tables the first column has the options of the other program.
OTHERS = ("from-fasttext.md", "from-gensim.md")
OPTION = re.compile(r"(?<![\w.\-/])(--?)([a-z][a-z0-9-]*)(?![\w.]|-\.)")
# Programs that pages name with options of their own.
FOREIGN = ("fasttext", "perf", "mpirun", "srun", "cmake", "make", "kill", "head", "sort", "awk",
           "ulimit", "python", "MINUTES", "SOAK_FLAGS", "eval/", "data/", "tests/", "zcat", "SBATCH",
           "ctest", "sudo")
# word2vec's, which page and program name to say that they do not exist; and compilers'.
ABSENT = {"classes", "fno-omit-frame-pointer", "map-by", "bind-to", "hostfile", "signal", "q"}

# Choices that have a row each in a table of the page.
DESCRIBED = (("", "noise", "noise.md"), ("", "loss", "losses.md"), ("kg", "score", "kg.md"),
             ("kg", "loss", "kg.md"), ("metric", "ace-sampler", "metric.md"))

# Words of our own where the field has a term.
STUMBLES = ("for certain|dear:|is dear|gone on with|equal seeds|start of the random|falling count|"
            "falling number|nobody asked|in silence|told on standard|is no number|all generals [%0-9]")


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def slug(heading):
    """Return the anchor that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def anchors(path):
    text = re.sub(r"^```.*?^```", "", read(path), flags=re.M | re.S)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def option_tables():
    """Return {command: {option: its help}}, as --help prints them; "" is training of words."""
    def of(command):
        text = subprocess.run([ACEVEC, *command.split(), "--help"], check=True,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout
        options = text.partition("\n Commands (")[0]
        rows = re.findall(r"^ +--([a-z][a-z0-9-]*)\b(.*\n(?: {12,}.*\n)*)", options, re.M)
        return text, {name: " ".join(rest.split()) for name, rest in rows}

    text, words = of("")
    names = re.findall(r"^  ([a-z]+(?: [a-z]+)?) +[A-Z]", text.partition("\n Commands (")[2], re.M)
    return {"": words, **{name: of(name)[1] for name in names}}


def commands_in(code):
    """Yield the command lines of a block of code: continued lines joined, pipes apart."""
    for line in re.sub(r"\\\n", " ", code).splitlines():
        line = re.sub(r"(^|\s)#.*", "", line)
        for part in re.split(r"\||&&|;|\$\(", line):
            yield part.strip()


class Docs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = option_tables()
        cls.all = {}
        for table in cls.tables.values():
            for name, text in table.items():
                cls.all.setdefault(name, []).append(text)

    def test_tables_were_read(self):
        self.assertGreater(len(self.tables), 14)
        self.assertIn("sentence encode", self.tables)
        self.assertIn("ace-lambda", self.tables[""])
        self.assertIn("default: 100", self.tables[""]["size"])
        self.assertNotIn("ace", self.tables["nn"])

    def test_lengths(self):
        """README is a page of 200 lines; the others have 110 beside their tables."""
        self.assertLessEqual(len(read(README).splitlines()), 200)
        for path in REFERENCE:
            with self.subTest(page=os.path.relpath(path, ROOT)):
                lines = [line for line in read(path).splitlines() if not line.startswith("|")]
                self.assertLessEqual(len(lines), 110)

    def test_version(self):
        """CMakeLists.txt sets it; the newest section of the changelog and the citation have it too."""
        version = subprocess.run([ACEVEC, "--version"], check=True, stdout=subprocess.PIPE,
                                 encoding="utf-8").stdout.split()[1]
        sections = re.findall(r"^## ([\d.]+)", read(os.path.join(ROOT, "docs", "changelog.md")), re.M)
        self.assertEqual(sections[0], version)
        self.assertIn(f"\nversion: {version}\n", read(os.path.join(ROOT, "CITATION.cff")))

    def test_terms(self):
        """Figures of speech that readers stumbled over stay out of the pages, the sources and the help."""
        for folder in ("README.md", "docs", "src", "data", "eval/lib", "eval/tools", "eval/papers",
                       "eval/bench", "tests/cli", "tests/soak"):
            found = subprocess.run(["grep", "-rnE", STUMBLES, os.path.join(ROOT, folder)], check=False,
                                   stdout=subprocess.PIPE, encoding="utf-8").stdout
            self.assertEqual(found, "", folder)

    def test_links(self):
        for path in PAGES:
            for link in re.findall(r"\]\(([^)\s]+)\)", without_code(read(path))):
                if re.match(r"[a-z]+:", link):
                    continue
                with self.subTest(page=os.path.relpath(path, ROOT), link=link):
                    file, _, anchor = link.partition("#")
                    target = os.path.normpath(os.path.join(os.path.dirname(path), file)) \
                        if file else path
                    self.assertTrue(os.path.exists(target))
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_named_files_exist(self):
        for path in PAGES:
            for file in re.findall(r"`((?:src|tests|eval|data)/[\w/.-]+\.\w+)`", read(path)):
                if re.search(r"[A-Z]{4}|^data/wordsim/", file):  # of any name, or downloaded
                    continue
                with self.subTest(page=os.path.relpath(path, ROOT), file=file):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, file)))

    def test_every_page_is_linked(self):
        linked = {os.path.normpath(os.path.join(os.path.dirname(path), link.partition("#")[0]))
                  for path in PAGES for link in re.findall(r"\]\(([^)\s]+)\)", read(path))}
        for path in PAGES[1:]:
            with self.subTest(page=os.path.relpath(path, ROOT)):
                self.assertIn(path, linked)

    def check(self, command, page):
        """Check the options of one command line, or of some by themselves."""
        words = command.split()
        program = re.sub(r"^(build/|\./)", "", words[0]) if words else ""
        while "=" in program and len(words) > 1:  # a variable before the command
            words = words[1:]
            program = words[0]
        if program == "acevec-mpi" or "acevec-mpi" in words:
            table, command = self.tables[""], command.partition("acevec-mpi")[2]
        elif program == "acevec":
            name = next((" ".join(words[1:1 + length]) for length in (2, 1)
                         if " ".join(words[1:1 + length]) in self.tables), "")
            table = self.tables[name]
        elif program.startswith("-"):
            table = self.all
        else:
            return
        for dashes, name in OPTION.findall(command.partition(" -- ")[0]):
            if name in ABSENT or name.endswith("-") or name in ("h", "help", "options"):
                continue
            if dashes == "--" and table is self.all and self.of_a_script(name):
                continue
            with self.subTest(page=page, command=command):
                self.assertTrue(name in table, f"no option -{name}")

    @staticmethod
    def of_a_script(name):
        """Whether a script of eval/, data/ or tests/ has the option --name."""
        found = subprocess.run(["grep", "-rqE", "--", f"--{name}\\b", os.path.join(ROOT, "eval"),
                                os.path.join(ROOT, "data"), os.path.join(ROOT, "tests", "soak")],
                               check=False)
        return found.returncode == 0

    def test_options_exist(self):
        checked = 0
        for path in PAGES:
            page = os.path.relpath(path, ROOT)
            if page == "docs/changelog.md":  # names what is gone
                continue
            text = read(path)
            if os.path.basename(path) in OTHERS:
                text = re.sub(r"^\| .*? \|", "|", text, flags=re.M)
            for code in re.findall(r"^```(?:sh|text)?\n(.*?)^```", text, re.M | re.S):
                for command in commands_in(code):
                    self.check(command, page)
            for code in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
                code = code.replace("\\|", "|").replace("-...", "-")
                if not code.startswith(FOREIGN):
                    self.check(code, page)
                    checked += 1
        self.assertGreater(checked, 500)

    def test_choices_are_described(self):
        text = subprocess.run([ACEVEC, "--options", "json"], check=True, stdout=subprocess.PIPE).stdout
        commands = {one["name"]: one for one in json.loads(text)["commands"]}
        for command, option, page in DESCRIBED:
            row, = (row for row in commands[command]["options"] if row["name"] == option)
            for choice in row["choices"]:
                with self.subTest(option=option, choice=choice):
                    self.assertRegex(read(os.path.join(ROOT, "docs", page)), rf"(?m)^\| `{choice}`")

    def test_defaults(self):
        """In a table with a column "default" a row `-option VALUE` has the default of --help."""
        checked = 0
        for path in [README, *REFERENCE]:
            tables = re.findall(r"^\| [^|\n]* \| default[^|\n]* \|.*\n((?:\|.*\n)+)", read(path), re.M)
            rows = re.findall(r"^\| `-([a-z][a-z0-9-]*)(?: (?:\\\||[^`|])*)?` \| ([\w.-]+)(?: \(\w+\))? \|",
                              "".join(tables), re.M)
            for name, default in rows if os.path.basename(path) not in OTHERS else ():
                with self.subTest(page=os.path.relpath(path, ROOT), option=name):
                    self.assertTrue(any(f"default: {default}{end}" in text
                                        for text in self.all[name] for end in ");,"), default)
                    checked += 1
        self.assertGreater(checked, 40)


if __name__ == "__main__":
    unittest.main()
