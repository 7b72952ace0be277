#!/usr/bin/env python3
"""Link prediction: TransD with noise, with the critic and with ACE on WN18, Figure 5's ablation, and,
with --only scores, every score with its defaults, without and with ACE.

Trains `acevec kg` for each setting and seed, and writes into the folder of results

    kg.tsv            a row a run: filtered MRR, Hits@1, 3, 10 and mean rank, valid and test
    kg-curves.tsv     the rows of every run's -log
    kg-training.png   validation MRR while training: noise, critic, ACE
    kg-ablation.png   the same of ACE with and without its parts (ace-2018, figure 5)
    kg-scores-GRAPH.tsv, kg-scores-GRAPH-curves.tsv   rows as in the first two, of --only scores

and then prints means over the seeds. The ablation has one seed. Runs that are in kg.tsv already are
not made again, so that an interrupted evaluation continues where it stopped; remove the file to start
anew. ACEVEC is the program, build/acevec when not given.
"""

import os
import re
import tempfile

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("matplotlib")

from lib import acevec, graphs, grid, plots, stats, tables
from lib.cli import Parser, UserError, count, run
from lib.texts import RESULTS

# What were the defaults when the table was made.
CRITIC = ["-ace", "1", "-ace-lambda", "0.5", "-ace-candidates", "256", "-ace-in-batch", "0"]
ACE = CRITIC + ["-ace-sampler", "learned"]
# As in the paper: one draw at a time, with an entropy floor and the self-critical baseline.
PAPER = ACE + ["-ace-estimator", "reinforce"]
NO_BASELINE = ACE + ["-ace-estimator", "reinforce-plain"]
OFF_POLICY = ACE + ["-ace-estimator", "off-policy"]
FLOOR = ["-ace-entropy", "32"]
MAIN = {
    # Its best on validation.
    "noise": ["-negative", "10", "-iter", "300"],
    "critic": CRITIC,
    "ace": ACE,
}
ABLATION = {
    "ACE (Ent+SC)": PAPER + FLOOR,
    "ACE (Ent+SC+IW)": OFF_POLICY + FLOOR,
    "ACE (Ent)": NO_BASELINE + FLOOR,
    "ACE (SC)": PAPER,
    "ACE (neither)": NO_BASELINE,
    "ACE (exact, Ent)": ACE + FLOOR,
}
SCORES_COMPARED = {
    name + with_ace: ["-score", name.split(",")[0].lower(), *loss, *options]
    for name, loss in (*((name, []) for name in ("ComplEx", "DistMult", "RotatE", "TransD", "TransE")),
                       *((name + ", margin", ["-loss", "margin"]) for name in ("RotatE", "TransE")))
    for with_ace, options in (("", ["-ace", "0"]), (", ACE", ["-ace", "1"]))
}
SETTINGS = {**MAIN, **ABLATION, **SCORES_COMPARED}
NAMES = ("setting", "seed")
SCORES = ("mean_rank", "mrr", "hits1", "hits3", "hits10")
COLUMNS = ("valid_mrr", *(f"test_{name}" for name in SCORES), "seconds")
SCORE_LINE = (r"^{}: mean rank (?P<mean_rank>[\d.]+), MRR (?P<mrr>[\d.]+), Hits@1 (?P<hits1>[\d.]+), "
              r"Hits@3 (?P<hits3>[\d.]+), Hits@10 (?P<hits10>[\d.]+)$")


def plan(seeds, settings):
    """The runs of those settings, the most telling first; the ablation has one seed."""
    runs = [(setting, seed) for seed in range(1, seeds + 1)
            for setting in (*MAIN, *SCORES_COMPARED)]
    runs += [(setting, 1) for setting in ABLATION]
    return [dict(zip(NAMES, which)) for which in runs if which[0] in settings]


def scores_of(text, what):
    """The numbers of the line about `what` in what acevec printed."""
    found = re.search(SCORE_LINE.format(what), text, re.MULTILINE)
    if not found:
        raise UserError(f"acevec printed no \"{what}\"; is ACEVEC the program of this tree?")
    return found.groupdict()


def train(program, data, options, run_of):
    """One run; return (its scores, the rows of its log that have an evaluation)."""
    own = acevec.with_options(["-score", "transd"], SETTINGS[run_of["setting"]])
    with tempfile.TemporaryDirectory() as folder:
        said, log = acevec.call_logged(
            [program, "kg", "-output", os.path.join(folder, "model"), "-seed", str(run_of["seed"]),
             *acevec.with_options(own, options), *graphs.options_of(data)])
    test = scores_of(said, "test, filtered")
    return {"valid_mrr": scores_of(said, "valid, filtered")["mrr"],
            **{f"test_{name}": test[name] for name in SCORES},
            "seconds": re.search(r"^trained in ([\d.]+) s", said, re.MULTILINE)[1]}, \
        [row for row in log if row["mrr"]]


def plot(curves, settings, title, explained, path):
    """Validation MRR against epochs, a line a setting, of seed 1; settings: {name: label}."""
    figure, ((panel,),) = plots.panels(1, 1, 7, 4.5)
    for number, (setting, label) in enumerate(settings.items()):
        rows = grid.pick([{"setting": setting, "seed": 1}], curves)
        plots.curve(panel, tables.typed(rows), "epoch", "mrr", label=label,
                    **plots.style(number))
    plots.axes(panel, title, xlabel="epochs", ylabel="filtered MRR, validation")
    plots.legend(figure, panel, title=explained)
    plots.save(figure, path)


def plot_all(curves, results):
    """The plots of the two halves, into the folder of results."""
    noise = {"noise": "-negative 10 -iter 300"}
    plot(curves, {**noise, "critic": "-ace 1", "ace": "-ace 1 -ace-sampler learned"}, "WN18, TransD",
         "one run of each", os.path.join(results, "kg-training.png"))
    plot(curves, {**noise, **{name: name for name in ABLATION}}, "WN18, TransD: the parts of ACE",
         "one run of each; Ent: entropy floor, SC: self-critical baseline, IW: importance weight,\n"
         "exact: the generator learns from the expectation over all candidates",
         os.path.join(results, "kg-ablation.png"))


def digits(name):
    """How many decimals the summary has of a column."""
    return 1 if name in ("seconds", "test_mean_rank") else 4


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    graphs.add_data_option(parser, "wn18")
    add("--seeds", type=count, default=3, metavar="N", help="runs of each (default 3)")
    add("--results", metavar="FOLDER", default=RESULTS)
    add("--only", choices=("main", "ablation", "scores"), help="a part alone")
    add("options", nargs="*", help="more options for every run, after --")
    chosen = parser.parse_args()
    program = acevec.find_acevec()
    graphs.require(chosen.data)
    graph = os.path.basename(os.path.abspath(chosen.data))
    name = os.path.join(chosen.results,
                        f"kg-scores-{graph}" if chosen.only == "scores" else "kg")
    table = tables.Table(name + ".tsv", NAMES + COLUMNS,
                         {"data": graph, "options": " ".join(chosen.options) or None})
    curve_table = name + "-curves.tsv"
    part = {"main": MAIN, "ablation": ABLATION, "scores": SCORES_COMPARED,
            None: {**MAIN, **ABLATION}}[chosen.only]
    grid.complete(plan(chosen.seeds, part),
                  lambda run_of: train(program, chosen.data, chosen.options, run_of),
                  table, curve_table)
    if chosen.only != "scores":
        plot_all(tables.texts(curve_table), chosen.results)
    print(*stats.summary(tables.read(table.path), NAMES[:1], COLUMNS, digits), sep="\n")
    return 0


if __name__ == "__main__":
    run(main)
