"""What all pictures share: matplotlib set up for files, colours, how curves and panels look.

Loads matplotlib, so scripts that measure other programs' memory import it late: see measure in
acevec.py.
"""

import io
import os
import warnings
from statistics import mean, stdev

import matplotlib
matplotlib.use("Agg")  # pictures go to files
import matplotlib.pyplot as plt
from PIL import Image

# From the palette of Okabe and Ito, which the colour-blind can tell apart; markers differ as well.
STYLES = (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#E69F00", "v"),
          ("#56B4E9", "P"), ("#000000", "x"))


def colour(number):
    """The colour of that number, from 0."""
    return STYLES[number % len(STYLES)][0]


def style(number):
    """Colour and marker of the curve of that number, from 0, as options of matplotlib's plot."""
    return {"color": colour(number), "marker": STYLES[number % len(STYLES)][1], "markersize": 5,
            "linewidth": 1.3}


def curve_of_means(panel, number, label, positions, groups):
    """Draw the mean of each group of numbers at its position, with bars of one standard deviation."""
    panel.errorbar(positions, list(map(mean, groups)),
                   [stdev(group) if len(group) > 1 else 0 for group in groups],
                   capsize=2, label=label, **style(number))


def curve(panel, rows, x, y, scales=(1, 1), **options):
    """Draw a column of rows against another where both are known; options of matplotlib's plot.

    scales: what the columns' numbers are multiplied by.
    """
    known = [(row[x] * scales[0], row[y] * scales[1]) for row in rows
             if row[x] is not None and row[y] is not None]
    if known:
        panel.plot(*zip(*known), **options)


def panels(rows, columns, width, height, **options):
    """Return (figure, its panels in rows), of a size in inches; options of matplotlib's subplots."""
    return plt.subplots(rows, columns, figsize=(width, height), squeeze=False,
                        layout="constrained", **options)


def axes(panel, title="", **options):
    """What a panel's axes say and how they look; options of matplotlib's Axes.set.

    Light lines behind the curves stand in place of a whole frame.
    """
    panel.set_title(title, fontsize=10)
    panel.set(**options)
    panel.grid(True, color="0.9", linewidth=0.6)
    panel.spines[["top", "right"]].set_visible(False)


def legend(figure, *panels, columns=4, title=None, **options):
    """The names of the curves of these panels, each once, below the figure, where they hide no data.

    title: what lines, bars, bands and points mean; options of matplotlib's Figure.legend.
    """
    names = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels()):
            names.setdefault(label, handle)
    if names:
        figure.legend(names.values(), names, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=columns,
                      fontsize=9, title_fontsize=9, frameon=False, title=title, **options)


def save(figure, path):
    """Write a figure to a path, whose ending decides the format, and forget it.

    .png gets a palette, a third of the bytes. The octree keeps a colour that few points have.
    """
    coloured = io.BytesIO()
    is_png = os.path.splitext(path)[1].lower() == ".png"
    with warnings.catch_warnings(), plt.rc_context({"svg.fonttype": "none"}):  # text stays text
        warnings.simplefilter("ignore")  # of letters that the font lacks
        figure.savefig(coloured if is_png else path, dpi=110, bbox_inches="tight")
    plt.close(figure)
    if is_png:
        with Image.open(coloured) as picture:
            picture.convert("RGB").quantize(
                256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(path, optimize=True)
