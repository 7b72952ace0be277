#!/usr/bin/env python3
"""Plot how runs of acevec went: quality and loss against tokens (above) and seconds (below).

    acevec -train corpus.txt -output noise.bin -log noise.tsv -save-every 5%
    acevec -train corpus.txt -output ace.bin -log ace.tsv -save-every 5% -ace 1
    eval/training_curves.py curves.png NCE=noise.tsv ACE=ace.tsv

A run is a file that -log wrote. Quality is Spearman's rho x100 on WS353 and RW over the covered
pairs (eval/wordsim.py), of the vectors that the log's last column names: snapshots and the end.
Losses are the log's, on noise (solid) and on adversarial negatives (dashed). The points of quality
are also written as a table, curves.tsv for curves.png. Figures 3 and 4 of the ACE paper (2018).
"""

import os
import sys
from typing import NamedTuple

if __name__ == "__main__":
    import interpreter
    interpreter.require("numpy", "scipy", "matplotlib")

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

import plots
from cli import Parser, UserError, run, say
from common import add_wordsim_option, find_sets, read_table
from vectors import load_vectors
from wordsim import read_pairs, score_set, set_name

NEEDED = {"tokens", "seconds", "noise_loss", "adversarial_loss", "vectors"}
AXES = (("tokens", 1e-6, "tokens, millions"), ("seconds", 1, "seconds"))
LOSSES = (("noise_loss", "-", "noise"), ("adversarial_loss", "--", "adversarial"))


class Run(NamedTuple):
    """A run: its label, the rows of its log, and of these the ones with vectors, scored."""

    label: str
    rows: list
    points: list


def read_run(text, sets):
    """Read a run from `LABEL=LOG` or `LOG` (then the label is the file's name); return a Run.

    sets: {name: pairs}; each point is the log's row with a value for every name.
    """
    label, separator, path = text.partition("=")
    if not separator:
        label, path = os.path.splitext(os.path.basename(text))[0], text
    rows = read_table(path)
    if not rows or not NEEDED <= set(rows[0]):
        raise UserError(f"{path}: not a log of acevec with rows; make one with -log")
    points = [{**row, **scores(vectors_of(row, path), sets)} for row in rows if row["vectors"]]
    if sets and not points:
        say(f"{path} names no vectors, so it has no quality; train with -save-every")
    return Run(label, rows, points if sets else [])


def vectors_of(row, log):
    """Return the path of a row's vectors: as the run was given it, else beside the log."""
    path = str(row["vectors"])
    beside = os.path.join(os.path.dirname(log), os.path.basename(path))
    return path if os.path.exists(path) or not os.path.exists(beside) else beside


def scores(path, sets):
    """Return {set: rho x100 on covered pairs}; nan where that is undefined."""
    if not sets:
        return {}
    wanted = {word for pairs in sets.values() for pair in pairs for word in pair[:2]}
    words, matrix = load_vectors(path, wanted)
    return {name: score_set(pairs, words, matrix).rho_covered for name, pairs in sets.items()}


def line(panel, rows, axis, scale, column, **style):
    """Draw a column against an axis, where both are known."""
    known = [(row[axis] * scale, row[column]) for row in rows if row[column] is not None]
    if known:
        panel.plot(*zip(*known), linewidth=1.3, **style)


def plot(runs, names, path):
    """Write the picture of the runs to path; names: of the sets, a column of panels each."""
    figure, panels = plots.plt.subplots(2, len(names) + 1, figsize=(4 * (len(names) + 1), 6.4),
                                  squeeze=False, layout="constrained")
    for (axis, scale, title), line_of_panels in zip(AXES, panels):
        for number, one in enumerate(runs):
            colour, marker = plots.STYLES[number % len(plots.STYLES)]
            for panel, name in zip(line_of_panels, names):
                line(panel, one.points, axis, scale, name, color=colour, marker=marker,
                     markersize=4, label=one.label)
            for column, style, kind in LOSSES:
                line(line_of_panels[-1], one.rows, axis, scale, column, color=colour,
                     linestyle=style, label=f"{one.label}, {kind}")
        for panel, what in zip(line_of_panels, [*names, "loss"]):
            panel.set_xlabel(title)
            panel.set_ylabel("loss of a negative" if what == "loss" else
                             f"{what.upper()}, rho x100")
            plots.grid(panel)
            if panel.lines:
                panel.legend(fontsize=8, frameon=False)
    plots.save(figure, path)


def write_points(runs, names, path):
    """Write a table with a line for each point of quality."""
    with open(path, "w", encoding="utf-8") as table:
        print("run", "tokens", "seconds", *names, sep="\t", file=table)
        for one in runs:
            for point in one.points:
                print(one.label, int(point["tokens"]), point["seconds"],
                      *(f"{point[name]:.2f}" for name in names), sep="\t", file=table)


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("plot", metavar="PLOT.png")
    parser.add_argument("runs", metavar="[LABEL=]LOG.tsv", nargs="+", help="what -log wrote")
    add_wordsim_option(parser)
    options = parser.parse_args()
    if os.path.splitext(options.plot)[1].lower() not in (".png", ".pdf", ".svg"):
        raise UserError(f"{options.plot}: no name of a picture; give PLOT.png, then the logs")
    sets = {set_name(path): read_pairs(path)
            for path in find_sets(options.wordsim, ("ws353", "rw"))}

    runs = [read_run(text, sets) for text in options.runs]
    plot(runs, list(sets), options.plot)
    if sets:
        write_points(runs, list(sets), os.path.splitext(options.plot)[0] + ".tsv")
    return 0


if __name__ == "__main__":
    run(main)
