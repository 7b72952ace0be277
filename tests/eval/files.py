"""What the tests share: where things are, and a test case with a folder of its own.

Makes eval/ importable: `from lib import tables`, `from papers import kg`.
"""

import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVAL = os.path.join(ROOT, "eval")
ACEVEC = os.path.abspath(os.environ.get("ACEVEC") or os.path.join(ROOT, "build", "acevec"))
PNG = b"\x89PNG\r\n\x1a\n"
# Scripts of eval/ find their lib by a link beside them; tests look into several folders of scripts.
sys.path.insert(0, EVAL)


def write_graph(folder):
    """A ring of 60 places, in ids."""
    triples = [(i, (i + 1 + r) % 60, r) for i in range(60) for r in range(2)]
    parts = {"train": triples, "valid": triples[::20], "test": triples[5::20]}
    for name, part in parts.items():
        with open(os.path.join(folder, name + "2id.txt"), "w", encoding="utf-8") as file:
            print(len(part), *(" ".join(map(str, triple)) for triple in part), sep="\n", file=file)


class Files(unittest.TestCase):
    """A test case with a folder, which goes when the test is done."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        """Write text, or bytes as they are, to a file; return its path."""
        with open(self.path(name), "wb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())
        return self.path(name)
