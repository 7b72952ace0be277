#!/usr/bin/env python3
"""Link prediction on WN18: TransD with noise, with the critic and with ACE, and Figure 5's ablation.

Trains `acevec kg` for each setting and seed, and writes into the folder of results

    kg.tsv            a row a run: filtered MRR, Hits@1, 3, 10 and mean rank, valid and test
    kg-curves.tsv     the rows of every run's -log
    kg-training.png   validation MRR while training: noise, critic, ACE
    kg-ablation.png   the same of ACE with and without its parts (ace-2018, figure 5)

and then prints means over the seeds. The ablation has one seed. Runs that are in kg.tsv already are
not made again, so that an interrupted evaluation goes on where it stopped; remove the file to start
anew. ACEVEC is the program, build/acevec when not given.
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
# As in the paper: one draw at a time, with an entropy floor and the self-critical baseline.
PAPER = ACE + ["-ace-estimator", "reinforce"]
FLOOR = ["-ace-entropy", "32"]
NO_BASELINE = ["-ace-baseline", "none"]
OFF_POLICY = ["-ace-off-policy", "1"]
MAIN = {
    # Its best on validation; adversaries have the defaults: see docs/kg.md.
    "noise": ["-negative", "10", "-iter", "300"],
    "critic": ACE + ["-ace-sampler", "critic"],
    "ace": ACE,
}
ABLATION = {
    "ACE (Ent+SC)": PAPER + FLOOR,
    "ACE (Ent+SC+IW)": PAPER + FLOOR + OFF_POLICY,
    "ACE (Ent)": PAPER + FLOOR + NO_BASELINE,
    "ACE (SC)": PAPER,
    "ACE (neither)": PAPER + NO_BASELINE,
    "ACE (exact, Ent)": ACE + FLOOR,
}
SETTINGS = {**MAIN, **ABLATION}
NAMES = ("setting", "seed")
SCORES = ("mean_rank", "mrr", "hits1", "hits3", "hits10")
RESULTS = ("valid_mrr", *(f"test_{name}" for name in SCORES), "seconds")
SCORE_LINE = (r"^{}: mean rank (?P<mean_rank>[\d.]+), MRR (?P<mrr>[\d.]+), Hits@1 (?P<hits1>[\d.]+), "
              r"Hits@3 (?P<hits3>[\d.]+), Hits@10 (?P<hits10>[\d.]+)$")


def key(row):
    return row["setting"], int(row["seed"])


def plan(seeds):
    """Every run, (setting, seed), the most telling first."""
    runs = [(setting, seed) for seed in range(1, seeds + 1) for setting in MAIN]
    return runs + [(setting, 1) for setting in ABLATION]


def scores_of(text, what):
    """The numbers of the line about `what` in what acevec printed."""
    found = re.search(SCORE_LINE.format(what), text, re.MULTILINE)
    if not found:
        raise UserError(f"acevec said nothing of \"{what}\"; is ACEVEC the program of this tree?")
    return found.groupdict()


def train(program, data, which, options, folder):
    """One run; return (its row of results, the rows of its log)."""
    setting, seed = which
    log = os.path.join(folder, "log.tsv")
    if os.path.exists(log):
        os.remove(log)
    command = [program, "kg", "-output", os.path.join(folder, "model"), "-log", log, "-seed",
               str(seed), *common.with_options(SETTINGS[setting], options)]
    for part in ("train", "valid", "test"):
        command += ["-" + part, os.path.join(data, part + "2id.txt")]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        raise UserError((done.stderr.strip() or "acevec failed").splitlines()[-1])
    test = scores_of(done.stderr, "test, filtered")
    seconds = re.search(r"^trained in ([\d.]+) s", done.stderr, re.MULTILINE)
    row = {**dict(zip(NAMES, which)), "valid_mrr": scores_of(done.stderr, "valid, filtered")["mrr"],
           **{f"test_{name}": test[name] for name in SCORES}, "seconds": seconds[1]}
    return row, [{**dict(zip(NAMES, which)), **point} for point in read_rows(log)]


def plot(curves, settings, title, path):
    """Validation MRR against epochs, a line a setting, of seed 1."""
    figure, axes = plots.plt.subplots(figsize=(7, 4.5), layout="constrained")
    for number, setting in enumerate(settings):
        # By epoch, the last counts: a run that was interrupted behind its curves is made again.
        points = {int(row["epoch"]): float(row["mrr"]) for row in curves
                  if key(row) == (setting, 1)}
        if points:
            axes.plot(list(points), list(points.values()), label=setting, **plots.style(number))
    axes.set(title=title, xlabel="epochs", ylabel="filtered MRR, validation")
    plots.grid(axes)
    axes.legend(frameon=False)
    plots.save(figure, path)


def summary(rows):
    """Lines of means and standard deviations over the seeds."""
    yield "\t".join(("setting", "seeds", *RESULTS))
    for setting in dict.fromkeys(row["setting"] for row in rows):
        mine = [row for row in rows if row["setting"] == setting]
        cells = [mean_text([row[name] for row in mine],
                           1 if name in ("seconds", "test_mean_rank") else 4) for name in RESULTS]
        yield "\t".join((setting, str(len(mine)), *cells))


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--data", metavar="FOLDER", help="train2id.txt and so on (default: ../shared/data/kg/wn18)",
        default=os.path.join(common.ROOT, os.pardir, "shared", "data", "kg", "wn18"))
    add("--seeds", type=int, default=3, metavar="N", help="runs of each (default 3)")
    add("--results", metavar="FOLDER", default=common.RESULTS)
    add("--only", choices=("main", "ablation"), help="leave the other half out")
    add("options", nargs="*", help="more options for every run, after --")
    chosen = parser.parse_args()
    program = common.find_acevec()
    if not os.path.exists(os.path.join(chosen.data, "train2id.txt")):
        raise UserError(f"found no train2id.txt in {chosen.data}; give --data FOLDER")
    table, curve_table = (os.path.join(chosen.results, name)
                          for name in ("kg.tsv", "kg-curves.tsv"))
    known = {key(row) for row in read_rows(table)}
    half = {"main": MAIN, "ablation": ABLATION, None: SETTINGS}[chosen.only]
    wanted = [which for which in plan(chosen.seeds) if which not in known and which[0] in half]
    with tempfile.TemporaryDirectory() as folder:
        for number, which in enumerate(wanted, 1):
            say(f"run {number} of {len(wanted)}: {which[0]}, seed {which[1]}")
            row, points = train(program, chosen.data, which, chosen.options, folder)
            append_rows(curve_table, points)
            append_rows(table, [row])
            say("  ".join(f"{name} {row[name]}" for name in RESULTS))
    curves = read_rows(curve_table)
    plot(curves, MAIN, "WN18, TransD", os.path.join(chosen.results, "kg-training.png"))
    plot(curves, ["noise", *ABLATION], "WN18, TransD: the parts of ACE",
         os.path.join(chosen.results, "kg-ablation.png"))
    print(*summary(read_rows(table)), sep="\n")
    return 0


if __name__ == "__main__":
    run(main)
