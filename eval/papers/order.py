#!/usr/bin/env python3
"""Order embeddings of WordNet's nouns: accuracy and ranking with and without ACE, and curves.

Trains `acevec order -start random`, the paper's start, on data/wordnet-hypernyms for each split, setting and seed, and writes into
the folder of results

    order.tsv          a row a run: accuracies and mean average precisions, times 100
    order-curves.tsv   the rows of every run's -log
    order-training.png    accuracy and losses while training (ace-2018, figure 1)
    order-generator.png   losses on noise and on adversarial negatives (figure 2)

and then prints means over the seeds. Runs that are in order.tsv already are not made again, so that
an interrupted evaluation continues where it stopped; remove the file to start anew. ACEVEC is the
program, build/acevec when not given.
"""

import os
import re
import tempfile

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("matplotlib")

from lib import acevec, grid, plots, stats, tables
from lib.cli import Parser, UserError, count, run
from lib.texts import RESULTS, ROOT

ACE = ["-ace", "1"]
# The paper's generators, which have to find out for themselves what is hard.
NO_PRIOR = ACE + ["-ace-beta", "0"]
SETTINGS = {
    "noise": [],
    "ace": ACE,
    "ace, no prior": NO_PRIOR,
    "ace, prior alone": ACE + ["-ace-sampler", "critic"],
}
MAIN = tuple(SETTINGS)[:3]
ABLATION = tuple(SETTINGS)[3:]
SCORES = ("development", "test", "ranking_all", "ranking_held_out", "seconds")
NAMES = ("split", "setting", "seed")
PATTERNS = {"development": r"^accuracy: development ([\d.]+)%", "test": r", test ([\d.]+)%$",
            "ranking_all": r": all hypernyms ([\d.]+),",
            "ranking_held_out": r"held-out hypernyms ([\d.]+)$",
            "seconds": r"^trained in ([\d.]+) s"}
# In pictures. -ace-entropy was an option of acevec 0.2.0.
LABELS = {"noise": "-ace 0", "ace": "-ace 1", "ace, no prior": "-ace 1 -ace-beta 0",
          "ace, no prior, no floor": "-ace 1 -ace-beta 0 -ace-entropy 0"}
BLUE, ORANGE = map(plots.colour, range(2))


def plan(seeds, settings):
    """The runs of those settings, the most telling first; the ablation has one seed."""
    runs = [(split, setting, seed) for split in ("paper", "honest") for seed in range(1, seeds + 1)
            for setting in MAIN]
    runs += [("paper", setting, 1) for setting in ABLATION]
    return [dict(zip(NAMES, which)) for which in runs if which[1] in settings]


def train(program, pairs, options, run_of):
    """One run; return (its scores, the rows of its log that have an evaluation)."""
    with tempfile.TemporaryDirectory() as folder:
        said, log = acevec.call_logged(
            [program, "order", "-train", pairs, "-output", os.path.join(folder, "vectors.bin"),
             "-split", run_of["split"], "-seed", str(run_of["seed"]), "-start", "random",
             *acevec.with_options(SETTINGS[run_of["setting"]], options)])
    return {name: score_of(said, name) for name in SCORES}, \
        [row for row in log if row["test_accuracy"]]


def score_of(said, name):
    """A score among what acevec said, as the table has it."""
    found = re.search(PATTERNS[name], said, re.MULTILINE)
    value = float(found[1]) if found else float("nan")
    return f"{100 * value:.2f}" if name.startswith("ranking") else f"{value:.2f}"


def draw(panel, curves, setting, column, scale=1, **options):
    """A curve of a column of a log, of the first run of a setting."""
    rows = grid.pick([{"split": "paper", "setting": setting, "seed": 1}], curves)
    plots.curve(panel, tables.typed(rows), "pairs", column, (1e-6, scale), **options)


def axes(panel, title, ylabel):
    """The axes of a panel against the pairs seen."""
    plots.axes(panel, title, xlabel="true pairs seen, millions", ylabel=ylabel)


def plot_training(curves, path):
    """Figure 1: accuracy on the left, losses on noise and on true pairs on the right."""
    figure, ((left, right),) = plots.panels(1, 2, 10, 4)
    for setting, colour in (("noise", BLUE), ("ace", ORANGE)):
        draw(left, curves, setting, "test_accuracy", 100, color=colour)
        for name, line in (("noise_loss", "-"), ("positive_loss", ":")):
            draw(right, curves, setting, name, linestyle=line, color=colour,
                 label=f"{LABELS[setting]}: {name.split('_')[0]} pairs")
    axes(left, "test accuracy", "%")
    axes(right, "loss", "mean loss of a pair")
    right.set_yscale("log")
    plots.legend(figure, right, title="one run of each; on the left the colours mean the same")
    plots.save(figure, path)


def plot_generator(curves, path):
    """Figure 2: losses on both kinds of negatives, without and with entropy floor."""
    shown = ("ace, no prior, no floor", "ace, no prior", "ace")
    figure, (panels,) = plots.panels(1, len(shown), 10, 3.6, sharey=True)
    for panel, setting in zip(panels, shown):
        for name, colour in (("noise_loss", BLUE), ("adversarial_loss", ORANGE)):
            draw(panel, curves, setting, name, color=colour,
                 label=name.replace("_loss", " negatives"))
        axes(panel, LABELS[setting], "mean loss of a pair")
        panel.set_yscale("log")
    losses = [loss for panel in panels for line in panel.get_lines() for loss in line.get_ydata()]
    panels[0].set_ylim(bottom=min([1.0, *(loss for loss in losses if loss > 0)]))
    plots.legend(figure, panels[0], title="one run of each")
    plots.save(figure, path)


def settings_of(text):
    """The settings whose names stand between commas in a text. Names hold commas themselves."""
    settings = [name for name in SETTINGS if f",{name}," in f",{text},"]
    if not settings:
        raise UserError(f"no setting is called {text}; see --help")
    return settings


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--seeds", type=count, default=3, metavar="N", help="runs of each (default 3)")
    add("--pairs", metavar="FILE", help="pairs to learn (default: data/wordnet-hypernyms --paths)")
    add("--results", metavar="FOLDER", default=RESULTS)
    add("options", nargs="*", help="more options for every run, after --")
    add("--settings", metavar="NAME,..", default=",".join(SETTINGS),
        help="only these of: " + "; ".join(SETTINGS))
    chosen = parser.parse_args()
    settings = settings_of(chosen.settings)
    program = acevec.find_acevec()
    table = tables.Table(
        os.path.join(chosen.results, "order.tsv"), NAMES + SCORES,
        {"pairs": os.path.basename(chosen.pairs) if chosen.pairs else None,
         "options": " ".join(chosen.options) or None})
    curve_table = os.path.join(chosen.results, "order-curves.tsv")
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "pairs.tsv")

        def make(run_of):
            if not chosen.pairs and not os.path.exists(made):
                acevec.call([os.path.join(ROOT, "data", "wordnet-hypernyms"), "--paths", made])
            return train(program, chosen.pairs or made, chosen.options, run_of)

        grid.complete(plan(chosen.seeds, settings), make, table, curve_table)
    curves = tables.texts(curve_table)
    plot_training(curves, os.path.join(chosen.results, "order-training.png"))
    plot_generator(curves, os.path.join(chosen.results, "order-generator.png"))
    print(*stats.summary(tables.read(table.path), NAMES[:2], SCORES), sep="\n")
    return 0


if __name__ == "__main__":
    run(main)
