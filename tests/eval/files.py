"""A test case with a folder of its own, which goes when the test is done."""

import os
import tempfile
import unittest


class Files(unittest.TestCase):
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
