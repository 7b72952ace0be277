"""Curves of training runs, from the logs that `acevec -log` writes: read, scored and drawn.

What tools/plot.py and tools/report.py share. Loads numpy, scipy and matplotlib.
"""

import os
from typing import NamedTuple

from lib import plots, tables
from lib.cli import UserError, say
from lib.similarity import score_set
from lib.vectors import load_vectors

NEEDED = {"tokens", "seconds", "alpha", "positive_loss", "noise_loss", "adversarial_loss",
          "entropy", "vectors"}
AXES = {"tokens": (1e-6, "tokens, millions"), "seconds": (1, "seconds")}
LOSSES = (("noise_loss", "-", "noise"), ("adversarial_loss", "--", "adversarial"),
          ("positive_loss", ":", "positive"))
TITLES = {"loss": "loss of a pair", "alpha": "learning rate",
          "entropy": "entropy of the generator, nats"}
LEGEND = 0.4  # inches for the runs' names above the panels


class Run(NamedTuple):
    """A run: its label, the rows of its log, and of these the ones with vectors, scored."""

    label: str
    rows: list
    points: list


def read_run(label, path, sets):
    """Read a run from the log at path; return a Run.

    sets: {name: pairs}; each point is the log's row with Spearman's rho x100 on the covered pairs
    for every name.
    """
    rows = tables.read(path)
    if not rows or not NEEDED <= set(rows[0]):
        raise UserError(f"{path}: not a log of acevec with rows; make one with -log")
    if not sets:
        return Run(label, rows, [])
    points = [{**row, **scores(vectors_of(row, path), sets)} for row in rows if row["vectors"]]
    if not points:
        say(f"{path} names no vectors, so it has no quality; train with -save-every")
    return Run(label, rows, points)


def vectors_of(row, log):
    """Return the path of a row's vectors: as the run was given it, else beside the log."""
    path = str(row["vectors"])
    beside = os.path.join(os.path.dirname(log), os.path.basename(path))
    return path if os.path.exists(path) or not os.path.exists(beside) else beside


def scores(path, sets):
    """Return {set: rho x100 on covered pairs} of the vectors at path; nan where undefined."""
    wanted = {word for pairs in sets.values() for pair in pairs for word in pair[:2]}
    words, matrix = load_vectors(path, wanted)
    return {name: score_set(pairs, words, matrix).rho_covered for name, pairs in sets.items()}


def draw(runs, names, axes=tuple(AXES), columns=None):
    """Draw the runs; return the figure.

    names: of the sets, a panel each beside losses and the like; axes: what all are drawn against,
    one after the other; columns: panels in a line (all).
    """
    shown = [*names, "loss", "alpha"]
    if any(row["entropy"] is not None for one in runs for row in one.rows):
        shown.insert(-1, "entropy")
    columns = min(columns or len(shown), len(shown))
    lines = -(-len(shown) // columns)
    height = 2.9 * lines * len(axes) + LEGEND
    figure, grid = plots.panels(lines * len(axes), columns, 3.6 * columns, height)
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - LEGEND / height))
    for axis, lines_of_panels in zip(axes, grid.reshape(len(axes), -1)):
        scale, title = AXES[axis]
        for panel, what in zip(lines_of_panels, shown):
            for number, one in enumerate(runs):
                _draw_run(panel, one, what, axis, scale, plots.style(number))
            plots.axes(panel, TITLES.get(what, f"{what.upper()}, ρ × 100"), xlabel=title)
        for panel in lines_of_panels[len(shown):]:
            panel.set_axis_off()
    _add_legend(figure, runs)
    return figure


def _draw_run(panel, one, what, axis, scale, style):
    """Draw what a panel shows of a run, where it is known."""
    def line(rows, column, **options):
        plots.curve(panel, rows, axis, column, (scale, 1), **{**style, **options})

    if what == "loss":
        for column, dashes, _ in LOSSES:
            line(one.rows, column, linestyle=dashes, marker="")
    elif what in NEEDED:
        line(one.rows, what, marker="")
    else:
        line(one.points, what)


def _add_legend(figure, runs):
    """Tell the runs and the kinds of loss apart, above the panels."""
    line = plots.plt.Line2D
    handles = [line([], [], label=one.label, **plots.style(number)) for number, one in enumerate(runs)]
    handles += [line([], [], color="0.3", linestyle=dashes, label=f"loss: {kind}")
                for column, dashes, kind in LOSSES
                if any(row[column] is not None for one in runs for row in one.rows)]
    figure.legend(handles=handles, loc="upper center", ncols=min(len(handles), 6), frameon=False)


def write_points(runs, names, path):
    """Write a table with a line for each point of quality."""
    with open(path, "w", encoding="utf-8") as table:
        print("run", "tokens", "seconds", *names, sep="\t", file=table)
        for one in runs:
            for point in one.points:
                print(one.label, int(point["tokens"]), point["seconds"],
                      *(f"{point[name]:.2f}" for name in names), sep="\t", file=table)
