#!/usr/bin/env python3
"""Kill processes of runs under mpirun again and again, let the runs go on, and see that nothing is lost.

    tests/soak/cluster.py --acevec build/acevec --kills 30

Each run has random options and 2 to 4 processes, every second one ACE. When the log has reached a
random row one process is ended by kill -9, or stopped by SIGTERM or SIGINT; the job must end, and
-resume goes on, until the run comes to its end. It must go on where the last checkpoint was that a
signal has made, and never before one that it went on from. Every second run goes on with the same
single thread: its vectors, and its log but for the times, must be those of an undisturbed run, byte
by byte. The others go on with any number of threads: their log must have rows of the whole run and the
same end, and their vectors the same words. The exit code is 0 when all
was well, 77 without acevec-mpi or mpirun beside acevec.
"""

import argparse
import os
import random
import re
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
        self.place = 0  # of the run that it can go on from, in percent
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
        """Return the log without seconds."""
        rows = [line.split("\t") for line in self.bytes_of(folder, "log").decode().splitlines()]
        timed = rows[0].index("seconds")
        return [row[:timed] + row[timed + 1:] for row in rows]

    def rows(self, folder):
        """Return how many rows a log has by now, 0 when there is none."""
        try:
            return max(self.bytes_of(folder, "log").count(b"\n") - 1, 0)
        except FileNotFoundError:
            return 0

    def kill_one(self, job, rows):
        """Signal a process when the log has so many rows; return the signal, None when all had ended."""
        while job.poll() is None and self.rows("part") < rows:
            time.sleep(0.005)
        processes = children(job.pid)
        if job.poll() is not None or not processes:
            return None
        number = self.rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        try:
            os.kill(self.rng.choice(processes), number)
        except ProcessLookupError:
            return None
        return number

    def options(self, ace, every):
        """Return a run's random options but for those of checkpoints and threads."""
        return ["-train", self.text, "-output", "v.txt", "-log", "log",
                "-debug", "1", "-iter", "8", "-size", "20", "-seed", str(self.rng.randrange(1000)),
                *(["-ace", "1", "-ace-filter", "1"] if ace else
                  self.rng.choice([[], ["-optimizer", "adam"]])),
                *self.rng.choice([[], ["-heldout", "0.02"]]),
                "-exchange-every", str(self.rng.choice(every))]

    def is_whole(self, count):
        """Whether every process has a file of a checkpoint."""
        return all(any(os.path.exists(os.path.join(self.folder, "part", f"ck.{rank}{end}"))
                       for end in ("", ".previous")) for rank in range(count))

    def step(self, count, arguments, kills):
        """Run a job, killed or not; return (whether it came to its end, whether it was killed)."""
        begun = self.rows("part")
        job = self.start("part", count, *arguments)
        row = begun + int(self.rng.random() * max(self.rows("whole") - begun, 1))
        number = self.kill_one(job, row) if kills > 0 else None
        try:
            status = job.wait(LONGEST)
        except subprocess.TimeoutExpired:
            job.kill()
            raise Failure(f"a job of {count} did not end; killed: {number}") from None
        said = self.said("part")
        self.require_place(r"resuming at ([\d.]+)%", said)
        self.require_place(r"stopped by SIG\w+ at ([\d.]+)%", said)
        if status != 0 and not number:
            raise Failure(f"{' '.join(arguments)} ended with {status}: {said}")
        if status in (128 + signal.SIGTERM, 128 + signal.SIGINT) and "stopped by" in said \
                and not self.is_whole(count):
            raise Failure(f"stopped without a whole checkpoint: {said}")
        return status == 0, number is not None

    def require_place(self, pattern, said):
        """The run must not be before the last place that it said it could go on from."""
        for found in re.findall(pattern, said):
            if float(found) < self.place:
                raise Failure(f"at {found}% of the run after {self.place}%: {said}")
            self.place = float(found)

    def round(self, number):
        """One set of options; return how many kills there were."""
        kills = self.rng.randrange(1, 4)
        count = self.rng.choice([2, 3, 4])
        same_threads = number // 2 % 2 == 0
        # The log has no more rows than there are exchanges, and more threads have fewer.
        common = self.options(number % 2 == 1, [5000, 20000, 100000] if same_threads else [5000])
        for folder in ("whole", "part"):
            shutil.rmtree(os.path.join(self.folder, folder), ignore_errors=True)
        if self.start("whole", count, *common, "-threads", "1").wait() != 0:
            raise Failure(f"the undisturbed run failed: {self.said('whole')}")
        done, ended, self.place = 0, False, 0
        every = self.rng.choice(["2%", "10%", "0.05s"])
        while not ended:
            threads = 1 if same_threads else self.rng.choice([1, 2, 3, 4])
            if self.is_whole(count):
                arguments = ["-resume", "ck", "-debug", "1", "-threads", str(threads)]
            elif self.place > 0:
                raise Failure("the checkpoint is gone")
            else:  # what there is of the first checkpoint is not whole
                shutil.rmtree(os.path.join(self.folder, "part"), ignore_errors=True)
                arguments = [*common, "-threads", "1", "-checkpoint", "ck", "-checkpoint-every", every]
            ended, killed = self.step(count, arguments, kills - done)
            done += killed
        self.compare(same_threads, f"mpirun -n {count} {' '.join(common)}")
        return done

    def compare(self, same_threads, command):
        """Compare the run with the undisturbed one."""
        if same_threads:
            if self.bytes_of("whole", "v.txt") != self.bytes_of("part", "v.txt"):
                raise Failure(f"v.txt differs: {command}")
            if self.log("whole") != self.log("part"):
                raise Failure(f"the log differs: {command}")
            return
        words = [[line.split()[0] for line in self.bytes_of(folder, "v.txt").splitlines()]
                 for folder in ("whole", "part")]
        if words[0] != words[1]:
            raise Failure(f"the words differ: {command}")
        logs = [[int(row[0]) for row in self.log(folder)[1:]] for folder in ("whole", "part")]
        gaps = [after - before for before, after in zip([0, *logs[1]], logs[1])]
        if logs[0][-1] != logs[1][-1] or min(gaps) < 0 or max(gaps) > 0.25 * logs[0][-1]:
            raise Failure(f"the log differs: {command}: {logs}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acevec", default=os.environ.get("ACEVEC", "build/acevec"))
    parser.add_argument("--kills", type=int, default=10, help="(default: %(default)s)")
    parser.add_argument("--lines", type=int, default=40000, help="of the text (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wanted = parser.parse_args()
    program = os.path.realpath(wanted.acevec) + "-mpi"
    if not shutil.which("mpirun") or not os.path.exists(program):
        print("skipped: no mpirun or no acevec-mpi")
        return SKIPPED
    rng = random.Random(wanted.seed)
    print(f"seed {wanted.seed}", flush=True)
    kills = runs = 0
    with tempfile.TemporaryDirectory(prefix="acevec-cluster-") as folder:
        cluster = Cluster(program, folder, rng)
        make_text(cluster.text, wanted.lines, rng)
        try:
            while kills < wanted.kills:
                # What a run does must not depend on how far the kills before it have come.
                cluster.rng = random.Random(f"{wanted.seed} {runs}")
                kills += cluster.round(runs)
                runs += 1
        except Failure as failure:
            print(f"{kills} kills; FAILED: {failure}")
            return 1
    print(f"{kills} kills in {runs} runs, nothing lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
