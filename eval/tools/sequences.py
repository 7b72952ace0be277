#!/usr/bin/env python3
"""Score acevec as a recommender of next items, on any file of sequences.

    eval/tools/sequences.py beauty.txt sports.txt --setting 'preset: -preset items' \\
      --setting 'one epoch: -preset items -iter 1' --seeds 1,2,3 --out sequences.tsv

A line is a user and the user's items in their order; lines of one user are joined. With --no-users a
line is a sequence. The last item of each user is the test, the one before it the validation
(--split valid); both are left out of training, and the history of the test includes the validation.
All items are ranked but those of the history. HR@k is the share of users whose item is among the
first k, NDCG@10 and MRR weigh it by its rank; all in percent.

Every setting is trained with every seed, and each --readout of a history is scored: next:X is what
acevec next does with -decay X, cubes:X the same by context vectors alone, mean:X the product of these
with the weighted mean of the items' vectors; X:K takes the last K items. Every result is a row of the
table --out, if it is given. Started again with the same table, what is in it is not run again. At the
end means and standard deviations over the seeds are printed.
"""

import os
import shlex
import sys
import tempfile

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy")

from lib import acevec, comparison, grid, stats
from lib.cli import Parser, UserError, numbers, run
from lib.tables import Table

KINDS = ("next", "cubes", "mean")
RUN = ("data", "setting", "flags", "split", "seed")


def readout(text):
    """Parse KIND:X or KIND:X:K (for argparse); return (text, kind, decay, last)."""
    kind, decay, *last = text.split(":")
    if kind not in KINDS or not 0 <= float(decay) <= 1 or len(last) > 1:
        raise ValueError(text)
    return text, kind, float(decay), int(last[0]) if last else None


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("data", nargs="+", metavar="FILE", help="sequences")
    add("--no-users", action="store_true", help="lines do not begin with a user")
    add("--setting", type=comparison.setting, action="append", metavar="'NAME: FLAGS'",
        help="flags of acevec under a name; give it once for each ('preset: -preset items')")
    add("--readout", type=readout, action="append", metavar="KIND:X",
        help="how a history is scored; give it once for each (next:0.7)")
    add("--split", choices=("valid", "test"), default="test", help="what is asked (test)")
    add("--seeds", type=numbers, default=[1], metavar="N,..", help="seeds (1)")
    add("--threads", type=int, default=os.cpu_count(), help="of training (all)")
    add("--out", metavar="FILE.tsv", help="table of all runs")
    return parser.parse_args()


def train(program, data, flags, seed, threads, folder):
    """Train once; return (vectors, contexts, known items, seconds of the whole program)."""
    import numpy as np
    from lib import sequences
    from lib.vectors import load_vectors
    text, vectors, contexts = (os.path.join(folder, name) for name in ("text", "v.bin", "u.bin"))
    sequences.write_training(data, text)
    seconds = acevec.measure(
        [program, "-train", text, "-output", vectors, "-output-context", contexts, "-seed",
         str(seed), "-threads", str(threads), *shlex.split(flags)], os.path.join(folder, "log")).seconds
    ids = {item: id_ for id_, item in enumerate(data.items)}
    known = np.zeros(len(ids), bool)
    matrices = []
    for path in (vectors, contexts):
        words, rows = load_vectors(path)
        matrix = np.zeros((len(ids), rows.shape[1]), np.float32)
        matrix[[ids[word] for word in words]] = rows
        known[[ids[word] for word in words]] = True
        matrices.append(matrix)
    return *matrices, known, seconds


def scores_of(kind, shares, vectors, contexts):
    """The scores of a kind of readout, for sequences.ranks()."""
    from lib import sequences
    if kind == "mean":
        return sequences.mean_scores(shares, vectors, contexts)
    return sequences.cube_scores(shares, vectors, contexts, sequences.ALIKE if kind == "next" else 0)


def score(program, data, options, one):
    """Train once; return the rows of all readouts."""
    from lib import sequences
    with tempfile.TemporaryDirectory() as folder:
        vectors, contexts, known, seconds = train(program, data, one["flags"], one["seed"],
                                                  options.threads, folder)
    asked = sequences.questions(data, one["split"])
    rows = []
    for name, kind, decay, last in options.readout:
        shares = sequences.weights(asked.histories, known, decay, last)
        found = sequences.ranks(asked, known, scores_of(kind, shares, vectors, contexts))
        rows.append({"readout": name, "seconds": seconds, **sequences.summary(found)})
    return rows


def label_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def main():
    options = parse_arguments()
    from lib import sequences
    program = acevec.find_acevec()
    options.readout = options.readout or [readout("next:0.7")]
    settings = options.setting or [comparison.setting("preset: -preset items")]
    data = {label_of(path): sequences.read(path, not options.no_users) for path in options.data}
    if len(data) < len(options.data):
        raise UserError("two files have the same name; rename one")
    plan = [{"data": name, "setting": one.name, "flags": one.flags, "split": options.split,
             "seed": seed} for one in settings for name in data for seed in options.seeds]
    columns = (*RUN, "readout", "seconds", *sequences.SCORES)
    with tempfile.TemporaryDirectory() as scratch:
        table = Table(options.out or os.path.join(scratch, "table.tsv"), columns,
                      {"threads": options.threads,
                       "readouts": " ".join(name for name, *_ in options.readout)},
                      len(options.readout))
        rows = grid.complete(plan, lambda one: score(program, data[one["data"]], options, one),
                             table)
    sys.stdout.writelines(line + "\n" for line in stats.summary(
        rows, ("data", "setting", "split", "readout"), ("seconds", *sequences.SCORES)))


if __name__ == "__main__":
    run(main)
