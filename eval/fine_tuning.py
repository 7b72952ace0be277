#!/usr/bin/env python3
"""Fine-tune vectors with and without adversarial negatives, and compare.

For each seed vectors are trained on a first text (WordNet's glosses) and then, from these, on a
corpus: once with noise only and once with `-ace 1`, everything else equal. One table has a line for
each run and is appended to as runs end; started again with the same arguments, the script goes on
where it was. A second table, OUT-summary.tsv, also printed, has for each arm and set the mean and
standard deviation over the seeds, and the paired difference ace - noise with its standard deviation
and 95 % confidence interval (Student's t; with one seed neither).

Quality is Spearman's rho x100 on WS353 and RW (eval/wordsim.py) over the pairs that the vectors
cover, which within a seed are the same for both arms. The arm `start` is the vectors before
fine-tuning, `scratch` (--scratch) the corpus without them.
"""

import os
import shlex
import sys
import tempfile
from statistics import mean, stdev

if __name__ == "__main__":
    import interpreter
    interpreter.require("numpy", "scipy")

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench"))

import common
import tables
from cli import Parser, UserError, run
from common import RESULTS, ROOT, acevec_report, count, measure, numbers, read_log
from compare import interval

SETS = ("ws353", "rw")
COLUMNS = ("arm", "seed", "seconds", "training_seconds", *SETS)
SUMMARY = ("set", "arm", "seeds", "mean", "stdev", "low", "high")


def parse_arguments():
    parser = Parser(description=__doc__)
    common.add_corpus_option(parser)
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
    common.add_wordsim_option(parser)
    add("--work", metavar="DIR", default=os.path.join(ROOT, "build", "fine-tuning"),
        help="for the vectors to start from, which are kept (build/fine-tuning)")
    add("--out", metavar="FILE.tsv", default=os.path.join(RESULTS, "fine-tuning.tsv"),
        help="table of all runs (eval/results/fine-tuning.tsv)")
    return parser.parse_args()


def settings_of(options, corpus):
    """What the runs of one table have in common, as a line."""
    texts = (os.path.basename(path) for path in (options.glosses or "wordnet-glosses", corpus))
    return shlex.join([*texts, str(options.size), options.first, options.options, options.ace,
                       *["contexts"] * options.contexts])


class Experiment:
    """Trains and scores the runs of the arms."""

    def __init__(self, options, corpus, glosses):
        self.options, self.corpus, self.glosses = options, corpus, glosses
        self.program = common.find_acevec()
        self.sets = common.find_sets(options.wordsim, SETS)
        if not self.sets:
            raise UserError("without these sets there is nothing to compare")
        self.name = os.path.splitext(os.path.basename(options.out))[0]
        os.makedirs(options.work, exist_ok=True)

    def path(self, kind, seed):
        """The file in the work folder for vectors of a kind."""
        return os.path.join(self.options.work, f"{self.name}-{kind}-{seed}.bin")

    def run(self, arm, seed):
        """Train what the arm needs and score it; return a row: COLUMNS -> value.

        The other arms need the files of the arm `start`.
        """
        start, contexts = self.path("start", seed), self.path("context", seed)
        options = shlex.split(self.options.first if arm == "start" else self.options.options)
        if arm == "start":
            options += ["-output-context", contexts]
        elif arm != "scratch":
            options += ["-init", start] + ["-init-context", contexts] * self.options.contexts
        if arm == "ace":
            options += shlex.split(self.options.ace)
        output = start if arm == "start" else self.path(arm, seed)
        log = os.path.join(self.options.work, self.name + ".log")
        seconds, _ = measure([self.program, "-train", self.glosses if arm == "start" else
                              self.corpus, "-output", output, "-size", str(self.options.size),
                              "-seed", str(seed), *options], log)
        training = acevec_report(read_log(log))["training_seconds"]
        rho = common.quality(output, self.sets)
        if arm != "start":
            os.remove(output)
        return dict(zip(COLUMNS, (arm, seed, seconds, training, *map(rho.get, SETS))))

    def run_all(self, table, rows):
        """Make the runs that rows lacks; add them to rows and to the table."""
        arms = ["start", "noise", "ace"] + ["scratch"] * self.options.scratch
        done = {(row["arm"], int(row["seed"])) for row in rows}
        missing = [(arm, seed) for seed in self.options.seeds for arm in arms
                   if (arm, seed) not in done]
        for number, (arm, seed) in enumerate(missing, 1):
            if arm != "start" and not os.path.exists(self.path("start", seed)):
                self.run("start", seed)  # it was, but its vectors have gone
            row = self.run(arm, seed)
            rows.append(row)
            tables.write_row(table, row)
            print(f"{number}/{len(missing)}: {arm}, seed {seed}: {row['seconds']:.1f} s",
                  file=sys.stderr, flush=True)


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
        corpus = common.find_corpus(options.corpus, scratch)
        # find_corpus falls back on the glosses when nothing else is there.
        glosses = options.glosses or common.wordnet_glosses(scratch)
        experiment = Experiment(options, corpus, glosses)
        table, rows = tables.continue_table(options.out, COLUMNS,
                                            settings=settings_of(options, corpus))
        with table:
            experiment.run_all(table, rows)
    path = os.path.splitext(options.out)[0] + "-summary.tsv"
    with tables.open_table(path, SUMMARY, settings=settings_of(options, corpus)) as table:
        for row in summary(rows, options.seeds):
            tables.write_row(table, row)
    with open(path, encoding="utf-8") as table:
        print(table.read(), end="")
    return 0


if __name__ == "__main__":
    run(main)
