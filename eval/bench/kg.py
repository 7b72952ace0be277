#!/usr/bin/env python3
"""How fast `acevec kg` trains, and how its time grows with triples and entities.

Made-up graphs of random triples are trained with noise, with the critic and with ACE, --rounds
turns each, and eval/results/bench-kg.tsv gets a row a run: triples per second of training alone,
and beside it a bound: what copying memory allows, at the bytes that a triple's rows are read and
written with (entities of 2 vectors, their gradients, Adam's second moments: see row_bytes), by the
speed of a copy of 64 MiB on one thread, times the threads.
"""

import os
import random
import re
import subprocess
import tempfile
import time

import common
import tables
from cli import Parser, UserError, run, say

SETTINGS = {"noise": [], "critic": ["-ace", "1", "-ace-sampler", "critic"], "ace": ["-ace", "1"]}
# (entities, triples): each grows alone.
SHAPES = ((10000, 100000), (20000, 100000), (40000, 100000), (80000, 100000), (40000, 50000),
          (40000, 200000), (40000, 400000))
RELATIONS = 20
COLUMNS = ("setting", "entities", "triples", "size", "threads", "seconds", "triples_per_second",
           "bound")


def write_graph(path, entities, triples):
    """Random triples of ids, as train2id.txt has them."""
    numbers = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        print(triples, file=file)
        for _ in range(triples):
            print(numbers.randrange(entities), numbers.randrange(entities),
                  numbers.randrange(RELATIONS), file=file)


def copy_speed():
    """Bytes per second that one thread reads and writes when it copies 64 MiB."""
    source, target, best = bytearray(1 << 26), bytearray(1 << 26), 0
    for _ in range(5):
        start = time.perf_counter()
        target[:] = source  # into memory that is there already: new pages would cost more than copies
        best = max(best, 2 * len(source) / (time.perf_counter() - start))
    return best


def row_bytes(size):
    """Bytes read and written for a row that a step touches: the row, its copy and its gradient
    (gather, sum, add back: 3 reads, 3 writes), the second moments and their copies (as much)."""
    row = 4 * 2 * (-(-size // 16) * 16)
    return 6 * row + 6 * row


def bound(size, threads, speed):
    """Triples per second: head, tail and one replacement are touched for each."""
    return threads * speed / (3 * row_bytes(size))


def train(program, graph, setting, size, threads, epochs):
    """Return (seconds, triples per second) of training."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [program, "kg", "-train", graph, "-output", os.path.join(folder, "model"), "-size",
             str(size), "-threads", str(threads), "-iter", str(epochs), *SETTINGS[setting]],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"^trained in ([\d.]+) s, ([\d,]+) triples/s", done.stderr, re.MULTILINE)
    if not found:
        raise UserError((done.stderr.strip() or "acevec failed").splitlines()[-1])
    return float(found[1]), common.number(found[2])


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--threads", type=common.count, default=os.cpu_count() or 1, metavar="N")
    add("--size", type=common.count, default=100, metavar="N")
    add("--iter", type=common.count, default=3, metavar="N", help="epochs of each run (3)")
    add("--rounds", type=common.count, default=3, metavar="N", help="turns (3)")
    add("--out", metavar="FILE", default=os.path.join(common.RESULTS, "bench-kg.tsv"))
    chosen = parser.parse_args()
    program = common.find_acevec()
    speed = copy_speed()
    with tempfile.TemporaryDirectory() as folder, tables.open_table(
            chosen.out, COLUMNS, copy=f"{speed / 1e9:.1f} GB/s on one thread") as table:
        for entities, triples in SHAPES:
            graph = os.path.join(folder, f"{entities}-{triples}")
            write_graph(graph, entities, triples)
        for turn in range(1, chosen.rounds + 1):
            for entities, triples in SHAPES:
                for setting in SETTINGS:
                    seconds, rate = train(program, os.path.join(folder, f"{entities}-{triples}"),
                                          setting, chosen.size, chosen.threads, chosen.iter)
                    tables.write_row(table, dict(zip(COLUMNS, (
                        setting, entities, triples, chosen.size, chosen.threads, seconds, rate,
                        round(bound(chosen.size, chosen.threads, speed))))))
                    say(f"turn {turn}, {setting}, {entities} entities, {triples} triples: "
                        f"{rate} triples/s")
    return 0


if __name__ == "__main__":
    run(main)
