#!/usr/bin/env python3
"""Draw README's picture, quality against time for acevec and others, from tables of word.py.

    eval/bench/plot_overview.py eval/results/overview.png 'WordNet: 2 M tokens=frontier-2m.tsv' ...

A panel a table, of the folder of results where it has no folder. A line joins each tool's epochs, at
the rate that is best after so many; the other rates are pale. Points are means over the rounds;
processor seconds are of the whole process, on a scale of logarithms.
"""

import os
from statistics import fmean

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("matplotlib")

from matplotlib.ticker import FuncFormatter

from lib import plots, tables
from lib.cli import Parser, run, split_label
from lib.texts import RESULTS

TOOLS = {"acevec": "acevec", "gensim": "gensim", "word2vec": "word2vec.c", "fasttext": "fastText"}
OFFSETS = (6, 14, -12, -20)  # of the tools' labels, in points, so that they are apart


def points_of(rows, tool):
    """A tool's [{iter, alpha, processor_seconds, mean}], means over the rounds."""
    groups = {}
    for row in rows:
        if row["tool"] == tool:
            groups.setdefault((row["iter"], row["alpha"]), []).append(row)
    return [{"iter": epochs, "alpha": alpha,
             **{what: fmean(row[what] for row in group) for what in ("processor_seconds", "mean")}}
            for (epochs, alpha), group in groups.items()]


def best_of(points):
    """The best rate's point of each number of epochs."""
    return [max((point for point in points if point["iter"] == epochs), key=lambda point: point["mean"])
            for epochs in sorted({point["iter"] for point in points})]


def draw_panel(panel, title, rows):
    for number, (tool, label) in enumerate(TOOLS.items()):
        points = points_of(rows, tool)
        best = best_of(points)
        plots.curve(panel, best, "processor_seconds", "mean", label=label, **plots.style(number))
        plots.curve(panel, points, "processor_seconds", "mean",
                    **{**plots.style(number), "linewidth": 0, "alpha": 0.25})
        for point in best:
            panel.annotate(f"{point['iter']:.0f} × {point['alpha']:g}", (point["processor_seconds"], point["mean"]),
                           xytext=(0, OFFSETS[number]), textcoords="offset points", ha="center", fontsize=7,
                           color=plots.colour(number))
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    panel.margins(x=0.12, y=0.12)
    plots.axes(panel, title, xlabel="processor seconds")


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("plot", metavar="PLOT.png")
    parser.add_argument("tables", nargs="+", type=split_label, metavar="'TITLE=TABLE.tsv'")
    chosen = parser.parse_args()
    figure, (panels,) = plots.panels(1, len(chosen.tables), 4 * len(chosen.tables), 3.4)
    for panel, (title, path) in zip(panels, chosen.tables):
        draw_panel(panel, title, tables.read(path if os.path.dirname(path) else os.path.join(RESULTS, path)))
    panels[0].set_ylabel("mean ρ × 100 of seven sets")
    plots.legend(figure, *panels, title="epochs × best learning rate of 0.025, 0.05, 0.1; pale: the other rates")
    plots.save(figure, chosen.plot)
    return 0


if __name__ == "__main__":
    run(main)
