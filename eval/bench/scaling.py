#!/usr/bin/env python3
"""Measure how acevec's time and memory grow with threads, vocabulary, vector size and corpus.

One of the four changes at a time; the others are: all cores, the corpus's own vocabulary, size
100, the whole corpus; one epoch, and the rest as in word.py. Vocabularies are the most frequent
words (-max-vocab, minimum count 1) of a generated text that has as many as the largest of them.
Corpora are the first part of the given one, or all of it twice. All settings take turns, so that a
change in the machine's speed meets all of them; times are medians over the turns.

Growth is stated as an exponent, the slope of the straight line through the logarithms: 1 is
proportional growth, less is better (for threads -1 is perfect, and less is better too). The plot
is made by plot_scaling.py. Standard library only: see measure in lib/acevec.py.
"""

import math
import os
import shutil
import subprocess
import sys
import tempfile
from statistics import median

from lib import acevec, grid, tables, texts
from lib.cli import Parser, UserError, count, numbers, run

COLUMNS = ("axis", "value", "round", "seconds", "reading_seconds", "training_seconds",
           "kept_tokens", "peak_mib", "predicted_mib")
# For each axis what acevec calls its value in its report; others are as they were asked for.
REPORTED = {"vocabulary": "kept_words", "tokens": "tokens"}


def powers_of_two(most):
    """1, 2, 4, ... and most."""
    return sorted({2 ** i for i in range(most.bit_length())} | {most})


class Plan:
    """What is measured; `quick` is for trying the script out, in seconds."""

    def __init__(self, quick):
        self.sizes = [50, 100] if quick else [50, 100, 200, 300, 500]
        self.vocabularies = ([1000, 4000, 16000] if quick else
                             [10_000, 30_000, 100_000, 300_000, 1_000_000])
        self.generated_tokens = 20 * self.vocabularies[-1]
        self.parts = [0.25, 0.5, 1] if quick else [0.125, 0.25, 0.5, 1, 2]
        self.corpus_bytes = 2_000_000 if quick else None  # None: all


def copy_part(source, part, path):
    """Write the first part (0 .. 1) of a text, or the text `part` times over; return path.

    A part ends with a line, or soon after it should when the line is long.
    """
    with open(source, "rb") as text, open(path, "wb") as copy:
        for _ in range(int(part)):
            text.seek(0)
            shutil.copyfileobj(text, copy, texts.BLOCK)
            copy.write(b"\n")
        if part % 1:
            text.seek(0)
            left = int(part % 1 * os.path.getsize(source))
            while left > 0:
                block = text.read(min(left, texts.BLOCK))
                copy.write(block)
                left -= len(block)
            copy.write(text.readline(texts.BLOCK))
    return path


def generate(types, tokens, path):
    """Write a text of so many different words and words in all; return path."""
    command = [sys.executable, os.path.join(texts.EVAL, "bench", "zipf.py"), str(types), str(tokens)]
    with open(path, "wb") as text:
        made = subprocess.run(command, stdout=text, stderr=subprocess.PIPE,
                              universal_newlines=True)
    if made.returncode:
        raise UserError(f"could not generate a text ({made.stderr.strip()}); check the disk")
    return path


def runs_of(plan, corpus, threads, scratch):
    """Return all that is measured, as (axis, value, corpus, {option: value}); makes the texts."""
    runs = [("threads", value, corpus, {"threads": value}) for value in threads]
    usual = {"threads": os.cpu_count()}
    text = generate(plan.vocabularies[-1], plan.generated_tokens,
                    os.path.join(scratch, "generated.txt"))
    runs += [("vocabulary", value, text, {**usual, "max-vocab": value, "min-count": 1})
             for value in plan.vocabularies]
    runs += [("size", value, corpus, {**usual, "size": value}) for value in plan.sizes]
    for part in plan.parts:
        text = corpus if part == 1 else copy_part(corpus, part,
                                                  os.path.join(scratch, f"{part}.txt"))
        runs.append(("tokens", part, text, usual))
    return runs


def train(program, scratch, axis, value, corpus, settings):
    """Train once; return the row's other columns. The vectors are not kept."""
    with tempfile.TemporaryDirectory(dir=scratch) as own:
        log = os.path.join(own, "log")
        command = acevec.training_command(program, corpus, os.path.join(own, "vectors.bin"),
                                          {**settings, "debug": 2})
        spent = acevec.measure(command, log)
        report = acevec.report(acevec.read_log(log))
    return {"value": report.get(REPORTED.get(axis)) or value, "seconds": spent.seconds, "peak_mib": spent.peak_mib,
            **{name: report[name] for name in ("reading_seconds", "training_seconds", "kept_tokens",
                                               "predicted_mib")}}


def by_axis(rows):
    """Group rows as {axis: [row of medians, ...]}, in the order of the rows."""
    groups = {}
    for row in rows:
        groups.setdefault(row["axis"], {}).setdefault(row["value"], []).append(row)

    def middle(group, column):
        values = [row[column] for row in group if row[column] is not None]
        return median(values) if values else None

    return {axis: [{column: middle(group, column) for column in COLUMNS[1:]}
                   for group in values.values()]
            for axis, values in groups.items()}


def exponent(points, column):
    """The slope of log(column) over log(value) by least squares; None if it cannot be told."""
    known = [(math.log(point["value"]), math.log(point[column])) for point in points
             if point[column]]
    mean_x = sum(x for x, _ in known) / max(len(known), 1)
    mean_y = sum(y for _, y in known) / max(len(known), 1)
    variance = sum((x - mean_x) ** 2 for x, _ in known)
    return sum((x - mean_x) * (y - mean_y) for x, y in known) / variance if variance else None


def show(rows):
    """Print the medians and the exponents."""
    def text(value, form):
        return "-" if value is None else form.format(value)

    axes = by_axis(rows)
    if axes:
        print("axis            value  seconds  reading  training  peak MiB  predicted MiB")
    for axis, points in axes.items():
        for point in points:
            print(f"{axis:<10} {point['value']:>10.10g} {point['seconds']:>8.2f} "
                  f"{text(point['reading_seconds'], '{:.2f}'):>8} "
                  f"{text(point['training_seconds'], '{:.2f}'):>9} {point['peak_mib']:>9.0f} "
                  f"{text(point['predicted_mib'], '{:.0f}'):>14}")
    for axis, points in axes.items():
        print(f"{axis}: time grows with exponent {text(exponent(points, 'seconds'), '{:.2f}')}, "
              f"training alone {text(exponent(points, 'training_seconds'), '{:.2f}')}, "
              f"memory {text(exponent(points, 'peak_mib'), '{:.2f}')}")


def parse_arguments():
    parser = Parser(description=__doc__)
    texts.add_corpus_option(parser)
    add = parser.add_argument
    add("--threads", type=numbers, default=powers_of_two(os.cpu_count()), metavar="N,..",
        help="numbers of threads (powers of two up to the number of cores)")
    add("--rounds", type=count, default=3, metavar="N", help="turns of each setting (3)")
    add("--quick", action="store_true", help="a small part of everything, one round, and results "
        "in build/ by default: to try the script out")
    add("--out", metavar="FILE.tsv", help="table of all runs; the plot goes beside it, ending in "
        ".png (eval/results/scaling.tsv)")
    options = parser.parse_args()
    folder = os.path.join(texts.ROOT, "build") if options.quick else texts.RESULTS
    options.out = options.out or os.path.join(folder, "scaling.tsv")
    return options


def main():
    options = parse_arguments()
    sizes = Plan(options.quick)
    rounds = 1 if options.quick else options.rounds
    program = acevec.find_acevec()

    with tempfile.TemporaryDirectory(prefix="acevec-bench-") as scratch:
        corpus = texts.unpacked(texts.find_corpus(options.corpus, scratch), scratch)
        name = os.path.basename(corpus)
        if sizes.corpus_bytes and sizes.corpus_bytes < os.path.getsize(corpus):
            part = sizes.corpus_bytes / os.path.getsize(corpus)
            corpus = copy_part(corpus, part, os.path.join(scratch, "quick.txt"))
        settings = {(axis, value): (text, given)
                    for axis, value, text, given in runs_of(sizes, corpus, options.threads, scratch)}
        plan = [{"axis": axis, "value": value, "round": turn}
                for turn in range(1, rounds + 1) for axis, value in settings]

        def make(run_of):
            which = run_of["axis"], run_of["value"]
            return train(program, scratch, *which, *settings[which])

        table = tables.Table(options.out, COLUMNS, {"corpus": name})
        tables.write(table)  # anew: runs of another day are not to be compared with
        try:
            grid.complete(plan, make, table)
        finally:  # also when interrupted or when a run fails: what is done is shown
            rows = tables.read(options.out)
            show(rows)
            print(f"{len(rows)} runs in {os.path.relpath(options.out)}", flush=True)
    plot = os.path.join(texts.EVAL, "bench", "plot_scaling.py")
    return subprocess.run([sys.executable, plot, options.out], check=False).returncode


if __name__ == "__main__":
    run(main)
