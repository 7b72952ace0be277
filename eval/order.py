#!/usr/bin/env python3
"""Order embeddings of WordNet's nouns: accuracy and ranking with and without ACE, and curves.

Trains `acevec order` on data/wordnet-hypernyms for each split, setting and seed, and writes into
the folder of results

    order.tsv          a row a run: accuracies and mean average precisions, times 100
    order-curves.tsv   the rows of every run's -log
    order-training.png    accuracy and losses while training (ace-2018, figure 1)
    order-generator.png   losses on noise and on adversarial negatives (figure 2)

and then prints means over the seeds. Runs that are in order.tsv already are not made again, so that
an interrupted evaluation goes on where it stopped; remove the file to start anew. ACEVEC is the
program, build/acevec when not given.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

if __name__ == "__main__":
    import interpreter
    interpreter.require("matplotlib")

import common
import plots
from cli import Parser, UserError, run, say
from tables import append_rows, mean_text, read_rows

ACE = ["-ace", "1"]
# The paper's generators, which have to find out for themselves what is hard.
NO_PRIOR = ACE + ["-ace-beta", "0"]
SETTINGS = {
    "noise": [],
    "ace": ACE,
    "ace, no prior": NO_PRIOR,
    # Figure 2's two sides, and what is between them.
    "ace, no prior, no floor": NO_PRIOR + ["-ace-entropy", "0"],
    "ace, no prior, no decay": NO_PRIOR + ["-ace-decay", "0"],
    "ace, no prior, neither": NO_PRIOR + ["-ace-entropy", "0", "-ace-decay", "0"],
    # What else might matter.
    "ace, no prior, reinforce": NO_PRIOR + ["-ace-estimator", "reinforce"],
    "ace, prior alone": ACE + ["-ace-rate", "0"],
    "ace, possible pairs too": ACE + ["-ace-spare", "observed"],
    "ace, sides alike": ACE + ["-replace-specific", "0.5"],
    "noise, sides alike": ["-replace-specific", "0.5"],
    "noise, vectors decay": ["-decay", "0.1"],
}
MAIN = tuple(SETTINGS)[:3]
ABLATION = tuple(SETTINGS)[3:]
RESULTS = ("development", "test", "ranking_all", "ranking_held_out", "seconds")
NAMES = ("split", "setting", "seed")
PATTERNS = {"development": r"^accuracy: development ([\d.]+)%", "test": r", test ([\d.]+)%$",
            "ranking_all": r": all generals ([\d.]+),",
            "ranking_held_out": r"held-out generals ([\d.]+)$",
            "seconds": r"^trained in ([\d.]+) s"}
BLUE, ORANGE = (colour for colour, _ in plots.STYLES[:2])


def plan(seeds):
    """Every run, (split, setting, seed), the most telling first; the ablation has one seed."""
    runs = [(split, setting, seed) for split in ("paper", "honest") for seed in range(1, seeds + 1)
            for setting in MAIN]
    return runs + [("paper", setting, 1) for setting in ABLATION]


def key(row):
    return row["split"], row["setting"], int(row["seed"])


def train(program, pairs, which, options, folder):
    """One run; return (its row of results, the rows of its log)."""
    split, setting, seed = which
    log = os.path.join(folder, "log.tsv")
    command = [program, "order", "-train", pairs, "-output", os.path.join(folder, "vectors.bin"),
               "-log", log, "-split", split, "-seed", str(seed),
               *common.with_options(SETTINGS[setting], options)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        raise UserError((done.stderr.strip() or "acevec failed").splitlines()[-1])
    row = dict(zip(NAMES, which))
    for name in RESULTS:
        found = re.search(PATTERNS[name], done.stderr, re.MULTILINE)
        value = float(found[1]) if found else float("nan")
        row[name] = f"{100 * value:.2f}" if name.startswith("ranking") else f"{value:.2f}"
    return row, [{**dict(zip(NAMES, which)), **point} for point in read_rows(log)]


def column(curves, which, name):
    """(millions of pairs, values) of one run's log."""
    # By place, the last counts: a run that was interrupted behind its curves is made again.
    points = {float(row["pairs"]) / 1e6: float(row[name]) for row in curves if key(row) == which}
    return list(points), list(points.values())


def panel_of(panel, title, ylabel):
    panel.set(title=title, xlabel="true pairs seen, millions", ylabel=ylabel)
    plots.grid(panel)


def plot_training(curves, path):
    """Figure 1: accuracy on the left, losses on noise and on true pairs on the right."""
    figure, (left, right) = plots.plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for setting, colour in (("noise", BLUE), ("ace", ORANGE)):
        seen, values = column(curves, ("paper", setting, 1), "test_accuracy")
        left.plot(seen, [100 * value for value in values], color=colour, label=setting)
        for name, line in (("noise_loss", "-"), ("positive_loss", ":")):
            right.plot(*column(curves, ("paper", setting, 1), name), line, color=colour,
                       label=f"{setting}: {name.split('_')[0]} pairs")
    panel_of(left, "test accuracy", "%")
    panel_of(right, "loss", "mean loss of a pair")
    right.set_yscale("log")
    for panel in (left, right):
        panel.legend(frameon=False)
    plots.save(figure, path)


def plot_generator(curves, path):
    """Figure 2: losses on both kinds of negatives, without and with entropy floor and decay."""
    shown = ("ace, no prior, neither", "ace, no prior, no floor", "ace, no prior, no decay",
             "ace, no prior", "ace")
    figure, panels = plots.plt.subplots(1, len(shown), figsize=(15, 3.6), sharey=True,
                                        layout="constrained")
    least = 1.0
    for panel, setting in zip(panels, shown):
        for name, colour in (("noise_loss", BLUE), ("adversarial_loss", ORANGE)):
            seen, losses = column(curves, ("paper", setting, 1), name)
            panel.plot(seen, losses, color=colour, label=name.replace("_loss", " negatives"))
            least = min([least, *(loss for loss in losses if loss > 0)])
        panel_of(panel, setting.removeprefix("ace, "), "mean loss of a pair")
        panel.set_yscale("log")
    panels[0].set_ylim(bottom=least)
    panels[0].legend(frameon=False)
    plots.save(figure, path)


def summary(rows):
    """Lines of means and standard deviations over the seeds."""
    yield "\t".join(("split", "setting", "seeds", *RESULTS))
    for which in dict.fromkeys(key(row)[:2] for row in rows):
        mine = [row for row in rows if key(row)[:2] == which]
        cells = [mean_text([row[name] for row in mine], 2) for name in RESULTS]
        yield "\t".join((*which, str(len(mine)), *cells))


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="runs of each (default 3)")
    parser.add_argument("--pairs", metavar="FILE",
                        help="pairs to learn (default: data/wordnet-hypernyms --paths)")
    parser.add_argument("--results", metavar="FOLDER", default=common.RESULTS)
    parser.add_argument("options", nargs="*", help="more options for every run, after --")
    parser.add_argument("--settings", metavar="NAME,..", default=",".join(SETTINGS),
                        help="only these of: " + "; ".join(SETTINGS))
    chosen = parser.parse_args()
    # Names hold commas themselves, so it is asked which of them the text holds between commas.
    asked = f",{chosen.settings},"
    settings = [name for name in SETTINGS if f",{name}," in asked]
    if not settings:
        raise UserError(f"no setting is called {chosen.settings}; see --help")
    program = common.find_acevec()
    table, curve_table = (os.path.join(chosen.results, name)
                          for name in ("order.tsv", "order-curves.tsv"))
    known = {key(row) for row in read_rows(table)}
    wanted = [which for which in plan(chosen.seeds)
              if which not in known and which[1] in settings]
    with tempfile.TemporaryDirectory() as folder:
        pairs = chosen.pairs or os.path.join(folder, "pairs.tsv")
        if wanted and not chosen.pairs:
            script = os.path.join(common.ROOT, "data", "wordnet-hypernyms")
            if subprocess.run([script, "--paths", pairs], check=False).returncode != 0:
                return 1
        for number, which in enumerate(wanted, 1):
            split, setting, seed = which
            say(f"run {number} of {len(wanted)}: {setting}, split {split}, seed {seed}")
            row, points = train(program, pairs, which, chosen.options, folder)
            append_rows(curve_table, points)
            append_rows(table, [row])
            say("  ".join(f"{name} {row[name]}" for name in RESULTS))
    curves = read_rows(curve_table)
    plot_training(curves, os.path.join(chosen.results, "order-training.png"))
    plot_generator(curves, os.path.join(chosen.results, "order-generator.png"))
    print(*summary(read_rows(table)), sep="\n")
    return 0


if __name__ == "__main__":
    run(main)
