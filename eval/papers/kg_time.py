#!/usr/bin/env python3
"""Link prediction with noise and with ACE at equal processor time, for TransD, RotatE and ComplEx.

Trains `acevec kg` on a graph for each score, setting and seed, on one thread, and writes into the
folder of results

    kg-time.tsv    a row a run: its options, filtered MRR and Hits@10, valid and test, and the processor
                   seconds of the whole run, reading and ranking included

and then prints means over the seeds. Noise has the loss and the number of negatives that were best at
that time on NELL-995's validation triples, ACE its defaults; epochs make the time equal. Runs that are in the table already
are not made again. ACEVEC is the program, build/acevec when not given.
"""

import os
import re
import tempfile

from lib import acevec, graphs, grid, stats, tables
from lib.cli import Parser, UserError, count, run
from lib.texts import RESULTS

TRANSD = ["-score", "transd"]
ROTATE = ["-score", "rotate"]
COMPLEX = ["-score", "complex", "-size", "100", "-negative", "1024", "-iter", "6"]
SETTINGS = {
    "TransD, noise": TRANSD + ["-negative", "1", "-iter", "130"],
    "TransD, ACE": TRANSD + ["-ace", "1", "-iter", "70"],
    "RotatE, noise": ROTATE + ["-loss", "ns", "-negative", "2", "-iter", "84"],
    "RotatE, ACE": ROTATE + ["-loss", "margin", "-ace", "1", "-iter", "84"],
    "ComplEx, noise": COMPLEX + ["-ace", "0"],
    "ComplEx, ACE": COMPLEX + ["-ace", "1"],
}
NAMES = ("graph", "setting", "seed")
SCORES = ("valid_mrr", "valid_hits10", "test_mrr", "test_hits10", "seconds")
COLUMNS = (*NAMES, "options", *SCORES)
SCORE_LINE = r"^{}, filtered: .*MRR (?P<mrr>[\d.]+), .*Hits@10 (?P<hits10>[\d.]+)$"


def scores_of(said):
    """The columns of SCORES, without seconds, from what acevec said."""
    found = {part: re.search(SCORE_LINE.format(part), said, re.MULTILINE)
             for part in ("valid", "test")}
    if not all(found.values()):
        raise UserError("acevec printed no scores; is ACEVEC the program of this tree?")
    return {f"{part}_{name}": match[name] for part, match in found.items()
            for name in ("mrr", "hits10")}


def train(program, folder, options, run_of):
    """One run; return its row's other columns."""
    own = acevec.with_options(SETTINGS[run_of["setting"]], options)
    before = acevec.processor_seconds()
    with tempfile.TemporaryDirectory() as scratch:
        _, said = acevec.call([program, "kg", "-output", os.path.join(scratch, "model"), "-threads", "1",
                               "-report-every", "1000000", "-seed", str(run_of["seed"]), *own,
                               *graphs.options_of(folder)])
    return {"options": " ".join(own), **scores_of(said), "seconds": round(acevec.processor_seconds() - before, 1)}


def digits(name):
    """How many decimals the summary has of a column."""
    return 1 if name == "seconds" else 3


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    graphs.add_data_option(parser, "nell995")
    add("--seeds", type=count, default=3, metavar="N", help="runs of each (default 3)")
    add("--results", metavar="FOLDER", default=RESULTS)
    add("--only", metavar="SCORE", default="", help="TransD, RotatE or ComplEx alone")
    add("options", nargs="*", help="more options for every run, after --")
    chosen = parser.parse_args()
    graphs.require(chosen.data)
    program = acevec.find_acevec()
    graph = os.path.basename(os.path.abspath(chosen.data))
    table = tables.Table(os.path.join(chosen.results, "kg-time.tsv"), COLUMNS)
    plan = [dict(zip(NAMES, (graph, setting, seed))) for seed in range(1, chosen.seeds + 1)
            for setting in SETTINGS if setting.startswith(chosen.only)]
    if not plan:
        raise UserError(f"no score is called {chosen.only}; give TransD, RotatE or ComplEx")
    rows = grid.complete(plan, lambda run_of: train(program, chosen.data, chosen.options, run_of), table)
    print(*stats.summary(rows, (*NAMES[:2], "options"), SCORES, digits), sep="\n")
    return 0


if __name__ == "__main__":
    run(main)
