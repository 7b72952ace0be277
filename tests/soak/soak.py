#!/usr/bin/env python3
"""Kill training runs again and again, let them go on, and compare what comes out.

    tests/soak/soak.py --acevec build/acevec                        30 minutes, with full disks and large sizes
    tests/soak/soak.py --acevec build/acevec --rounds 10 --seed 1   so many runs with options of that seed

A run gets random options. It is ended by kill -9, SIGTERM or SIGINT when its log has reached a
random row and, in the long form, a moment later. It goes on with -resume, several times; a run that
is quicker than the signal just ends. With one thread the vectors, and the log but for its times, must
be those of an undisturbed run, byte by byte. With several threads chance has a part in the vectors: the
run must have as many units and epochs, and losses of the same size. On full disks the run must end
with one line, and what was there before must stay.

The exit code is 0 when all was well.
"""

import argparse
import collections
import itertools
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from choices import (kg_options, label_options, make_labelled, make_pairs, make_points, make_sentences, make_text,
                     make_triples, metric_options, order_options, sentence_options, text_pair_options, without,
                     word_options)

ENDINGS = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143, signal.SIGINT: 130}
# One of a kind in each round; the first is acevec without the name of a task.
TASKS = ("", "order", "kg", "sentence", "metric")
# Columns of logs that tell what was learned, at least one of which each task has.
LOSSES = ("adversarial_loss", "loss", "noise_loss", "positive_loss", "neighbour_accuracy", "batch_accuracy")


class Failure(Exception):
    """A run that did not do what it must."""


class Diverged(Exception):
    """A run whose options make training diverge."""


class Soak:
    """The machine under test, its folder, and the counts of what was tried."""

    def __init__(self, acevec, folder, rng, delay):
        self.acevec = acevec
        self.folder = folder
        self.rng = rng
        self.delay = delay  # the most seconds from a row of the log to the signal
        self.tried = collections.Counter()
        (self.text, self.pairs, self.triples, self.valid, self.sentences, self.points,
         self.labels, self.labelled) = (
            os.path.join(folder, name)
            for name in ("text", "pairs", "triples", "valid", "sentences", "points", "labels", "labelled"))

    def start(self, folder, *arguments):
        """Start acevec with the arguments in a folder below ours; stderr goes to a file there."""
        path = os.path.join(self.folder, folder)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "said"), "w", encoding="utf-8") as said:
            return subprocess.Popen([self.acevec, *arguments], cwd=path, stderr=said,
                                    stdin=subprocess.DEVNULL)

    def said(self, folder):
        """Return what the last command there wrote on standard error."""
        with open(os.path.join(self.folder, folder, "said"), encoding="utf-8") as file:
            return file.read()

    def file(self, *names):
        """Return the bytes of a file in our folder."""
        with open(os.path.join(self.folder, *names), "rb") as file:
            return file.read()

    def undisturbed(self, common):
        """Train in one go."""
        status = self.start("whole", *common).wait()
        if status == 1 and "training diverged" in self.said("whole"):
            raise Diverged
        if status != 0:
            raise Failure(f"the undisturbed run ended with {status}: {self.said('whole')}")

    def disturbed(self, common, kills):
        """Train with interruptions; return how many there were."""
        every = self.rng.choice(["1%", "5%", "60000", "0.01s"])
        first = [*common, "-checkpoint", "ck", "-checkpoint-every", every]
        checkpoint = os.path.join(self.folder, "part", "ck")
        done = 0
        while True:
            resumed = os.path.exists(checkpoint)
            # Before the first checkpoint the log is all there is, and it is never written over.
            if not resumed and os.path.exists(os.path.join(self.folder, "part", "log")):
                os.remove(os.path.join(self.folder, "part", "log"))
            task = [] if common[0].startswith("-") else common[:1]
            begun = self.rows("part")
            process = self.start("part", *([*task, "-resume", "ck"] if resumed else first))
            if done == kills:
                status = process.wait()
                if status != 0:
                    raise self.why_ended(status, "going on")
                return done
            number = self.rng.choice([signal.SIGKILL] * 3 + [signal.SIGTERM, signal.SIGINT])
            self.wait_for_rows(process, begun + int(self.rng.random() * (self.rows("whole") - begun)))
            try:
                status = process.wait(self.rng.random() * self.delay)
            except subprocess.TimeoutExpired:
                process.send_signal(number)
                status = process.wait()
            if status == 0:
                return done
            # While it reads, a signal just ends it.
            if status not in (ENDINGS[number], -number):
                raise self.why_ended(status, f"after {number.name} it")
            done += 1
            self.tried[f"{number.name}{'' if os.path.exists(checkpoint) else ' before the first checkpoint'}"] += 1

    def wait_for_rows(self, process, rows):
        """Wait until the log has so many rows, or the run has ended."""
        while process.poll() is None and self.rows("part") < rows:
            time.sleep(0.001)

    def why_ended(self, status, what):
        """Return the exception for a disturbed run that has ended with an error."""
        if status == 1 and "training diverged" in self.said("part"):
            return Diverged()
        return Failure(f"{what} ended with {status}: {self.said('part')}")

    def compare(self, threads, common):
        """Check that both runs have come to the same."""
        part = os.path.join(self.folder, "part")
        if threads > 1:
            self.compare_logs()
        else:
            names = [name for name in os.listdir(os.path.join(self.folder, "whole"))
                     if name not in ("said", "log") and not name.endswith(".json")]  # these have times
            for name in names:
                if self.file("whole", name) != self.file("part", name):
                    raise Failure(f"{name} differs")
            if self.log_without_times("whole") != self.log_without_times("part"):
                raise Failure("the log differs")
        strange = [name for name in os.listdir(part) if name not in ("said", "log", "ck")
                   and not re.match(r"(v|contexts)(-\d+)?\.(bin|txt)(\.json)?$", name)]
        if strange:
            raise Failure(f"there are unexpected files: {strange}")

    def compare_logs(self):
        """Check what does not depend on the threads' luck: all was trained once, to such losses."""
        whole, part = self.log("whole"), self.log("part")
        for name in (next(iter(whole[0])), "epoch"):  # the first column has the units done
            if whole[-1][name] != part[-1][name]:
                raise Failure(f"it ended with {name} {part[-1][name]}, undisturbed {whole[-1][name]}")
        largest = max(self.losses("whole"))
        later = self.losses("part")[-len(part) // 2:]
        # By far more than threads make a difference, and less than where numbers get out of hand.
        if not sum(later) / len(later) <= 2 * largest:
            raise Failure(f"the last losses are {later}, and undisturbed {largest} at most")

    def log_without_times(self, folder):
        """Return the rows of a log without seconds."""
        return [{name: value for name, value in row.items()
                 if name != "seconds"} for row in self.log(folder)]

    def log(self, folder):
        """Return the rows of a log by the names of their columns."""
        names, *rows = (line.split("\t")
                        for line in self.file(folder, "log").decode().splitlines())
        return [dict(zip(names, row)) for row in rows]

    def rows(self, folder):
        """Return how many rows a log has by now, 0 when there is none."""
        try:
            return max(self.file(folder, "log").count(b"\n") - 1, 0)
        except FileNotFoundError:
            return 0

    def losses(self, folder):
        """Return the loss of each row of a log that has one."""
        rows = [[row[name] for name in LOSSES if row.get(name)] for row in self.log(folder)]
        losses = [sum(map(float, row)) for row in rows if row]
        if not losses or not all(map(math.isfinite, losses)):
            raise Failure(f"{folder}: a log without losses, or with others than numbers: {rows}")
        return losses

    def options(self, task):
        """Return the files and random options of a task."""
        if task == "order":
            return ["-train", self.pairs, *order_options(self.rng)]
        if task == "kg":
            return ["-train", self.triples, *kg_options(self.rng, self.valid)]
        if task == "metric":
            return ["-train", self.points, "-labels", self.labels, *metric_options(self.rng)]
        if task == "sentence":
            if self.rng.random() < 0.3:
                return ["-pairs", self.pairs, *text_pair_options(self.rng)]
            if self.rng.random() < 0.3:
                return ["-labels", self.labelled, *label_options(self.rng)]
            return ["-train", self.sentences, *sentence_options(self.rng)]
        return ["-train", self.text, *word_options(self.rng)]

    def round(self, task):
        """One set of options of a task: undisturbed, and with kills; return their number."""
        threads = self.rng.choice([1, 1, 1, 2, 3])
        options = self.options(task)
        if threads > 1:  # by which it would depend on luck when the run ends
            options = without("-patience", options)
        if self.rng.random() < 0.3:
            options += ["-save-every", "30%"]
        common = [*([task] if task else []), "-output", self.rng.choice(["v.bin", "v.txt"]), "-log", "log",
                  "-debug", "0", "-threads", str(threads), *options]
        for folder in ("whole", "part"):
            shutil.rmtree(os.path.join(self.folder, folder), ignore_errors=True)
        named = f"acevec {task}".strip()
        try:
            self.undisturbed(common)
            done = self.disturbed(common, self.rng.randrange(1, 9))
            self.compare(threads, common)
        except Diverged:
            if threads == 1 and os.path.exists(os.path.join(self.folder, "part")):
                raise Failure(f"only a disturbed run diverges\nacevec {' '.join(common)}") from None
            self.tried["options with which training diverges, left alone"] += 1
            return 0
        except Failure as failure:
            raise Failure(f"{failure}\nacevec {' '.join(common)}") from None
        self.tried[f"runs of {named} on one thread, the same to the byte" if threads == 1 else
                   f"runs of {named} on several threads, with the same loss"] += 1
        return done

    def many_tokens(self):
        """Train over more than 2^32 tokens, nearly all left out by subsampling; go on behind them."""
        shutil.rmtree(os.path.join(self.folder, "many"), ignore_errors=True)
        tokens = len(self.file("text").split())
        epochs = (5 << 30) // tokens
        arguments = ["-train", self.text, "-output", "v.bin", "-threads", "1", "-size", "4",
                     "-window", "1", "-negative", "1", "-sample", "1e-9", "-min-count", "1",
                     "-iter", str(epochs), "-log", "log", "-checkpoint", "ck",
                     "-checkpoint-every", "45%", "-debug", "0"]
        status = self.start("many", *arguments).wait()
        rows = [line.split("\t") for line in self.file("many", "log").decode().splitlines()[1:]]
        rates = [float(row[2]) for row in rows]
        if status != 0 or int(rows[-1][0]) != epochs * tokens or int(rows[-1][9]) != epochs \
                or rates != sorted(rates, reverse=True):
            raise Failure(f"many tokens: exit {status}, {self.said('many')}, last row {rows[-1]}")
        whole = self.file("many", "v.bin")
        if self.start("many", "-resume", "ck").wait() != 0 or self.file("many", "v.bin") != whole:
            raise Failure(f"many tokens: going on after 90 % of them: {self.said('many')}")
        self.tried[f"run over {epochs * tokens / 2**32:.2f} x 2^32 tokens, resumed at 90 %"] = 1

    def full_disk(self):
        """Checkpoint, log, snapshot or vectors do not fit on a disk that is too small."""
        disk = os.path.join(self.folder, "disk")
        os.makedirs(disk, exist_ok=True)
        size = self.rng.randrange(100, 700)
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk],
                               check=False, stderr=subprocess.DEVNULL)
        if mount.returncode != 0:
            self.tried["skipped: full disks, since tmpfs cannot be mounted"] = 1
            return
        try:
            old = b"old vectors\n"
            with open(os.path.join(disk, "v.bin"), "wb") as file:
                file.write(old)
            what = self.rng.choice(["-output", "-checkpoint", "-log", "TMPDIR"])
            with open(os.path.join(disk, "filler"), "wb") as file:
                file.write(b"x" * (size * 1024 - 20000 - 4096 * self.rng.randrange(3)))
            common = ["-train", self.text, "-size", "20", "-debug", "0", "-iter", "2"]
            output = os.path.join(disk if what == "-output" else self.folder, "v.bin")
            common += ["-output", output]
            if what == "-checkpoint":
                common += ["-checkpoint", os.path.join(disk, "ck"), "-checkpoint-every", "5%"]
            if what == "-log":
                common += ["-log", os.path.join(disk, "log")]
                common[common.index("-iter") + 1] = "30"
            environment = dict(os.environ, TMPDIR=disk) if what == "TMPDIR" else None
            result = subprocess.run([self.acevec, *common], check=False, capture_output=True,
                                    text=True, env=environment, cwd=self.folder)
            if what == "-log" and result.returncode == 0:
                return  # it fitted
            wanted = result.returncode == 1 and result.stderr.count("\n") == 1 and \
                "No space left" in result.stderr
            left = set(os.listdir(disk)) - {"v.bin", "filler", "log"}
            with open(os.path.join(disk, "v.bin"), "rb") as file:
                if not wanted or left or file.read() != old:
                    raise Failure(f"a full disk ({what}): exit {result.returncode}, "
                                  f"{result.stderr}, left {left}")
            self.tried[f"full disk for {what}"] += 1
        finally:
            subprocess.run(["umount", disk], check=False)


def main():
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acevec", default=os.environ.get("ACEVEC", "build/acevec"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rounds", type=int, help="stop after so many runs")
    parser.add_argument("--lines", type=int, default=40000, help="of the text (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wanted = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in the background
    rng = random.Random(wanted.seed)
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="acevec-soak-") as folder:
        soak = Soak(os.path.realpath(wanted.acevec), folder, rng, 0 if wanted.rounds else 0.05)
        make_text(soak.text, wanted.lines, rng)
        make_pairs(soak.pairs, wanted.lines // 20, rng)
        make_triples(soak.triples, wanted.lines // 20, rng)
        make_triples(soak.valid, wanted.lines // 200, rng)
        make_sentences(soak.sentences, wanted.lines // 100, rng)
        make_labelled(soak.labelled, wanted.lines // 20, rng)
        make_points(soak.points, soak.labels, wanted.lines // 10, rng)
        kills = 0
        end = time.monotonic() + 60 * wanted.minutes
        failure = None
        try:
            if not wanted.rounds and wanted.minutes >= 10:
                soak.many_tokens()
            for number in itertools.count():
                if number == wanted.rounds or not wanted.rounds and time.monotonic() > end:
                    break
                # What a round does must not depend on how far the kills before it have come.
                soak.rng = random.Random(f"{wanted.seed} {number}")
                kills += soak.round(TASKS[number % len(TASKS)])
                if not wanted.rounds:
                    soak.full_disk()
        except Failure as found:
            failure = found
    for what, times in sorted(soak.tried.items()):
        print(f"{times:6d}  {what}" if not what.startswith("skipped") else what)
    print(f"{kills} kills; " + (f"FAILED: {failure}" if failure else "all survived"))
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(main())
