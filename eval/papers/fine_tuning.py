#!/usr/bin/env python3
"""Fine-tune vectors with and without adversarial negatives, and compare.

For each seed vectors are trained on a first text (WordNet's glosses) and then, from these, on a
corpus: once without ACE and once with `-ace 1`, everything else equal. One table has a line for
each run and is appended to as runs end; started again with the same arguments, the script goes on
where it was. A second table, OUT-summary.tsv, also printed, has for each arm and set the mean and
standard deviation over the seeds, and the paired difference ace - noise with its standard deviation
and 95 % confidence interval (Student's t; with one seed neither).

Quality is Spearman's rho x100 on WS353 and RW (eval/tools/wordsim.py) over the pairs that the vectors
cover, which within a seed are the same for both arms. The arm `start` is the vectors before
fine-tuning, `scratch` (--scratch) the corpus without them.
"""

import os
import shlex
import tempfile
from statistics import mean, stdev

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy")

from lib import acevec, grid, tables, texts
from lib.cli import Parser, count, numbers, run
from lib.stats import interval
from lib.texts import RESULTS, ROOT

SETS = ("ws353", "rw")
COLUMNS = ("arm", "seed", "seconds", "training_seconds", *SETS)
SUMMARY = ("set", "arm", "seeds", "mean", "stdev", "low", "high")


def parse_arguments():
    parser = Parser(description=__doc__)
    texts.add_corpus_option(parser)
    add = parser.add_argument
    add("--glosses", metavar="FILE", help="the first text (default: data/wordnet-glosses makes it)")
    add("--seeds", type=numbers, default=[1, 2, 3, 4, 5], metavar="N,..", help="(1,2,3,4,5)")
    add("--size", type=count, default=100, metavar="N", help="of the vectors (100)")
    add("--first", metavar="OPTIONS", default="-iter 10 -min-count 2",
        help="acevec's options for the first text (%(default)s)")
    add("--options", metavar="OPTIONS", default="-iter 2",
        help="acevec's options for the corpus (%(default)s)")
    add("--ace", metavar="OPTIONS", default="-ace 1",
        help="what the arm ace has besides (%(default)s)")
    add("--contexts", action="store_true", help="start from the context vectors too")
    add("--scratch", action="store_true", help="one more arm")
    texts.add_wordsim_option(parser)
    add("--work", metavar="DIR", default=os.path.join(ROOT, "build", "fine-tuning"),
        help="for the vectors to start from, which are kept (build/fine-tuning)")
    add("--out", metavar="FILE.tsv", default=os.path.join(RESULTS, "fine-tuning.tsv"),
        help="table of all runs (eval/results/fine-tuning.tsv)")
    return parser.parse_args()


def settings_of(options, corpus):
    """What the runs of one table have in common, as a line."""
    names = (os.path.basename(path) for path in (options.glosses or "wordnet-glosses", corpus))
    return shlex.join([*names, str(options.size), options.first, options.options, options.ace,
                       *["contexts"] * options.contexts])


def plan(options):
    """The runs, in their order."""
    arms = ["start", "noise", "ace"] + ["scratch"] * options.scratch
    return [{"arm": arm, "seed": seed} for seed in options.seeds for arm in arms]


class Experiment:
    """Trains and scores the runs of the arms."""

    def __init__(self, options, corpus, glosses):
        self.options, self.corpus, self.glosses = options, corpus, glosses
        self.program = acevec.find_acevec()
        self.sets = texts.require_sets(options.wordsim, SETS)
        self.name = os.path.splitext(os.path.basename(options.out))[0]
        os.makedirs(options.work, exist_ok=True)

    def path(self, kind, seed):
        """The file in the work folder for vectors of a kind."""
        return os.path.join(self.options.work, f"{self.name}-{kind}-{seed}.bin")

    def make(self, which):
        """Train what the arm needs and score it; return the row's other columns."""
        arm, seed = which["arm"], which["seed"]
        if arm not in ("start", "scratch") and not os.path.exists(self.path("start", seed)):
            self.make({"arm": "start", "seed": seed})  # it was, but its vectors have gone
        output = self.path(arm, seed)
        log = os.path.join(self.options.work, self.name + ".log")
        seconds = acevec.measure(
            [self.program, "-train", self.glosses if arm == "start" else self.corpus, "-output",
             output, "-size", str(self.options.size), "-seed", str(seed),
             *self.own_options(arm, seed)], log).seconds
        rho = acevec.quality(output, self.sets)
        if arm != "start":
            os.remove(output)
        return {"seconds": seconds,
                "training_seconds": acevec.report(acevec.read_log(log))["training_seconds"],
                **{name: rho.get(name) for name in SETS}}

    def own_options(self, arm, seed):
        """What acevec is given in an arm."""
        start, contexts = self.path("start", seed), self.path("context", seed)
        if arm == "start":
            return [*shlex.split(self.options.first), "-output-context", contexts]
        found = shlex.split(self.options.options)
        if arm != "scratch":
            found += ["-init", start] + ["-init-context", contexts] * self.options.contexts
        return found + shlex.split(self.options.ace) * (arm == "ace")


def statistics(values):
    """Return (number, mean, standard deviation, low and high end of the 95 % interval)."""
    half, middle = interval(values), mean(values)
    if half is None:
        return len(values), middle, None, None, None
    return len(values), middle, stdev(values), middle - half, middle + half


def summary(rows, seeds):
    """Return the rows of the second table for the runs of the seeds."""
    lines = []
    for name in SETS:
        known = {}  # arm -> {seed: rho}
        for row in rows:
            if row["seed"] in seeds and row[name] is not None:
                known.setdefault(row["arm"], {})[row["seed"]] = row[name]
        noise, ace = known.get("noise", {}), known.get("ace", {})
        known["ace - noise"] = {seed: ace[seed] - noise[seed] for seed in ace if seed in noise}
        lines += [dict(zip(SUMMARY, (name, arm, *statistics(list(values.values())))))
                  for arm, values in known.items() if values]
    return lines


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="acevec-fine-tuning-") as scratch:
        corpus = texts.find_corpus(options.corpus, scratch)
        # find_corpus falls back on the glosses when nothing else is there.
        glosses = options.glosses or texts.wordnet_glosses(scratch)
        facts = {"settings": settings_of(options, corpus)}
        rows = grid.complete(plan(options), Experiment(options, corpus, glosses).make,
                             tables.Table(options.out, COLUMNS, facts))
    path = os.path.splitext(options.out)[0] + "-summary.tsv"
    tables.write(tables.Table(path, SUMMARY, facts), summary(rows, options.seeds))
    with open(path, encoding="utf-8") as table:
        print(table.read(), end="")
    return 0


if __name__ == "__main__":
    run(main)
