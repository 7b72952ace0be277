"""What is trained on and scored with: where the corpus and the word similarity sets are.

Standard library only.
"""

import gzip
import os
import re
import shutil
import subprocess

from lib.cli import UserError, say

# Of links the ends: scripts come here by links to this folder.
EVAL = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
ROOT = os.path.dirname(EVAL)
RESULTS = os.path.join(EVAL, "results")
BLOCK = 1 << 16  # bytes of a corpus held at a time


def shared_data(*parts):
    """The path of what may lie beside the project, in shared/data."""
    return os.path.join(ROOT, os.pardir, "shared", "data", *parts)


def find_corpus(given, scratch, standard="enwiki.txt.gz"):
    """Return the path of the corpus to use, the glosses of WordNet if there is no other."""
    standard = shared_data("corpus", standard)
    path = given or os.environ.get("ACEVEC_CORPUS")
    if not path and os.path.exists(standard):
        path = os.path.relpath(standard)
    if path:
        with open(path, "rb"):  # it is said now, not by the first tool, when it cannot be read
            return path
    return wordnet_glosses(scratch)


def wordnet_glosses(scratch):
    """Write the glosses of WordNet to a file in scratch; return its path."""
    path = os.path.join(scratch, "wordnet-glosses.txt")
    script = os.path.join(ROOT, "data", "wordnet-glosses")
    made = subprocess.run([script, path], stderr=subprocess.PIPE, universal_newlines=True)
    if made.returncode:
        raise UserError(f"no corpus: {made.stderr.strip()}; or give --corpus FILE")
    return path


def unpacked(path, scratch):
    """Return the path of path's plain text: path itself, or its unpacked copy in scratch."""
    with open(path, "rb") as stream:
        if stream.read(2) != b"\x1f\x8b":
            return path
    plain = os.path.join(scratch, re.sub(r"\.gz$", "", os.path.basename(path)) or "corpus")
    try:
        with gzip.open(path) as packed, open(plain, "wb") as copy:
            shutil.copyfileobj(packed, copy, BLOCK)
    except (EOFError, gzip.BadGzipFile):
        raise UserError(f"{path}: damaged gzip data; download or make it again") from None
    return plain


def size_of(text):
    """Return (tokens, line ends) of the plain text at a path; a line may be of any length."""
    tokens = lines = 0
    in_token = False
    with open(text, "rb") as stream:
        while True:
            block = stream.read(BLOCK)
            if not block:
                return tokens, lines
            lines += block.count(b"\n")
            tokens += len(block.split()) - (in_token and not block[:1].isspace())
            in_token = not block[-1:].isspace()


def find_set(name, given=None):
    """Return the path of the word similarity set of that name, None if there is none.

    given: the directory that the user names, or None: the working directory, then where
    data/get-wordsim.sh puts them.
    """
    places = [given] if given else [".", shared_data("wordsim"), os.path.join(ROOT, "data", "wordsim")]
    paths = (os.path.join(place, name + ".tsv") for place in places)
    return next(filter(os.path.exists, paths), None)


def set_path(typed):
    """Return the path of a set that the user typed: of a file, or what find_set finds, NAME.tsv."""
    return typed if os.path.exists(typed) else find_set(typed.removesuffix(".tsv")) or typed


def find_sets(given, names):
    """Return the paths of the word similarity sets of those names that there are, [] with a line.

    given: as find_set takes it.
    """
    found = [path for path in (find_set(name, given) for name in names) if path]
    if not found:
        say(f"found no {' or '.join(name + '.tsv' for name in names)}, so quality is left out; "
            "run data/get-wordsim.sh or give --wordsim DIR")
    return found


def require_sets(given, names):
    """As find_sets; raises UserError where there is none."""
    found = find_sets(given, names)
    if not found:
        raise UserError("found nothing to score with; run data/get-wordsim.sh or give --wordsim")
    return found


def add_corpus_option(parser):
    """--corpus, as find_corpus takes it."""
    parser.add_argument(
        "--corpus", metavar="FILE", help="text or .gz; default: $ACEVEC_CORPUS, else the English "
        "Wikipedia sample if it is there, else WordNet's glosses")


def add_wordsim_option(parser):
    """--wordsim, as find_set takes it."""
    parser.add_argument("--wordsim", metavar="DIR", help="directory of the word similarity sets; "
                        "default: the working directory, ../shared/data/wordsim, data/wordsim")
