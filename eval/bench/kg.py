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
import tempfile
import time

from lib import acevec, graphs, grid, tables
from lib.cli import Parser, UserError, count, run
from lib.texts import RESULTS

SETTINGS = {"noise": [], "critic": ["-ace", "1"],
            "ace": ["-ace", "1", "-ace-sampler", "learned"]}
# (entities, triples): each grows alone.
SHAPES = ((10000, 100000), (20000, 100000), (40000, 100000), (80000, 100000), (40000, 50000),
          (40000, 200000), (40000, 400000))
RELATIONS = 20
COLUMNS = ("setting", "entities", "triples", "size", "threads", "seconds", "triples_per_second",
           "bound")


def write_graph(path, entities, triples):
    """Random triples of ids, as train2id.txt has them."""
    numbers = random.Random(1)
    graphs.write(path, [(numbers.randrange(entities), numbers.randrange(entities),
                         numbers.randrange(RELATIONS)) for _ in range(triples)])


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


def train(program, graph, run_of, epochs):
    """Return (seconds, triples per second) of training."""
    with tempfile.TemporaryDirectory() as folder:
        _, said = acevec.call(
            [program, "kg", "-score", "transd", "-train", graph, "-output", os.path.join(folder, "model"), "-size",
             str(run_of["size"]), "-threads", str(run_of["threads"]), "-iter", str(epochs),
             *SETTINGS[run_of["setting"]]])
    found = re.search(r"^trained in ([\d.]+) s, ([\d,]+) triples/s", said, re.MULTILINE)
    if not found:
        raise UserError("acevec does not say how fast it trained; build it from this tree")
    return float(found[1]), acevec.number(found[2])


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--threads", type=count, default=os.cpu_count() or 1, metavar="N")
    add("--size", type=count, default=100, metavar="N")
    add("--iter", type=count, default=3, metavar="N", help="epochs of each run (3)")
    add("--rounds", type=count, default=3, metavar="N", help="turns (3)")
    add("--out", metavar="FILE", default=os.path.join(RESULTS, "bench-kg.tsv"))
    chosen = parser.parse_args()
    program = acevec.find_acevec()
    speed = copy_speed()
    plan = [{"round": turn, "setting": setting, "entities": entities, "triples": triples,
             "size": chosen.size, "threads": chosen.threads}
            for turn in range(1, chosen.rounds + 1) for entities, triples in SHAPES
            for setting in SETTINGS]
    table = tables.Table(chosen.out, COLUMNS, {"copy": f"{speed / 1e9:.1f} GB/s on one thread"})
    with tempfile.TemporaryDirectory() as folder:
        def graph(entities, triples):
            return os.path.join(folder, f"{entities}-{triples}")

        def make(run_of):
            seconds, rate = train(program, graph(run_of["entities"], run_of["triples"]), run_of,
                                  chosen.iter)
            return {"seconds": seconds, "triples_per_second": rate,
                    "bound": round(bound(chosen.size, chosen.threads, speed))}

        for entities, triples in SHAPES:
            write_graph(graph(entities, triples), entities, triples)
        tables.write(table)  # anew: runs of another day are not to be compared with
        grid.complete(plan, make, table)
    return 0


if __name__ == "__main__":
    run(main)
