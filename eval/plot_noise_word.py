#!/usr/bin/env python3
"""Plot the table that noise_word.py writes: a panel for each set, a line for each noise, correlation
over the size of the vectors; bars are standard deviations over the seeds."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

if __name__ == "__main__":
    import interpreter
    interpreter.require("matplotlib")

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from statistics import mean, stdev

from common import read_table
from cli import Parser, UserError, run
from noise_word import COLUMNS, NOISES, SETS

# From the palette of Okabe and Ito, which the colour-blind can tell apart; markers differ as well.
LOOKS = dict(zip(NOISES, (("#E69F00", "s"), ("#0072B2", "o"), ("#009E73", "^"), ("#D55E00", "D"),
                          ("#CC79A7", "v"), ("#56B4E9", "x"))))


def plot(rows, path):
    """Write the plot of noise_word.py's rows to path."""
    figure, panels = plt.subplots(1, len(SETS), figsize=(3.2 * len(SETS), 3.2),
                                  layout="constrained")
    noises = [noise for noise in NOISES if any(row["noise"] == noise for row in rows)]
    for panel, name in zip(panels, SETS):
        for noise in noises:
            values = {}
            for row in rows:
                if row["noise"] == noise and row[name] is not None:
                    values.setdefault(row["size"], []).append(row[name])
            sizes = sorted(values)
            colour, marker = LOOKS[noise]
            panel.errorbar(sizes, [mean(values[size]) for size in sizes],
                           [stdev(values[size]) if len(values[size]) > 1 else 0
                            for size in sizes],
                           color=colour, marker=marker, markersize=5, linewidth=1.3, capsize=2,
                           label=noise)
        panel.set_title(name, fontsize=10)
        panel.set_xlabel("size")
        panel.set_xticks(sorted({row["size"] for row in rows}))
        panel.grid(True, color="0.9", linewidth=0.6)
    panels[0].set_ylabel("Spearman's rho x100")
    panels[-1].legend(fontsize=8, loc="best", frameon=False)
    figure.savefig(path, dpi=110)


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("table", metavar="NOISE-WORD.tsv", help="what noise_word.py wrote")
    parser.add_argument("plot", metavar="PLOT.png", nargs="?",
                        help="by default the table's name with another ending")
    options = parser.parse_args()
    rows = read_table(options.table)
    if not rows or not set(COLUMNS) <= set(rows[0]):
        raise UserError(f"{options.table}: not a table of noise_word.py; run that first")
    plot(rows, options.plot or os.path.splitext(options.table)[0] + ".png")
    return 0


if __name__ == "__main__":
    run(main)
