#!/usr/bin/env python3
"""Compare -precision float, bf16 and auto: training time of words, at sizes, windows and with CBOW.

The three take turns (float, bf16, auto, float, ...). A row has the medians over the turns, and how
much longer auto takes than the faster of the others, the median over the turns too: about 1 where
auto chooses rightly. Nothing passes or fails. Standard library only.
"""

import os
import tempfile
from statistics import median

from lib import acevec, grid, tables, texts
from lib.cli import Parser, count, numbers, run

PRECISIONS = ("float", "bf16", "auto")
COLUMNS = ("size", "window", "negative", "cbow", "threads", "round", *PRECISIONS)
SETTINGS = COLUMNS[:5]
OTHERS = [{"window": 2}, {"window": 10}, {"negative": 15}, {"cbow": 1}]
USUAL = {"window": 5, "negative": 5, "cbow": 0}


def seconds_of(program, corpus, folder, settings):
    """Train one epoch; return the seconds of training alone."""
    log = os.path.join(folder, "log")
    output = os.path.join(folder, "vectors.bin")
    command = acevec.training_command(program, corpus, output, {**settings, "iter": 1, "debug": 2})
    acevec.measure(command, log)
    return acevec.report(acevec.read_log(log))["training_seconds"]


def show(rows):
    """Print the medians of each setting."""
    print(*SETTINGS, *PRECISIONS, "bf16/float", "auto/faster", sep="\t")
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in SETTINGS), []).append(row)
    for settings, group in groups.items():
        times = [f"{median(row[name] for row in group):.2f}" for name in PRECISIONS]
        ratio = median(row["bf16"] / row["float"] for row in group)
        loss = median(row["auto"] / min(row["float"], row["bf16"]) for row in group)
        print(*settings, *times, f"{ratio:.2f}", f"{loss:.2f}", sep="\t", flush=True)


def main():
    parser = Parser(description=__doc__)
    texts.add_corpus_option(parser)
    add = parser.add_argument
    add("--sizes", type=numbers, default=[50, 100, 300], metavar="N,..", help="vector sizes (50,100,300)")
    add("--threads", type=count, default=1, metavar="N", help="threads (1)")
    add("--rounds", type=count, default=5, metavar="N", help="turns of each setting (5)")
    add("--out", metavar="FILE.tsv", default=os.path.join(texts.RESULTS, "precision.tsv"),
        help="table of all runs (eval/results/precision.tsv)")
    options = parser.parse_args()
    shapes = [{"size": size, **USUAL} for size in options.sizes]
    shapes += [{"size": 100, **USUAL, **shape} for shape in OTHERS]
    with tempfile.TemporaryDirectory(prefix="acevec-bench-") as scratch:
        program = acevec.find_acevec()
        corpus = texts.unpacked(texts.find_corpus(options.corpus, scratch), scratch)
        table = tables.Table(options.out, COLUMNS, {"corpus": os.path.basename(corpus)})
        tables.write(table)
        plan = [{**shape, "threads": options.threads, "round": turn}
                for turn in range(1, options.rounds + 1) for shape in shapes]

        def make(run_of):
            settings = {name: run_of[name] for name in SETTINGS}
            return {name: seconds_of(program, corpus, scratch, {**settings, "precision": name})
                    for name in PRECISIONS}

        grid.complete(plan, make, table)
    show(tables.read(options.out))


if __name__ == "__main__":
    run(main)
