#!/usr/bin/env python3
"""Which noise gives the best word vectors: unigram, power, uniform, QCEM and largest entropy.

    eval/noise_word.py budgets   each noise with several budgets or powers, at size 100
    eval/noise_word.py sizes     Figure 5 of Kekeç, Mimno and Tax 2019: each noise at sizes 50 to 300

Trains with each noise, size and seed, and scores WS353, its two halves (similarity and relatedness)
and RW: Spearman's rho x100 on covered pairs. The summary gives means, standard deviations and
paired differences to `power`; see eval/compare.py. Both comparisons share one table, in which every
run is a row as soon as it is done; started again, the script goes on where it was.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

import common
import compare
import interpreter
import tables
from cli import Parser, run
from common import count, numbers
from compare import SETS, Comparison, Setting


def solved(noise, precision, budget):
    """The setting of a noise that is solved for."""
    return Setting(f"{noise} {precision} {budget}",
                   f"-noise {noise} -{noise}-precision {precision} -{noise}-budget {budget}")


def power(exponent):
    """The setting of the noise in proportion to count^exponent."""
    return Setting(f"power {exponent}", f"-noise power -noise-power {exponent}")


POWER = power(0.75)  # word2vec's, the baseline
UNIGRAM = Setting("unigram", "-noise unigram")
UNIFORM = Setting("uniform", "-noise uniform")
NOISES = {
    "sizes": [POWER, UNIGRAM, UNIFORM, solved("qcem", "isotropic", 0.9),
              solved("qcem", "relative", 0.1), solved("entropy", "relative", 0.1)],
    "budgets": [POWER, power(0.5), UNIGRAM, UNIFORM,
                *(solved("qcem", "isotropic", budget) for budget in (0.9, 0.97)),
                *(solved("qcem", "relative", budget) for budget in (0.03, 0.1, 0.3)),
                *(solved("entropy", "relative", budget) for budget in (0.03, 0.1, 0.3)),
                solved("entropy", "isotropic", 0.001)],
}
SIZES = {"sizes": [50, 100, 200, 300], "budgets": [100]}


def noise_names(text):
    """Parse names of noises, `power 0.75,uniform` (for argparse)."""
    known = {noise.name: noise for noise in NOISES["budgets"]}
    chosen = [known.get(name.strip()) for name in text.split(",")]
    if None in chosen:
        raise ValueError(text)
    return chosen


def comparisons(name, options):
    """Return {size: Comparison} of the comparison of that name."""
    return {size: Comparison(options.noises or NOISES[name], options.iter, options.seeds,
                             options.threads, f"-size {size}")
            for size in options.sizes or SIZES[name]}


def plot(rows_at, epochs, path):
    """Draw scores against sizes, a panel a set, a curve a noise. rows_at: size -> rows of runs."""
    import plots  # not before the runs: see common.measure
    sets = [name for name in SETS if all(row[name] is not None
                                         for rows in rows_at.values() for row in rows)]
    found = {row["setting"] for rows in rows_at.values() for row in rows}
    noises = [noise.name for noise in NOISES["budgets"] if noise.name in found]
    figure, panels = plots.plt.subplots(1, len(sets), figsize=(3.2 * len(sets), 4), squeeze=False,
                                        layout="constrained")
    for panel, name in zip(panels[0], sets):
        for number, noise in enumerate(noises):
            groups = {size: [row[name] for row in rows
                             if row["setting"] == noise and row["iter"] == epochs]
                      for size, rows in sorted(rows_at.items())}
            groups = {size: group for size, group in groups.items() if group}
            plots.curve_of_means(panel, number, noise, list(groups), groups.values())
        panel.set(title=name.upper(), xlabel="size", xticks=sorted(filter(rows_at.get, rows_at)))
        plots.grid(panel)
    panels[0][0].set_ylabel("Spearman's rho x100")
    plots.legend_below(figure, panels[0][0], columns=6)
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
        help="threads (1, with which equal seeds give equal vectors)")
    compare.add_options(parser)
    add("--out", metavar="FILE.tsv", default=os.path.join(common.RESULTS, "noise-word.tsv"),
        help="table of all runs (eval/results/noise-word.tsv)")
    add("--show", action="store_true", help="run nothing, tell of the runs that the table has")
    add("--plot", metavar="FILE", help="for `sizes`: scores against sizes, as a picture, for the "
        "largest number of epochs")
    return parser.parse_args()


def main():
    options = parse_arguments()
    wanted = comparisons(options.name, options)
    if options.show:
        rows = tables.read_table(options.out)
        found = [compare.rows_of(comparison, rows) for comparison in wanted.values()]
    else:
        found = compare.run_each(wanted.values(), options, options.out)
    rows_at = dict(zip(wanted, found))
    for size, comparison in wanted.items():
        print(f"size {size}")
        compare.summarise(comparison, rows_at[size])
    if options.plot and options.name == "sizes":
        plot(rows_at, max(options.iter), options.plot)
    return 0


if __name__ == "__main__":
    interpreter.require("scipy", "matplotlib")
    run(main)
