#!/usr/bin/env python3
"""Train word vectors with several settings and seeds, and say how much the settings differ.

    eval/compare.py --setting 'noise only:' --setting 'ACE: -ace 1' --iter 2,5 --seeds 1,2,3

The first setting is the baseline. Settings take turns, seed after seed, so that a change in the
machine's speed meets all of them. For each number of epochs a line gives the mean and the standard
deviation over the seeds of the word similarity scores (Spearman's rho x100 on covered pairs,
eval/wordsim.py), the mean of the paired differences to the baseline with its 95 % confidence
interval (Student's t over the seeds), and the median of the ratios of training times.

Every run is a row of the table --out as soon as it is done. Started again with the same table,
what is in it is not run again.
"""

import os
import shlex
import sys
import tempfile
import time
from statistics import mean, median, stdev
from typing import NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

import common
import interpreter
import tables
from cli import Parser, run, say
from common import count, numbers

SETS = ("ws353", "rw", "ws353-sim", "ws353-rel")
COLUMNS = ("setting", "flags", "iter", "seed", "seconds", "training_seconds", "peak_mib", *SETS)


class Setting(NamedTuple):
    """A name for the tables, and what it adds to acevec's command line."""

    name: str
    flags: str


class Comparison(NamedTuple):
    """What is to be run: every setting with every number of epochs and every seed."""

    settings: list
    epochs: list
    seeds: list
    threads: int
    shared: str = ""  # flags of all settings


def setting(text):
    """Parse `name: flags` (for argparse)."""
    name, colon, flags = text.partition(":")
    if not colon or not name.strip():
        raise ValueError(text)
    return Setting(name.strip(), flags.strip())


def runs_of(comparison):
    """Return the runs in their order: {what key() says of their rows: (setting, epochs, seed)}."""
    return {(one.name, flags_of(one, comparison), epochs, seed): (one, epochs, seed)
            for seed in comparison.seeds for epochs in comparison.epochs
            for one in comparison.settings}


def flags_of(one, comparison):
    """Return the flags that a setting's runs have beside -iter, -seed and the files."""
    return " ".join(filter(None, (f"-threads {comparison.threads}", comparison.shared, one.flags)))


def train(program, corpus, sets, one, flags, epochs, seed):
    """Train once and score the vectors, which are not kept; return a row, COLUMNS -> value."""
    with tempfile.TemporaryDirectory(prefix="acevec-compare-") as folder:
        vectors, log = os.path.join(folder, "vectors.bin"), os.path.join(folder, "log")
        command = [program, "-train", corpus, "-output", vectors, "-iter", str(epochs), "-seed",
                   str(seed), *shlex.split(flags)]
        seconds, peak = common.measure(command, log)
        report = common.acevec_report(common.read_log(log))
        scores = common.quality(vectors, sets)
    return dict(zip(COLUMNS, (one.name, flags, epochs, seed, seconds, report["training_seconds"],
                              peak, *(scores.get(name) for name in SETS))))


def key(row):
    """What makes a row the same run as another."""
    return row["setting"], row["flags"], int(row["iter"]), int(row["seed"])


def rows_of(comparison, rows):
    """Return those of a table's rows that are the comparison's, in the order of its runs."""
    known = {key(row): row for row in rows}
    return [known[name] for name in runs_of(comparison) if name in known]


def run_all(comparison, program, corpus, fact, sets, out):
    """Run what the table at out does not have yet; return all rows of this comparison.

    fact: the corpus' name in the table.
    """
    table, rows = tables.continue_table(out, COLUMNS, corpus=fact)
    old = set(map(key, rows))
    todo = {name: run for name, run in runs_of(comparison).items() if name not in old}
    start, done, total = time.monotonic(), 0, sum(epochs for _, epochs, _ in todo.values())
    with table:
        for number, (name, (one, epochs, seed)) in enumerate(todo.items(), 1):
            row = train(program, corpus, sets, one, name[1], epochs, seed)
            rows.append(row)
            tables.write_row(table, row)
            done += epochs
            left = (time.monotonic() - start) * (total - done) / done
            say(f"{number}/{len(todo)}: {one.name}, {epochs} epochs, seed {seed}: "
                f"{row['seconds']:.1f} s, {scores_text(row)}; {left / 60:.0f} minutes left")
    return rows_of(comparison, rows)


def scores_text(row):
    """A run's scores, for the progress line."""
    return ", ".join(f"{name} {row[name]:.1f}" for name in SETS if row[name] is not None) or "-"


def interval(differences):
    """Return the half width of the 95 % confidence interval of the mean, None of fewer than two."""
    if len(differences) < 2:
        return None
    from scipy.stats import t  # not before the runs: see common.measure
    return t.ppf(0.975, len(differences) - 1) * stdev(differences) / len(differences) ** 0.5


def summarise(comparison, rows, stream=sys.stdout):
    """Print a line for each number of epochs and setting, of which rows has runs."""
    names = [name for name in SETS if any(row[name] is not None for row in rows)]
    print("setting", "epochs", "runs", "training s", "times", *(
        f"{name}{part}" for name in names for part in ("", " - baseline [95 %]")),
        sep="\t", file=stream)
    for epochs in comparison.epochs:
        groups = {one: {row["seed"]: row for row in rows
                        if row["setting"] == one.name and row["iter"] == epochs}
                  for one in comparison.settings}
        baseline = groups[comparison.settings[0]]
        for one, group in groups.items():
            if not group:
                continue
            seconds = {seed: row["training_seconds"] for seed, row in group.items()}
            paired = [seed for seed in group if seed in baseline]
            ratios = [seconds[seed] / baseline[seed]["training_seconds"] for seed in paired
                      if baseline[seed]["training_seconds"]]
            cells = [one.name, epochs, len(group), f"{median(seconds.values()):.1f}",
                     f"{median(ratios):.2f}" if ratios else "-"]
            for name in names:
                values = [row[name] for row in group.values()]
                cells.append(tables.mean_text(values, 2))
                cells.append("" if group is baseline or not paired else difference(
                    [group[seed][name] - baseline[seed][name] for seed in paired]))
            print(*cells, sep="\t", file=stream)


def difference(values):
    """Paired differences as text: mean and confidence interval."""
    width = interval(values)
    middle = mean(values)
    return f"{middle:+.2f}" + (
        f" [{middle - width:+.2f}, {middle + width:+.2f}]" if width is not None else "")


def plot(comparison, rows, path, title):
    """Draw scores against training time, a curve a setting, a point a number of epochs."""
    import plots  # not before the runs: see common.measure
    figure, axes = plots.plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    for axis, name in zip(axes, ("rw", "ws353")):
        for number, one in enumerate(comparison.settings):
            points = [[row for row in rows if row["setting"] == one.name and row["iter"] == epochs]
                      for epochs in comparison.epochs]
            plots.curve_of_means(
                axis, number, one.name,
                [median(row["training_seconds"] for row in group) for group in points],
                [[row[name] for row in group] for group in points])
        axis.set(xlabel="training time, seconds", ylabel=f"{name.upper()}, rho x100")
        plots.grid(axis)
        axis.legend()
    figure.suptitle(title)
    plots.save(figure, path)


def add_options(parser):
    """The options that say where the corpus and the sets are."""
    common.add_corpus_option(parser)
    common.add_wordsim_option(parser)


def run_each(comparisons, options, out):
    """Run comparisons one after the other, all in the table at out; return the rows of each."""
    sets = common.find_sets(options.wordsim, SETS)
    program = common.find_acevec()
    with tempfile.TemporaryDirectory(prefix="acevec-corpus-") as scratch:
        found = common.find_corpus(options.corpus, scratch)
        corpus, fact = common.unpacked(found, scratch), os.path.basename(found)
        return [run_all(comparison, program, corpus, fact, sets, out)
                for comparison in comparisons]


def add_plot_option(parser):
    """--plot, as carry_out takes it."""
    parser.add_argument("--plot", metavar="FILE", help="scores against training time, as a picture")


def carry_out(comparison, options, out, title):
    """Run a comparison, print its summary and draw its picture if one is wanted."""
    rows, = run_each([comparison], options, out)
    summarise(comparison, rows)
    if options.plot and any(row["rw"] is not None for row in rows):
        plot(comparison, rows, options.plot, title)


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--setting", type=setting, action="append", required=True, metavar="'NAME: FLAGS'",
        help="flags of acevec under a name; give it once for each, the baseline first")
    add("--flags", default="", metavar="FLAGS", help="flags of all settings")
    add("--iter", type=numbers, default=[5], metavar="N,..", help="numbers of epochs (5)")
    add("--seeds", type=numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    add("--threads", type=count, default=os.cpu_count() or 1, metavar="N",
        help="threads of each run (as many as the machine has)")
    add("--out", metavar="FILE", required=True, help="table of all runs; gone on with if it exists")
    add_options(parser)
    add_plot_option(parser)
    return parser.parse_args()


def main():
    options = parse_arguments()
    comparison = Comparison(options.setting, options.iter, options.seeds, options.threads,
                            options.flags)
    carry_out(comparison, options, options.out, os.path.basename(options.out))
    return 0


if __name__ == "__main__":
    interpreter.require("scipy", "matplotlib")
    run(main)
