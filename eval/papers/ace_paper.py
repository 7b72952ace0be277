#!/usr/bin/env python3
"""NCE, ADV and ACE of ACE's paper at the length of its text, as its Figure 3 has them.

Trains as the paper does (window 10, 150,000 words, five random negatives and an adversarial one, Adam
at a constant rate), with the paper's own generator: a softmax over all words that does not start from
the scores. Passes over the corpus stand in for a longer text. Every two passes (--every) the vectors
are scored. Writes a table, a row for each arm and number of passes, and with --plot a picture: RW and
WS353 against tokens. Arms that are in the table are not trained again.

    eval/papers/ace_paper.py --plot eval/results/ace-paper.png
"""

import glob
import os
import shlex
import tempfile

from lib import acevec, grid, interpreter, tables, texts
from lib.cli import Parser, UserError, count, run
from lib.comparison import SETS
from lib.texts import RESULTS

# As -preset paper without its ACE; and the paper's generator.
SHARED = "-window 10 -max-vocab 150000 -negative 6 -optimizer adam -min-alpha 0.001"
GENERATOR = "-ace 1 -ace-sampler learned -ace-softmax full -ace-beta 0"
ARMS = {
    "NCE": "",
    "ADV": f"{GENERATOR} -ace-lambda 0",
    "ACE": f"{GENERATOR} -ace-lambda 0.8333",
}
COLUMNS = ("arm", "options", "seed", "passes", "tokens", *SETS)
# Table 2 of the paper: RW and WS353 after one pass of all of Wikipedia.
PUBLISHED = {"NCE": (18.90, 31.35), "ADV": (29.96, 58.05), "ACE": (32.71, 55.00)}


def parse_arguments():
    parser = Parser(description=__doc__)
    texts.add_corpus_option(parser)
    texts.add_wordsim_option(parser)
    add = parser.add_argument
    add("--passes", type=count, default=30, metavar="N", help="over the corpus (30)")
    add("--every", type=count, default=2, metavar="N", help="passes between scores (2)")
    add("--arms", default=",".join(ARMS), metavar="ARM,..", help="(%(default)s)")
    add("--seeds", type=count, default=1, metavar="N", help="runs of each arm (1)")
    add("--threads", type=count, default=2, metavar="N", help="(2)")
    add("--flags", default="", metavar="'...'", help="more options of every run")
    add("--out", metavar="FILE.tsv", default=os.path.join(RESULTS, "ace-paper.tsv"),
        help="table (eval/results/ace-paper.tsv)")
    add("--plot", metavar="FILE", help="draw the table (.png, .svg, .pdf)")
    return parser.parse_args()


class Experiment:
    """Trains an arm and scores its snapshots."""

    def __init__(self, options, corpus):
        self.options, self.corpus = options, corpus
        self.program = acevec.find_acevec()
        self.sets = texts.require_sets(options.wordsim, SETS)

    def command(self, arm, seed):
        """The options of a run beside its files and length."""
        return ["-seed", str(seed), "-threads", str(self.options.threads),
                *shlex.split(f"{SHARED} {ARMS[arm]} {self.options.flags}")]

    def make(self, which):
        """Train the arm; return its rows, one for each snapshot."""
        command = self.command(which["arm"], which["seed"])
        with tempfile.TemporaryDirectory(prefix="acevec-paper-") as folder:
            log = os.path.join(folder, "log")
            acevec.measure([self.program, "-train", self.corpus, "-output",
                            os.path.join(folder, "v.bin"), "-iter", str(self.options.passes),
                            "-save-every", f"{100 * self.options.every / self.options.passes:.4f}%",
                            *command], log)
            tokens = acevec.report(acevec.read_log(log))["kept_tokens"]
            rows = []
            snapshots = sorted(glob.glob(os.path.join(folder, "v-*.bin")))
            last = os.path.join(folder, "v.bin")  # of the end, which is no snapshot
            for at, snapshot in enumerate([*snapshots, last], 1):
                passes = min(at * self.options.every, self.options.passes)
                scores = acevec.quality(snapshot, self.sets)
                rows.append({"options": shlex.join(command), "passes": passes,
                             "tokens": int(passes * tokens),
                             **{name: scores.get(name) for name in SETS}})
        return rows


def plot(rows, path):
    """Draw RW and WS353 against tokens, and the paper's figures at the length of its text."""
    from lib import plots
    figure, panels = plots.panels(1, 2, 11, 4.5)
    for panel, (at, name) in zip(panels[0], enumerate(("rw", "ws353"))):
        for number, arm in enumerate(ARMS):
            own = [row for row in rows if row["arm"] == arm and row["seed"] == 1]
            plots.curve(panel, own, "tokens", name, (1e-6, 1), label=arm, **plots.style(number))
            panel.axhline(PUBLISHED[arm][at], color=plots.colour(number), linestyle=":", linewidth=1)
        plots.axes(panel, f"{name.upper()}; dotted: the paper's, after some 3,000 M",
                   xlabel="million tokens", ylabel="Spearman's ρ × 100")
    plots.legend(figure, panels[0][0], title="one run of each; lines join snapshots of a run")
    plots.save(figure, path)


def main():
    options = parse_arguments()
    for arm in options.arms.split(","):
        if arm not in ARMS:
            raise UserError(f"there is no arm {arm}; choose from {','.join(ARMS)}")
    with tempfile.TemporaryDirectory(prefix="acevec-paper-") as scratch:
        corpus = texts.find_corpus(options.corpus, scratch)
        plan = [{"arm": arm, "seed": seed} for seed in range(1, options.seeds + 1)
                for arm in options.arms.split(",")]
        rows = grid.complete(plan, Experiment(options, corpus).make, tables.Table(
            options.out, COLUMNS, {"corpus": os.path.basename(corpus), "passes": options.passes,
                                   "every": options.every, "flags": options.flags or None},
            -(-options.passes // options.every)))
    if options.plot:
        plot(rows, options.plot)
    return 0


if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib")
    run(main)
