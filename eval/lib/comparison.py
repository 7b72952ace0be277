"""Word vectors trained with several settings, numbers of epochs and seeds, and compared.

What tools/compare.py and the papers' scripts share. The first setting is the baseline; settings take
turns, seed after seed, so that a change in the machine's speed meets all of them. Standard library
only, until the runs are done: see measure in acevec.py.
"""

import os
import shlex
import tempfile
from statistics import fmean, median
from typing import NamedTuple

from lib import acevec, grid, texts
from lib.stats import difference, mean_text
from lib.tables import Table

# The mean is over the first six: the others are parts of ws353.
SETS = ("ws353", "rw", "mturk287", "mc30", "yp130-verbs", "verb143", "ws353-sim", "ws353-rel")
MEAN_OF = SETS[:6]
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


def plan(comparison):
    """Return the runs in their order, as grid.complete takes them."""
    return [{"setting": one.name, "flags": flags_of(one, comparison), "iter": epochs, "seed": seed}
            for seed in comparison.seeds for epochs in comparison.epochs
            for one in comparison.settings]


def flags_of(one, comparison):
    """Return the flags that a setting's runs have beside -iter, -seed and the files."""
    return " ".join(filter(None, (f"-threads {comparison.threads}", comparison.shared, one.flags)))


def train(program, corpus, sets, run):
    """Train once and score the vectors, which are not kept; return the row's other columns."""
    with tempfile.TemporaryDirectory(prefix="acevec-compare-") as folder:
        vectors, log = os.path.join(folder, "vectors.bin"), os.path.join(folder, "log")
        command = [program, "-train", corpus, "-output", vectors, "-iter", str(run["iter"]),
                   "-seed", str(run["seed"]), *shlex.split(run["flags"])]
        spent = acevec.measure(command, log)
        training = acevec.report(acevec.read_log(log))["training_seconds"]
        scores = acevec.quality(vectors, sets)
    return {"seconds": spent.seconds, "training_seconds": training, "peak_mib": spent.peak_mib,
            **{name: scores.get(name) for name in SETS}}


def with_mean(row):
    """Return a row with the mean of its sets, None where one is missing."""
    values = [row.get(name) for name in MEAN_OF]
    return {**row, "mean": None if None in values else fmean(values)}


def summarise(comparison, rows, stream=None):
    """Print a line for each number of epochs and setting of which rows has runs, to stdout by default."""
    rows = [with_mean(row) for row in rows]
    names = [name for name in (*SETS, "mean") if any(row.get(name) is not None for row in rows)]
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
                cells.append(mean_text(values, 2))
                cells.append("" if group is baseline or not paired else difference(
                    [group[seed][name] - baseline[seed][name] for seed in paired]))
            print(*cells, sep="\t", file=stream)


def plot(comparison, rows, path, title):
    """Draw scores against training time, a curve a setting, a point a number of epochs."""
    from lib import plots
    figure, panels = plots.panels(1, 2, 11, 4.5)
    for panel, name in zip(panels[0], ("rw", "ws353")):
        for number, one in enumerate(comparison.settings):
            points = [[row for row in rows if row["setting"] == one.name and row["iter"] == epochs]
                      for epochs in comparison.epochs]
            plots.curve_of_means(
                panel, number, one.name,
                [median(row["training_seconds"] for row in group) for group in points],
                [[row[name] for row in group] for group in points])
        plots.axes(panel, xlabel="training time, seconds", ylabel=f"{name.upper()}, rho x100")
    plots.legend(figure, panels[0][0], title="mean and standard deviation over the seeds")
    figure.suptitle(title)
    plots.save(figure, path)


def add_options(parser):
    """The options that say where the corpus and the sets are."""
    texts.add_corpus_option(parser)
    texts.add_wordsim_option(parser)


def run_each(comparisons, options, out):
    """Run comparisons one after the other, all in the table at out; return the rows of each."""
    sets = texts.find_sets(options.wordsim, SETS)
    program = acevec.find_acevec()
    with tempfile.TemporaryDirectory(prefix="acevec-corpus-") as scratch:
        found = texts.find_corpus(options.corpus, scratch)
        corpus = texts.unpacked(found, scratch)
        table = Table(out, COLUMNS, {"corpus": os.path.basename(found)})
        return [grid.complete(plan(comparison), lambda run: train(program, corpus, sets, run), table)
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
