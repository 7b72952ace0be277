"""What the pictures share: how curves look, and curves of means with their spread.

Loads matplotlib, so scripts that measure other programs' memory import it late: see common.measure.
"""

from statistics import mean, stdev

import matplotlib
matplotlib.use("Agg")  # pictures go to files
import matplotlib.pyplot as plt

# From the palette of Okabe and Ito, which the colour-blind can tell apart; markers differ as well.
STYLES = (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#E69F00", "v"),
          ("#56B4E9", "P"), ("#000000", "x"))


def style(number):
    """Colour and marker of the curve of that number, from 0, as options of matplotlib's plot."""
    colour, marker = STYLES[number % len(STYLES)]
    return {"color": colour, "marker": marker, "markersize": 5, "linewidth": 1.3}


def curve_of_means(panel, number, label, positions, groups):
    """Draw the mean of each group of numbers at its position, with bars of one standard deviation."""
    panel.errorbar(positions, list(map(mean, groups)),
                   [stdev(group) if len(group) > 1 else 0 for group in groups],
                   capsize=2, label=label, **style(number))


def grid(panel):
    """Light lines behind the curves."""
    panel.grid(True, color="0.9", linewidth=0.6)


def legend_below(figure, panel, columns):
    """One legend for a figure whose panels have the same curves as this panel."""
    figure.legend(*panel.get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0),
                  ncol=columns, fontsize=9, frameon=False)


def save(figure, path):
    """Write a figure to path and forget it."""
    figure.savefig(path, dpi=110, bbox_inches="tight")
    plt.close(figure)
