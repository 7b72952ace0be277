#!/usr/bin/env python3
"""The evidence for and against adversarial negatives: one comparison a name.

    eval/papers/ace.py tuned       without ACE, at two rates, and with: 2, 5, 12 epochs, 5 seeds
    eval/papers/ace.py samplers    every way to choose: 5 epochs, 3 seeds
    eval/papers/ace.py converged   without ACE and with, 1 to 15 epochs, score by time, 3 seeds
    eval/papers/ace.py price       training time, on a machine that has nothing else to do

Another text: --corpus FILE --out TABLE --flags '-tokens words'. Tables go to
eval/results/ace-NAME.tsv; runs that are there already are not made again; see eval/tools/compare.py.
The paper's own table is made by ace_paper.py.
"""

import os

from lib import comparison, interpreter
from lib.cli import Parser, count, numbers, run
from lib.comparison import Comparison, Setting
from lib.texts import RESULTS

NOISE = Setting("without ACE", "")
ACE = Setting("ACE", "-ace 1")
LEARNED = Setting("learned", "-ace 1 -ace-sampler learned")

COMPARISONS = {
    "tuned": Comparison(
        [NOISE, Setting("without ACE, -alpha 0.035", "-alpha 0.035"), ACE],
        epochs=[2, 5, 12], seeds=[1, 2, 3, 4, 5], threads=2),
    "samplers": Comparison(
        [NOISE, ACE, LEARNED, Setting("as hard as scores have it", "-ace 1 -ace-force 0")],
        epochs=[5], seeds=[1, 2, 3], threads=2),
    "converged": Comparison(
        [NOISE, ACE], epochs=[1, 2, 3, 5, 8, 10, 15], seeds=[1, 2, 3], threads=2),
    "price": Comparison(
        [NOISE, ACE, LEARNED], epochs=[5], seeds=[1, 2, 3], threads=2),
}


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("name", choices=sorted(COMPARISONS), help="which comparison")
    add("--seeds", type=numbers, metavar="N,..", help="other seeds than those above")
    add("--iter", type=numbers, metavar="N,..", help="other numbers of epochs")
    add("--threads", type=count, metavar="N", help="other than 2")
    add("--flags", default="", metavar="'...'", help="options of every run")
    add("--out", metavar="FILE", help="table of all runs (eval/results/ace-NAME.tsv)")
    comparison.add_options(parser)
    comparison.add_plot_option(parser)
    return parser.parse_args()


def main():
    options = parse_arguments()
    chosen = COMPARISONS[options.name]
    chosen = chosen._replace(epochs=options.iter or chosen.epochs,
                             seeds=options.seeds or chosen.seeds,
                             threads=options.threads or chosen.threads,
                             shared=f"{chosen.shared} {options.flags}".strip())
    out = options.out or os.path.join(RESULTS, f"ace-{options.name}.tsv")
    comparison.carry_out(chosen, options, out, f"ACE, {options.name}")
    return 0


if __name__ == "__main__":
    interpreter.require("scipy", "matplotlib")
    run(main)
