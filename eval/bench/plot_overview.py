#!/usr/bin/env python3
"""Draw README's picture, quality against time for acevec and others, from bench-word-peers.tsv.

    eval/bench/plot_overview.py eval/results/overview.png

Points are means over the seeds after each number of epochs; seconds are of the whole process, on a
scale of logarithms.
"""

import os
from statistics import mean

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("matplotlib")

from matplotlib.ticker import FuncFormatter

from lib import plots, tables
from lib.cli import Parser, run
from lib.texts import RESULTS

TITLES = {"rw": "rare words: RW, ρ × 100", "ws353": "frequent words: WS353, ρ × 100"}
SETS = tuple(TITLES)
TOOLS = {"acevec": "acevec", "gensim": "gensim", "word2vec": "word2vec.c", "fasttext": "fastText"}


def lines():
    """Return {label: [{epochs, seconds, and the sets}]}, means over the seeds."""
    rows = tables.read(os.path.join(RESULTS, "bench-word-peers.tsv"))
    found = {}
    for tool, label in TOOLS.items():
        own = [row for row in rows if row["tool"] == tool]
        found[label] = [{what: mean(row[what] for row in own if row["iter"] == epochs)
                         for what in ("iter", "seconds", *SETS)}
                        for epochs in sorted({row["iter"] for row in own})]
    return found


def draw(path):
    figure, (panels,) = plots.panels(1, len(SETS), 9, 3.4)
    for panel, name in zip(panels, SETS):
        for number, (label, found) in enumerate(lines().items()):
            plots.curve(panel, found, "seconds", name, label=label, **plots.style(number))
            for point in found:
                panel.annotate(f"{point['iter']:.0f}", (point["seconds"], point[name]),
                               xytext=(0, -11), textcoords="offset points", ha="center",
                               fontsize=7, color=plots.colour(number))
        panel.set_xscale("log")
        panel.set_xticks([4, 10, 20, 40, 80, 160, 320, 640])
        panel.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        panel.minorticks_off()
        panel.margins(y=0.1)
        plots.axes(panel, TITLES[name], xlabel="seconds (small numbers: epochs)")
    plots.legend(figure, panels[0], title="one epoch: means of three runs; five epochs: one run")
    plots.save(figure, path)


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("plot", metavar="PLOT.png")
    draw(parser.parse_args().plot)
    return 0


if __name__ == "__main__":
    run(main)
