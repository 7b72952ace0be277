#!/usr/bin/env python3
"""Which noise gives the best word vectors: unigram, power, uniform, QCEM and largest entropy.

    eval/papers/noise_word.py budgets   each noise with several budgets or powers, at size 100
    eval/papers/noise_word.py sizes     Figure 5 of Kekeç, Mimno and Tax 2019: sizes 50 to 300

Trains with each noise, size and seed, and scores WS353, its two halves (similarity and relatedness)
and RW: Spearman's rho x100 on covered pairs. The summary gives means, standard deviations and
paired differences to `power`; see eval/tools/compare.py. Both comparisons share one table, in
which every run is a row as soon as it is done; a restarted script continues where it was.
"""

import os

from lib import comparison, grid, interpreter
from lib.cli import Parser, count, numbers, run
from lib.comparison import SETS, Comparison
from lib.noises import NOISES, noise_names
from lib.texts import RESULTS

SIZES = {"sizes": [50, 100, 200, 300], "budgets": [100]}


def comparisons(name, options):
    """Return {size: Comparison} of the comparison of that name."""
    return {size: Comparison(options.noises or NOISES[name], options.iter, options.seeds,
                             options.threads, f"-size {size}")
            for size in options.sizes or SIZES[name]}


def plot(rows_at, epochs, path):
    """Draw scores against sizes, a panel a set, a curve a noise. rows_at: size -> rows of runs."""
    from lib import plots  # not before the runs: see measure in acevec.py
    sets = [name for name in SETS if all(row.get(name) is not None
                                         for rows in rows_at.values() for row in rows)]
    found = {row["setting"] for rows in rows_at.values() for row in rows}
    noises = [noise.name for noise in NOISES["budgets"] if noise.name in found]
    figure, panels = plots.panels(1, len(sets), 3.2 * len(sets), 4)
    for panel, name in zip(panels[0], sets):
        for number, noise in enumerate(noises):
            groups = {size: [row[name] for row in rows
                             if row["setting"] == noise and row["iter"] == epochs]
                      for size, rows in sorted(rows_at.items())}
            groups = {size: group for size, group in groups.items() if group}
            plots.curve_of_means(panel, number, noise, list(groups), groups.values())
        plots.axes(panel, name.upper(), xlabel="size",
                   xticks=sorted(filter(rows_at.get, rows_at)))
    panels[0][0].set_ylabel("Spearman's rho x100")
    plots.legend(figure, panels[0][0], columns=6, title="mean and standard deviation over the seeds")
    plots.save(figure, path)


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("name", choices=sorted(NOISES), help="which comparison")
    add("--sizes", type=numbers, metavar="N,..", help="other sizes than those above")
    add("--noises", type=noise_names, metavar="NAME,..", help="these, the first being the baseline "
        f"(of {', '.join(noise.name for noise in NOISES['budgets'])})")
    add("--seeds", type=numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    add("--iter", type=numbers, default=[2], metavar="N,..", help="numbers of epochs (2)")
    add("--threads", type=count, default=1, metavar="N",
        help="threads (1, with which the same seed gives the same vectors)")
    comparison.add_options(parser)
    add("--out", metavar="FILE.tsv", default=os.path.join(RESULTS, "noise-word.tsv"),
        help="table of all runs (eval/results/noise-word.tsv)")
    add("--show", action="store_true", help="run nothing, show the runs that the table has")
    add("--plot", metavar="FILE", help="for `sizes`: scores against sizes, as a picture, for the "
        "largest number of epochs")
    return parser.parse_args()


def main():
    options = parse_arguments()
    wanted = comparisons(options.name, options)
    if options.show:
        found = [grid.found(comparison.plan(one), options.out) for one in wanted.values()]
    else:
        found = comparison.run_each(wanted.values(), options, options.out)
    rows_at = dict(zip(wanted, found))
    for size, one in wanted.items():
        print(f"size {size}")
        comparison.summarise(one, rows_at[size])
    if options.plot and options.name == "sizes":
        plot(rows_at, max(options.iter), options.plot)
    return 0


if __name__ == "__main__":
    interpreter.require("scipy", "matplotlib")
    run(main)
