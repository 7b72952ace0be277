#!/usr/bin/env python3
"""Kill processes of runs under mpirun again and again, let the runs go on, and compare.

    tests/soak/cluster.py --acevec build/acevec --rounds 5

Each run has random options and 2 to 4 processes of one thread. Of them a random one is ended by
kill -9, or all by SIGTERM to one, when the log has reached a random row; the job must end, and
-resume goes on, until the run comes to its end. The vectors, and the log but for its times, must be
those of an undisturbed run, byte by byte. The exit code is 0 when all was well, 77 without
acevec-mpi or mpirun beside acevec.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from choices import make_text
from soak import Failure

SKIPPED = 77
LONGEST = 1000  # seconds: a job that takes so long hangs


def children(parent):
    """Return the ids of the processes that a process has started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True,
                            text=True, check=False)
    return [int(word) for word in listed.stdout.split()]


class Cluster:
    """The program, its folder, and what runs there."""

    def __init__(self, program, folder, rng):
        self.program = program
        self.folder = folder
        self.rng = rng
        self.text = os.path.join(folder, "text")
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def start(self, folder, count, *arguments):
        """Start a job in a folder of ours; what it says goes to a file there."""
        path = os.path.join(self.folder, folder)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "said"), "w", encoding="utf-8") as said:
            return subprocess.Popen(["mpirun", "-q", "--stdin", "none", "--oversubscribe", "--bind-to", "none", "-n",
                                     str(count), self.program, *arguments], cwd=path, stderr=said,
                                    stdout=said, stdin=subprocess.DEVNULL, env=self.environment)

    def said(self, folder):
        with open(os.path.join(self.folder, folder, "said"), encoding="utf-8") as file:
            return file.read()

    def bytes_of(self, *names):
        with open(os.path.join(self.folder, *names), "rb") as file:
            return file.read()

    def log(self, folder):
        """Return the log without seconds and the adversary's share of the time."""
        rows = [line.split("\t") for line in self.bytes_of(folder, "log").decode().splitlines()]
        timed = [rows[0].index(name) for name in ("seconds", "adversary_time")]
        return [[cell for i, cell in enumerate(row) if i not in timed] for row in rows]

    def rows(self, folder):
        """Return how many rows a log has by now, 0 when there is none."""
        try:
            return max(self.bytes_of(folder, "log").count(b"\n") - 1, 0)
        except FileNotFoundError:
            return 0

    def kill_one(self, job, rows):
        """Kill when the log has so many rows; return whether the job was still there."""
        while job.poll() is None and self.rows("part") < rows:
            time.sleep(0.005)
        processes = children(job.pid)
        if job.poll() is not None or not processes:
            return False
        number = self.rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        try:
            os.kill(self.rng.choice(processes), number)
        except ProcessLookupError:
            return False
        return True

    def round(self):
        """One set of options; return how many kills there were."""
        kills = self.rng.randrange(1, 4)
        count = self.rng.choice([2, 3, 4])
        common = ["-train", self.text, "-output", "v.bin", "-log", "log",
                  "-debug", "0", "-threads", "1", "-iter", "8", "-size", "20",
                  "-seed", str(self.rng.randrange(1000)),
                  *self.rng.choice([[], ["-ace", "1", "-ace-filter", "1"], ["-optimizer", "adam"]]),
                  *self.rng.choice([[], ["-exchange-numbers", "bfloat16"]]),
                  *self.rng.choice([[], ["-heldout", "0.02"]]),
                  "-exchange-every", str(self.rng.choice([5000, 20000, 100000]))]
        for folder in ("whole", "part"):
            shutil.rmtree(os.path.join(self.folder, folder), ignore_errors=True)
        if self.start("whole", count, *common).wait() != 0:
            raise Failure(f"the undisturbed run failed: {self.said('whole')}")
        done = 0
        every = self.rng.choice(["2%", "10%", "0.05s"])
        part = os.path.join(self.folder, "part")
        while True:
            resumed = all(os.path.exists(os.path.join(part, f"ck.{rank}")) or
                          os.path.exists(os.path.join(part, f"ck.{rank}.previous"))
                          for rank in range(count))
            if not resumed:  # what there is of the first checkpoint is not whole
                shutil.rmtree(part, ignore_errors=True)
            arguments = ["-resume", "ck", "-debug", "0"] if resumed else \
                [*common, "-checkpoint", "ck", "-checkpoint-every", every]
            begun = self.rows("part")
            job = self.start("part", count, *arguments)
            row = begun + int(self.rng.random() * (self.rows("whole") - begun))
            killed = done < kills and self.kill_one(job, row)
            try:
                status = job.wait(LONGEST)
            except subprocess.TimeoutExpired:
                job.kill()
                raise Failure(f"a job of {count} did not end; killed: {killed}") from None
            done += killed
            if status == 0:
                break
            if not killed:
                raise Failure(f"{' '.join(arguments)} ended with {status}: {self.said('part')}")
        for name in ("v.bin",):
            if self.bytes_of("whole", name) != self.bytes_of("part", name):
                raise Failure(f"{name} differs: mpirun -n {count} {' '.join(common)}")
        if self.log("whole") != self.log("part"):
            raise Failure(f"the log differs: mpirun -n {count} {' '.join(common)}")
        return done


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acevec", default=os.environ.get("ACEVEC", "build/acevec"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lines", type=int, default=40000, help="of the text (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wanted = parser.parse_args()
    program = os.path.realpath(wanted.acevec) + "-mpi"
    if not shutil.which("mpirun") or not os.path.exists(program):
        print("skipped: no mpirun or no acevec-mpi")
        return SKIPPED
    rng = random.Random(wanted.seed)
    print(f"seed {wanted.seed}", flush=True)
    kills = 0
    with tempfile.TemporaryDirectory(prefix="acevec-cluster-") as folder:
        cluster = Cluster(program, folder, rng)
        make_text(cluster.text, wanted.lines, rng)
        try:
            for number in range(wanted.rounds):
                # What a round does must not depend on how far the kills before it have come.
                cluster.rng = random.Random(f"{wanted.seed} {number}")
                kills += cluster.round()
        except Failure as failure:
            print(f"{kills} kills; FAILED: {failure}")
            return 1
    print(f"{kills} kills in {wanted.rounds} runs, all the same to the byte")
    return 0


if __name__ == "__main__":
    sys.exit(main())
