#!/usr/bin/env python3
"""Train word vectors with several settings and seeds, and report how much the settings differ.

    eval/tools/compare.py --setting 'without ACE:' --setting 'ACE: -ace 1' --iter 2,5 --seeds 1,2,3

The first setting is the baseline. Runs of the settings alternate, seed after seed, so that a change in
the machine's speed affects all of them. For each number of epochs a line gives the mean and the standard
deviation over the seeds of the word similarity scores (Spearman's rho x100 on covered pairs,
eval/tools/wordsim.py), the mean of the paired differences to the baseline with its 95 % confidence
interval (Student's t over the seeds), and the median of the ratios of training times.

Every run is a row of the table --out as soon as it is done. Started again with the same table,
what is in it is not run again.
"""

import os

from lib import comparison, interpreter
from lib.cli import Parser, count, numbers, run


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--setting", type=comparison.setting, action="append", required=True, metavar="'NAME: FLAGS'",
        help="flags of acevec under a name; give it once for each, the baseline first")
    add("--flags", default="", metavar="FLAGS", help="flags of all settings")
    add("--iter", type=numbers, default=[5], metavar="N,..", help="numbers of epochs (5)")
    add("--seeds", type=numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    add("--threads", type=count, default=os.cpu_count() or 1, metavar="N",
        help="threads of each run (as many as the machine has)")
    add("--out", metavar="FILE", required=True, help="table of all runs; continued if it exists")
    comparison.add_options(parser)
    comparison.add_plot_option(parser)
    return parser.parse_args()


def main():
    options = parse_arguments()
    wanted = comparison.Comparison(options.setting, options.iter, options.seeds, options.threads,
                                   options.flags)
    comparison.carry_out(wanted, options, options.out, os.path.basename(options.out))
    return 0


if __name__ == "__main__":
    interpreter.require("scipy", "matplotlib")
    run(main)
