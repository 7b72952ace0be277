"""What the tests share: where things are, a way to run scripts, and a test case with its own folder.

Makes eval/ importable: `from lib import tables`, `from papers import kg`.
"""

import contextlib
import io
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVAL = os.path.join(ROOT, "eval")
ACEVEC = os.path.abspath(os.environ.get("ACEVEC") or os.path.join(ROOT, "build", "acevec"))
PNG = b"\x89PNG\r\n\x1a\n"
# Tests run beside each other: threads of numpy and scikit-learn would wait for each other by spinning, which
# took most of their processor time. Read when these are loaded.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
# Scripts of eval/ find their lib by a link beside them; tests look into several folders of scripts.
sys.path.insert(0, EVAL)

from lib import interpreter  # pylint: disable=wrong-import-position


def run_script(script, *arguments, folder=".", **environment):
    """Run a script of eval/, such as "tools/plot.py", in a folder, as subprocess.run() would.

    It runs in this process: numpy, scipy and matplotlib take longer to load than all the rest.
    What programs that it starts write to the standard streams themselves is not in the result.
    """
    path = os.path.join(EVAL, script)
    command = [path, *map(str, arguments)]
    out, errors = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", command))
        stack.enter_context(mock.patch.object(sys, "path", [os.path.dirname(path), *sys.path]))
        stack.enter_context(mock.patch.dict(os.environ, {"ACEVEC": ACEVEC, **environment}))
        stack.callback(os.chdir, os.getcwd())
        os.chdir(folder)
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(errors))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", ResourceWarning)  # as Python does by itself
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as end:
            status = end.code or 0
    return subprocess.CompletedProcess(command, status, out.getvalue(), errors.getvalue())


def without_missing(code):
    """Return Python of a page without the lines that need a package that is not there."""
    calls = {"gensim": "to_gensim", "pandas": "to_pandas", "sklearn": "sklearn|SentenceClassifier"}
    missing = [call for package, call in calls.items() if not interpreter.find(package)]
    return "".join(line for line in code.splitlines(True) if not any(re.search(call, line) for call in missing))


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
