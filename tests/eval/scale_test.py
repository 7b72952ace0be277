#!/usr/bin/env python3
"""Tests of the simulation of many hosts, on runs so simple that their cost is known."""

import math
import unittest

from files import Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", skip=True)

from bench import scale

# Four words, all of whose rows change in each interval: 16 rows a process for the two matrices, of
# which it sends half to the other and its own half of the combined ones.
ROWS, SIZE, EVERY, ROUNDS = 8, 10, 80_000, 100
ROW_BYTES = 4 + 4 * SIZE
JOB = {"hosts": 2, "cores": 1, "tokens": 2 * EVERY * ROUNDS, "size": SIZE, "sample": 0, "speed": 1e6,
       "gigabits": math.inf, "packing": math.inf, "latency": 0, "numbers": "float"}


def simulate(**changed):
    return scale.simulate(scale.words_of([5, 5, 5, 5], 4), scale.Job(**{**JOB, **changed}))


class Scale(Files):
    def test_bytes(self):
        done = simulate()
        self.assertEqual(done["rounds"], ROUNDS)
        self.assertEqual(done["every"], EVERY)
        # And once more at the end.
        self.assertAlmostEqual(done["bytes"], ROWS * ROW_BYTES * (ROUNDS + 1) / ROUNDS / EVERY)
        halves = simulate(numbers="bfloat16")["bytes"]
        self.assertAlmostEqual(
            halves, ROWS * ((4 + 2 * SIZE) * ROUNDS + ROW_BYTES) / ROUNDS / EVERY)
        # Of 16 rows 15/16 go to others, and the combined ones to 15.
        more = simulate(hosts=16, tokens=16 * 10_000 * ROUNDS)["bytes"]
        self.assertAlmostEqual(more, 15 / 16 * 2 * ROWS * ROW_BYTES * (ROUNDS + 1) / ROUNDS / 10_000)

    def test_speed(self):
        ideal = simulate()
        self.assertAlmostEqual(ideal["share"], 1)
        self.assertAlmostEqual(ideal["speed"], 2 * 1e6 * 100 / SIZE)
        seconds = EVERY / (1e6 * 100 / SIZE)  # of an interval
        gigabits = 8 * ROWS * ROW_BYTES / seconds / 1e9  # just enough
        self.assertAlmostEqual(simulate(gigabits=gigabits)["share"], 1)
        self.assertAlmostEqual(simulate(gigabits=gigabits / 4)["share"], 1 / 4)
        self.assertAlmostEqual(simulate(latency=seconds / scale.WAITS * 2)["share"], 1 / 2)
        # The due, the sent, the combined, and what owners combine, each of 8 rows.
        packing = 4 * ROWS * 4 * SIZE / seconds
        self.assertAlmostEqual(simulate(packing=packing)["share"], 1 / 2)

    def test_late_exchanges(self):
        # Two threads, and a link that needs the time of four intervals.
        seconds = EVERY / (1e6 * 100 / SIZE)
        late = simulate(cores=2, tokens=4 * EVERY * ROUNDS,
                        gigabits=8 * ROWS * ROW_BYTES / seconds / 1e9 / 4)
        self.assertAlmostEqual(late["share"], 2 / 3, places=5)  # one thread waits for the link
        self.assertAlmostEqual(late["rounds"], ROUNDS / 4, places=3)
        self.assertAlmostEqual(late["every"], 4 * EVERY, places=0)
        self.assertAlmostEqual(late["age"], 1.5 * 4 * seconds * 3 / 2, places=5)

    def test_schedule(self):
        words = scale.words_of([2 ** 20, 2 ** 10, 1], 3)
        rounds, tokens, period = scale.schedule(words, scale.Job(8, 1, tokens=8 * 10_000 * 256))
        self.assertEqual((rounds, tokens), (256, 10_000))
        # The second comes up 9.8 times in an interval, and the last 4 times an epoch all the same.
        self.assertEqual(list(period), [1, 4, 64])

    def test_rare_rows(self):
        # A row that never changes is not sent, and of all words half change in ln 2 occurrences.
        words = scale.words_of([1], 1)
        job = scale.Job(hosts=2, sample=1, tokens=1)
        sent, united = scale.rows_sent(words, job, 0, 1)
        self.assertEqual((sent, united), (0, 0))
        sent, united = scale.rows_sent(words, job, math.log(2), 1)
        context = 1 - 0.5 ** 1.5  # which changes as a negative, too
        self.assertAlmostEqual(sent, 0.5 + context)
        self.assertAlmostEqual(united, 0.75 + 1 - 0.5 ** 3)

    def test_words(self):
        counts = [1e9 / rank for rank in range(1, 20_001)]
        words = scale.words_of(counts, 1_000_000)
        self.assertEqual(words.words.sum(), 1_000_000)
        self.assertAlmostEqual((words.frequency * words.words).sum(), 1)
        self.assertAlmostEqual(words.frequency[0] / words.frequency[-1] / 1e6, 1, places=2)
        self.assertEqual(len(scale.words_of(counts, 100).frequency), 100)

    def test_command(self):
        path = self.write("words", "".join(f"w{i} {20_000_000 // i}\n" for i in range(1, 11_000)).encode())
        done = run_script("bench/scale.py", path, "--tokens", 1, "--hosts", "2,8", "--words", 20_000)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), 2 + 4)
        for content, pattern in ((b"a b\n", "is no vocabulary"), (b"a\n", "is no vocabulary"),
                                 (b"a 5\n", "too few to extend"), (b"", "too few to extend"),
                                 (b"\xff 5\n", "is no vocabulary")):
            with self.subTest(content=content):
                done = run_script("bench/scale.py", self.write("words", content))
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, rf"\Ascale\.py: .*{pattern}.*; .*\n\Z")


if __name__ == "__main__":
    unittest.main()
