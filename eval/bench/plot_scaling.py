#!/usr/bin/env python3
"""Plot the table that scaling.py writes: time above, memory below, a column for each axis.

All scales are logarithmic, so that a power of what changes is a straight line and proportional
growth the dashed one through the first point (for threads: time in inverse proportion).
"""

import os

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("matplotlib")

from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from lib import plots, tables
from lib.cli import Parser, UserError, run
from scaling import COLUMNS, by_axis, exponent

TITLES = {"threads": "threads", "vocabulary": "words in the vocabulary",
          "size": "numbers in a vector", "tokens": "tokens in the corpus"}
TIME = (("seconds", "whole process", "-"), ("training_seconds", "training", "-"))
MEMORY = (("peak_mib", "peak memory", "-"), ("predicted_mib", "predicted memory", ":"))


def short(value, _=None):
    """12k, 1.5M."""
    for limit, ending in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{ending}"
    return f"{value:.3g}"


def draw(panel, points, series):
    """Draw lines of (column, label, line style), where the column is known."""
    for number, (column, label, dashes) in enumerate(series):
        known = [point for point in points if point[column]]
        plots.curve(panel, known, "value", column, linestyle=dashes, label=label,
                    **plots.style(number))
    plots.axes(panel, xscale="log", yscale="log")
    panel.xaxis.set_major_locator(FixedLocator([point["value"] for point in points]))
    panel.xaxis.set_major_formatter(FuncFormatter(short))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    panel.yaxis.set_major_formatter(FuncFormatter(short))
    panel.yaxis.set_minor_locator(NullLocator())


def draw_proportional(panel, axis, points):
    """The dashed line of growth in proportion, through the first point; it may leave the panel."""
    power = -1 if axis == "threads" else 1
    first = points[0]
    panel.autoscale(False, axis="y")
    panel.plot([point["value"] for point in points],
               [first["seconds"] * (point["value"] / first["value"]) ** power
                for point in points], "--", color="0.5", linewidth=1, label="proportional",
               zorder=1)


def plot(rows, path):
    """Write the plot of scaling.py's rows to path."""
    axes = by_axis(rows)
    figure, panels = plots.panels(2, len(axes), 2.8 * len(axes), 5, sharey="row")
    for (axis, points), time, memory in zip(axes.items(), *panels):
        draw(time, points, TIME)
        draw(memory, points, MEMORY)
        memory.set_xlabel(TITLES[axis])
        slope = exponent(points, "seconds")
        if slope is not None:
            time.set_title(f"time ~ {axis}$^{{{slope:.2f}}}$", fontsize=10)
    # Last, when all panels have settled the scale that they share.
    for (axis, points), time in zip(axes.items(), panels[0]):
        draw_proportional(time, axis, points)
    panels[0][0].set_ylabel("seconds")
    panels[1][0].set_ylabel("peak memory, MiB")
    plots.legend(figure, panels[0][-1], panels[1][-1], columns=5, title="one run of each setting")
    plots.save(figure, path)


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("table", metavar="SCALING.tsv", help="what scaling.py wrote")
    parser.add_argument("plot", metavar="PLOT.png", nargs="?",
                        help="by default the table's name with another ending")
    options = parser.parse_args()
    rows = tables.read(options.table)
    if not rows or not set(COLUMNS) <= set(rows[0]):
        raise UserError(f"{options.table}: not a table of scaling.py; run that first")
    plot(rows, options.plot or os.path.splitext(options.table)[0] + ".png")
    return 0


if __name__ == "__main__":
    run(main)
