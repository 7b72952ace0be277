#!/usr/bin/env python3
"""Compare settings of acevec on texts of a few million tokens and less.

    eval/tools/small_texts.py --text enwiki=enwiki.txt.gz --text news=news.txt --megabytes 1,4,16 \\
      --setting 'five epochs: -iter 5' --setting 'no flags:' --out small-texts.tsv

Of each text the first so many megabytes, whole lines, are trained on with each setting and seed and
`-tokens words -threads 1`; a length beyond a text's end is left out. Every run is a row of the table
--out: tokens, training seconds, and for each word similarity set the pairs covered and Spearman's rho
x100 on them, which are the same pairs for all settings of a text. Started again with the same table,
what is in it is not run again.

At the end a line for each text, length and setting gives the mean over seeds of `rho`: that of all
sets, weighted by their pairs.
"""

import gzip
import os
import shlex
import tempfile
from statistics import mean

from lib import acevec, comparison, grid, texts
from lib.cli import Parser, UserError, numbers, run, split_label
from lib.tables import Table

SETS = ("ws353", "mturk287", "rw")
COLUMNS = ("text", "megabytes", "tokens", "setting", "seed", "seconds",
           *(name for one in SETS for name in (f"{one}_pairs", one)))


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--text", type=split_label, action="append", required=True, metavar="NAME=FILE",
        help="a text, gzipped or not; give it once for each")
    add("--megabytes", type=numbers, default=[1, 4, 16], metavar="N,..",
        help="lengths, of 1,000,000 bytes (1,4,16)")
    add("--setting", type=comparison.setting, action="append", required=True,
        metavar="'NAME: FLAGS'", help="flags of acevec under a name; give it once for each")
    add("--seeds", type=numbers, default=[1, 2], metavar="N,..", help="seeds (1,2)")
    texts.add_wordsim_option(parser)
    add("--out", required=True, metavar="FILE.tsv", help="table of all runs")
    return parser.parse_args()


def cut(path, length, target):
    """Write the first lines of a text, `length` bytes at most, to target; False if it is shorter."""
    with open(path, "rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rb") as stream, open(target, "wb") as copy:
        text = stream.read(length)
        copy.write(text[:text.rfind(b"\n") + 1])
    return len(text) == length


def score(program, vectors, sets):
    """Return the columns of the sets."""
    out, _ = acevec.call([program, "similarity", vectors, "-set", ",".join(sets), "-format", "tsv"])
    columns = {}
    for line in out.splitlines()[1:]:
        name, _, covered, rho, _ = line.split("\t")
        columns[f"{name}_pairs"] = int(covered)
        columns[name] = None if rho == "nan" else float(rho)
    return columns


def train(program, text, sets, flags, seed):
    """Train once and score the vectors, which are not kept; return the row's other columns."""
    with tempfile.TemporaryDirectory() as folder:
        vectors = os.path.join(folder, "vectors.bin")
        _, said = acevec.call([program, "-train", text, "-output", vectors, "-tokens", "words",
                               "-threads", "1", "-seed", str(seed), *shlex.split(flags)])
        report = acevec.report(said)
        return {"tokens": report["tokens"], "seconds": report["training_seconds"],
                **score(program, vectors, sets)}


def overall(row):
    """The mean of a row's sets, weighted by their pairs; 0 when it covers none."""
    known = [(row[name], row[f"{name}_pairs"]) for name in SETS if row[name] is not None]
    return sum(rho * pairs for rho, pairs in known) / max(1, sum(pairs for _, pairs in known))


def print_summary(rows):
    """Print the mean rho of each text, length and setting."""
    groups = {}
    for row in rows:
        groups.setdefault((row["text"], row["megabytes"], row["setting"]), []).append(row)
    print("text", "megabytes", "tokens", "setting", "pairs", "rho", "seconds", sep="\t")
    for (text, length, name), group in groups.items():
        pairs = sum(group[0][f"{one}_pairs"] for one in SETS)
        print(text, length, group[0]["tokens"], name, pairs, f"{mean(map(overall, group)):.1f}",
              f"{mean(row['seconds'] for row in group):.1f}", sep="\t")


def main():
    options = parse_arguments()
    program = acevec.find_acevec()
    sets = texts.find_sets(options.wordsim, SETS)
    if len(sets) < len(SETS):
        raise UserError(f"needs the sets {', '.join(SETS)}; give --wordsim DIR")
    flags = dict(options.setting)
    with tempfile.TemporaryDirectory() as scratch:
        parts = {}  # (text, megabytes) -> path
        for name, path in options.text:
            for length in options.megabytes:
                part = os.path.join(scratch, f"{len(parts)}.txt")
                if cut(path, length * 1000000, part):
                    parts[name, length] = part
        plan = [{"text": name, "megabytes": length, "setting": setting, "seed": seed}
                for name, length in parts for setting in flags for seed in options.seeds]
        rows = grid.complete(
            plan, lambda one: train(program, parts[one["text"], one["megabytes"]], sets,
                                    flags[one["setting"]], one["seed"]),
            Table(options.out, COLUMNS))
    print_summary(rows)


if __name__ == "__main__":
    run(main)
