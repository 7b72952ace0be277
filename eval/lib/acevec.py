"""The program under test: finding it, running it, measuring it, and reading what it says.

Standard library only, so that a script that measures stays small: see measure.
"""

import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from lib import tables
from lib.cli import UserError, say
from lib.texts import ROOT

RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, else in KiB
# word2vec's usual ones, with the subsampling that larger corpora want.
SETTINGS = {"size": 100, "window": 5, "negative": 5, "sample": "1e-4", "iter": 1, "min-count": 5,
            "alpha": 0.025, "seed": 1}


def find_acevec():
    """Return the path of the program to run: $ACEVEC, else build/acevec, else the one on the PATH."""
    wanted = os.environ.get("ACEVEC")
    built = os.path.join(ROOT, "build", "acevec")
    program = shutil.which(wanted) if wanted else shutil.which(built) or shutil.which("acevec")
    if not program:
        raise UserError(f"found no program {wanted or built}; build it (make) or set ACEVEC")
    return program


def training_command(program, corpus, vectors, settings):
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


def call(command, text=None):
    """Run command with a text for its input, or none; return (its output, what it says on stderr).

    Raises UserError when it fails: acevec's own error, where it ends with one.
    """
    done = subprocess.run(command, **({"stdin": subprocess.DEVNULL} if text is None else
                                      {"input": text}),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace", check=False)
    said = done.stderr.strip()
    if said and done.returncode in (1, 2):  # acevec's statuses: the last line is the error
        raise UserError(said.splitlines()[-1])
    if done.returncode:
        _fail(command, done.returncode, said)
    return done.stdout, done.stderr


def processor_seconds():
    """Return those of all programs that were run and waited for, user and system."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def call_logged(command):
    """Run command with a -log beside; return (what it says on stderr, the log's rows as texts).

    Vectors are named without their folder, which is a temporary one.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.tsv")
        _, said = call([*command, "-log", log])
        rows = tables.texts(log)
        return said, [{**row, "vectors": os.path.basename(row.get("vectors") or "")} for row in rows]


def busy_share(seconds):
    """Return the share of the processors' time that programs take during so many seconds, 0 to 1.

    None where the system does not say (/proc/stat).
    """
    def times():
        with open("/proc/stat", encoding="ascii") as stream:
            return [int(field) for field in stream.readline().split()[1:]]

    try:
        before = times()
        time.sleep(seconds)
        spent = [after - start for after, start in zip(times(), before)]
    except OSError:
        return None
    idle = spent[3] + spent[4]  # and waiting for disks
    return 1 - idle / max(sum(spent[:8]), 1)


def wait_until_quiet(most=0.1, patience=120):
    """Return the processors' busy share, when it is below `most` or after so many seconds of waiting."""
    end = time.monotonic() + patience
    while True:
        share = busy_share(0.5)
        if share is None or share < most or time.monotonic() > end:
            return share
        time.sleep(1)


class Spent(NamedTuple):
    """What a process took: wall and processor seconds, and its peak RSS in MiB."""

    seconds: float
    processor_seconds: float
    peak_mib: float


def measure(command, log, text=subprocess.DEVNULL):
    """Run command with its output in the file log; return what it Spent.

    text: a stream that it reads as standard input.

    A process's recorded peak includes the memory of the process that started it, so this one has
    to stay small: numpy and the like are for processes of their own, never loaded here.
    Raises UserError with the last line of the log when the command fails.
    """
    with open(log, "wb") as stream:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=text, stdout=stream, stderr=stream)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            raise
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        _fail(command, process.returncode, read_log(log))
    return Spent(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT / (1 << 20))


def _fail(command, status, said):
    """Raise the UserError of a command that failed."""
    raise UserError(f"{os.path.basename(command[0])} failed with status {status} "
                    f"({said.splitlines()[-1][:200] if said else 'it says nothing'}); run it by "
                    f"hand: {shlex.join(command)[:400]}")


def read_log(log):
    """What a program printed, stripped; progress overwritten by carriage returns becomes lines."""
    with open(log, encoding="utf-8", errors="replace") as stream:
        return stream.read().strip().replace("\r", "\n")


def report(log):
    """Return the numbers of acevec's log as a dict; None for those that it does not have.

    tokens: read; kept_words, kept_tokens: after pruning; reading_seconds; training_seconds;
    predicted_mib: of memory, before training.
    """
    patterns = {"tokens": r"^read ([\d,]+) tokens?\b",
                "reading_seconds": r"^read .* in ([\d.]+) s\b",
                "kept_words": r"\bkept ([\d,]+) words?\b",
                "kept_tokens": r"\bkept .* ([\d,]+) tokens?$",
                "training_seconds": r"^trained in ([\d.]+) s\b",
                "predicted_mib": r"^memory: about ([\d,]*\d) MiB"}
    found = {name: re.search(pattern, log, re.MULTILINE) for name, pattern in patterns.items()}
    return {name: number(match[1]) if match else None for name, match in found.items()}


def number(text):
    """A number as acevec prints it, 1,234 or 1.5."""
    text = text.replace(",", "")
    return float(text) if "." in text else int(text)


def quality(vectors, sets):
    """Return {set: rho x100 on covered pairs} for the sets at those paths; {} and a line on failure."""
    return _scores(vectors, sets, "rho_covered")


def quality_of_all(model, sets):
    """The same of a model of fastText's format over all pairs: it has vectors of unseen words too."""
    return _scores(model, sets, "rho_all")


def _scores(vectors, sets, column):
    """{set: that column} of the table of `acevec similarity`, whose numbers are those of wordsim.py."""
    if not sets:
        return {}
    scoring = subprocess.run([find_acevec(), "similarity", vectors, "-format", "tsv", "-set",
                              ",".join(sets)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             universal_newlines=True)
    rows = [line.split("\t") for line in scoring.stdout.splitlines()]
    if scoring.returncode or len(rows) < 2:
        say(f"no quality: {scoring.stderr.strip()}")
        return {}
    at = rows[0].index(column)
    return {row[0]: float(row[at]) for row in rows[1:] if row[at] != "nan"}


def neighbours(program, vectors, words, last):
    """Return {word: {rank: neighbour}} for ranks 1 .. last, without the words that have none."""
    rows, said = call([program, "nn", vectors, "-top", str(last), "-format", "tsv"],
                      "\n".join(words) + "\n")
    if said.strip():
        say(f"{vectors}: " + said.strip().replace("\n", "; "))
    found = {}
    for line in rows.split("\n")[:-1]:
        word, rank, other, _ = line.split("\t")
        found.setdefault(word, {})[int(rank)] = other
    return found
