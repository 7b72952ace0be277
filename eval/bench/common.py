"""What the benchmarks share: running a program under the clock, acevec's own report, corpora and
word similarity sets.

Standard library only, so that a benchmark's process stays small: see measure.
"""

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EVAL = os.path.dirname(HERE)
ROOT = os.path.dirname(EVAL)
RESULTS = os.path.join(EVAL, "results")
sys.path.insert(0, EVAL)

from cli import UserError, say

BLOCK = 1 << 16  # bytes of a corpus held at a time
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, else in KiB
# word2vec's usual ones, with the subsampling that larger corpora want.
SETTINGS = {"size": 100, "window": 5, "negative": 5, "sample": "1e-4", "iter": 1, "min-count": 5,
            "alpha": 0.025, "seed": 1}


def find_acevec():
    """Return the path of the program to measure, $ACEVEC or build/acevec."""
    wanted = os.environ.get("ACEVEC") or os.path.join(ROOT, "build", "acevec")
    program = shutil.which(wanted)
    if not program:
        raise UserError(f"found no program {wanted}; build it (make) or set ACEVEC")
    return program


def acevec_command(program, corpus, vectors, settings):
    """Return the command that trains with settings, {option: value}, beside the usual SETTINGS."""
    options = {"train": corpus, "output": vectors, **SETTINGS, **settings}
    command = [program]
    for name, value in options.items():
        command += ["-" + name, str(value)]
    return command


def with_options(own, more):
    """Return a setting's own options, a list "-name", value, .., with `more` besides or instead."""
    kept = [own[at:at + 2] for at in range(0, len(own), 2) if own[at] not in more]
    return [*(word for pair in kept for word in pair), *more]


def acevec_report(log):
    """Return what acevec says of its run in its log, as a dict of numbers; None what it does not.

    tokens: read; kept_words, kept_tokens: after pruning; reading_seconds; training_seconds;
    predicted_mib: of memory, before training (with -debug 2).
    """
    patterns = {"tokens": r"^read ([\d,]+) tokens",
                "reading_seconds": r"^read .* in ([\d.]+) s\b",
                "kept_words": r"\bkept ([\d,]+) words",
                "kept_tokens": r"\bkept .* ([\d,]+) tokens$",
                "training_seconds": r"^trained in ([\d.]+) s\b",
                "predicted_mib": r"^memory: .*\bpredicted ([\d,.]*\d) MiB"}
    found = {name: re.search(pattern, log, re.MULTILINE) for name, pattern in patterns.items()}
    return {name: number(match[1]) if match else None for name, match in found.items()}


def number(text):
    """A number as acevec prints it, 1,234 or 1.5."""
    text = text.replace(",", "")
    return float(text) if "." in text else int(text)


def measure(command, log):
    """Run command with its output in the file log; return (wall seconds, peak RSS in MiB).

    A process's recorded peak includes the memory of the process that started it, so this one has
    to stay small: numpy and the like are for processes of their own, never loaded here.
    Raises UserError with the end of the log when the command fails.
    """
    with open(log, "wb") as stream:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream,
                                   stderr=stream)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            raise
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        lines = read_log(log).split("\n")
        raise UserError(f"{os.path.basename(command[0])} failed with status "
                        f"{process.returncode} ({lines[-1][:200]}); run it by hand: "
                        f"{shlex.join(command)[:400]}")
    return seconds, usage.ru_maxrss * RSS_UNIT / (1 << 20)


def read_log(log):
    """What a program printed, stripped; progress overwritten by carriage returns becomes lines."""
    with open(log, encoding="utf-8", errors="replace") as stream:
        return stream.read().strip().replace("\r", "\n")


def find_sets(given, names):
    """Return the paths of the word similarity sets of those names that there are, [] with a line.

    given: the directory that the user names, or None.
    """
    places = [given] if given else [os.path.join(ROOT, os.pardir, "shared", "data", "wordsim"),
                                    os.path.join(ROOT, "data", "wordsim")]
    for place in places:
        paths = [os.path.join(place, name + ".tsv") for name in names]
        found = [path for path in paths if os.path.exists(path)]
        if found:
            return found
    say(f"found no {' or '.join(name + '.tsv' for name in names)}, so quality is left out; "
        "run data/get-wordsim.sh or give --wordsim DIR")
    return []


def quality(vectors, sets):
    """Return {set: rho x100 on covered pairs} for the sets at those paths; {} and a line on failure."""
    if not sets:
        return {}
    scoring = subprocess.run(
        [sys.executable, os.path.join(EVAL, "wordsim.py"), "--tsv", vectors, *sets],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    rows = [line.split("\t") for line in scoring.stdout.splitlines()[1:]]
    if not rows:
        say(f"no quality: {scoring.stderr.strip()}")
    return {row[0]: float(row[3]) for row in rows if row[3] != "nan"}


def find_corpus(given, scratch):
    """Return the path of the corpus to use, the glosses of WordNet if there is no other."""
    standard = os.path.join(ROOT, os.pardir, "shared", "data", "corpus", "enwiki.txt.gz")
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


def add_corpus_option(parser):
    """--corpus, as find_corpus takes it."""
    parser.add_argument(
        "--corpus", metavar="FILE", help="text or .gz; default: $ACEVEC_CORPUS, else the English "
        "Wikipedia sample if it is there, else WordNet's glosses")


def add_wordsim_option(parser):
    """--wordsim, as find_sets takes it."""
    parser.add_argument("--wordsim", metavar="DIR", help="directory of the word similarity sets; "
                        "default: ../shared/data/wordsim or data/wordsim if present")


def numbers(text):
    """Parse `1,2,3`, each at least 1 (for argparse)."""
    return [count(part) for part in text.split(",")]


def count(text):
    """Parse a number that is at least 1 (for argparse)."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value
