#!/usr/bin/env python3
"""Plot the table of quality that cluster.py writes: WS353 and RW against the number of processes.

A line for each number of epochs, with and without ACE, of the rows that have acevec-mpi's defaults;
bars are standard deviations over the seeds.
"""

import os

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("matplotlib")

from matplotlib.ticker import FixedLocator, NullLocator, ScalarFormatter

from lib import plots, tables
from lib.cli import Parser, UserError, run
from lib.texts import RESULTS

TITLES = {"ws353": "frequent words: WS353, ρ × 100", "rw": "rare words: RW, ρ × 100"}


def lines(rows):
    """Return {(ace, epochs): {processes: rows}} of the rows with defaults."""
    found = {}
    for row in rows:
        if not row["options"]:
            line = found.setdefault((row["ace"], row["epochs"]), {})
            line.setdefault(row["processes"], []).append(row)
    return found


def draw(rows):
    figure, (panels,) = plots.panels(1, len(TITLES), 9, 3.6)
    counts = sorted({row["processes"] for row in rows})
    for panel, (name, title) in zip(panels, TITLES.items()):
        for number, ((ace, epochs), line) in enumerate(sorted(lines(rows).items())):
            label = f"{epochs} epochs" + (", -ace 1" if ace else "")
            positions = sorted(line)
            plots.curve_of_means(panel, number, label, positions,
                                 [[row[name] for row in line[count]] for count in positions])
        plots.axes(panel, title, xscale="log", xlabel="processes")
        panel.xaxis.set_major_locator(FixedLocator(counts))
        panel.xaxis.set_major_formatter(ScalarFormatter())
        panel.xaxis.set_minor_locator(NullLocator())
    plots.legend(figure, panels[0], title="bars: standard deviation over the seeds; no bar: one run")
    return figure


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("table", nargs="?", default=os.path.join(RESULTS, "cluster-quality.tsv"),
                        help="default: %(default)s")
    parser.add_argument("plot", nargs="?", default=os.path.join(RESULTS, "cluster.png"),
                        help="default: %(default)s")
    options = parser.parse_args()
    if not os.path.exists(options.table):
        raise UserError(f"there is no {options.table}; make it with cluster.py quality")
    plots.save(draw(tables.read(options.table)), options.plot)
    return 0


if __name__ == "__main__":
    run(main)
