#!/usr/bin/env python3
"""Draw README's picture, quality against time for acevec and others, from the tables of results.

    eval/bench/plot_overview.py eval/results/overview.png

Points are means over the seeds; seconds are of the whole process, on a scale of logarithms. acevec is
there after 1, 2, 5, ... epochs (ace-converged.tsv), the others after one and five (bench-word-peers.tsv);
all from the same text on the same machine.
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


def points(name, column, value):
    """Return [{epochs, seconds, and the sets}], means over the seeds of a table's rows."""
    rows = [row for row in tables.read(os.path.join(RESULTS, name)) if row[column] == value]
    return [{what: mean(row[what] for row in rows if row["iter"] == epochs)
             for what in ("iter", "seconds", *SETS)}
            for epochs in sorted({row["iter"] for row in rows})]


def lines():
    """Return {label: points}."""
    return {"acevec": points("ace-converged.tsv", "setting", "without ACE"),
            "acevec -ace 1": points("ace-converged.tsv", "setting", "ACE"),
            "gensim": points("bench-word-peers.tsv", "tool", "gensim"),
            "word2vec.c": points("bench-word-peers.tsv", "tool", "word2vec"),
            "fastText": points("bench-word-peers.tsv", "tool", "fasttext")}


def draw(path):
    figure, (panels,) = plots.panels(1, len(SETS), 9, 3.4)
    for panel, name in zip(panels, SETS):
        for number, (label, found) in enumerate(lines().items()):
            plots.curve(panel, found, "seconds", name, label=label, **plots.style(number))
            for point in found:
                if label != "acevec -ace 1":
                    panel.annotate(f"{point['iter']:.0f}", (point["seconds"], point[name]),
                                   xytext=(0, -11), textcoords="offset points", ha="center",
                                   fontsize=7, color=plots.colour(number))
        panel.set_xscale("log")
        panel.set_xticks([4, 10, 20, 40, 80, 160, 320, 640])
        panel.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        panel.minorticks_off()
        panel.margins(y=0.1)
        plots.axes(panel, TITLES[name], xlabel="seconds (small numbers: epochs)")
    plots.legend(panels[0], fontsize=8)
    plots.save(figure, path)


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("plot", metavar="PLOT.png")
    draw(parser.parse_args().plot)
    return 0


if __name__ == "__main__":
    run(main)
