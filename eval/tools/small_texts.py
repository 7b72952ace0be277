#!/usr/bin/env python3
"""What epochs and learning rate do for texts of a few million tokens and less.

    eval/tools/small_texts.py --text enwiki=enwiki.txt.gz --text news=news.txt --megabytes 1,4,16 \\
      --setting 'five epochs: -iter 5' --setting 'no flags:' --out small-texts.tsv

Of each text the first so many megabytes, whole lines, are trained on with each setting and seed and
`-tokens words -threads 1`. Every run is a row of the table --out: tokens, training seconds, and for
each word similarity set the pairs covered and Spearman's rho x100 on them, which are the same pairs
for all settings of a text. Started again with the same table, what is in it is not run again.

At the end a line for each text, length and setting gives the mean over seeds of `rho`: that of all
sets, weighted by their pairs. A length beyond a text's end, or with fewer than 50 pairs, is left out.
"""

import gzip
import os
import re
import shlex
import subprocess
import sys
import tempfile
from statistics import mean

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(sys.path[0], "bench"))

import common
import tables
from cli import Parser, UserError, run

SETS = ("ws353", "mturk287", "rw")
COLUMNS = ("text", "megabytes", "tokens", "setting", "seed", "seconds",
           *(f"{name}{part}" for name in SETS for part in ("_pairs", "")))
LEAST_PAIRS = 50


def named(text):
    """Parse NAME=FILE."""
    name, separator, path = text.partition("=")
    if not (name and separator and path):
        raise ValueError(text)
    return name, path


def setting(text):
    """Parse 'NAME: FLAGS'."""
    name, separator, flags = text.partition(":")
    if not separator:
        raise ValueError(text)
    return name.strip(), shlex.split(flags)


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--text", type=named, action="append", required=True, metavar="NAME=FILE",
        help="a text, gzipped or not; give it once for each")
    add("--megabytes", type=common.numbers, default=[1, 4, 16], metavar="N,..",
        help="lengths, of 1,000,000 bytes (1,4,16)")
    add("--setting", type=setting, action="append", required=True, metavar="'NAME: FLAGS'",
        help="flags of acevec under a name; give it once for each")
    add("--seeds", type=common.numbers, default=[1, 2], metavar="N,..", help="seeds (1,2)")
    common.add_wordsim_option(parser)
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


def score(acevec, vectors, sets):
    """Return {column: value} of the sets."""
    done = subprocess.run([acevec, "similarity", vectors, "-set", ",".join(sets), "-format", "tsv"],
                          stdout=subprocess.PIPE, check=True, universal_newlines=True)
    values = {}
    for line in done.stdout.splitlines()[1:]:
        name, _, covered, rho, _ = line.split("\t")
        values[f"{name}_pairs"] = int(covered)
        values[name] = None if rho == "nan" else float(rho)
    return values


def train(acevec, text, flags, seed, scratch):
    """Train on a text; return (path of the vectors, tokens read, seconds of training)."""
    vectors = os.path.join(scratch, "vectors.bin")
    command = [acevec, "-train", text, "-output", vectors, "-tokens", "words", "-threads", "1",
               "-seed", str(seed), *flags]
    done = subprocess.run(command, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    if done.returncode:
        raise UserError(f"{shlex.join(command)} failed: {done.stderr.splitlines()[-1]}")
    report = common.acevec_report(done.stderr)
    return vectors, report["tokens"], report["training_seconds"]


def rho(row):
    """The mean of a row's sets, weighted by their pairs; None with too few."""
    pairs = [(row[name], row[f"{name}_pairs"]) for name in SETS if row.get(name) is not None]
    total = sum(count for _, count in pairs)
    return sum(value * count for value, count in pairs) / total if total >= LEAST_PAIRS else None


def summary(rows):
    """Print the mean rho of each text, length and setting."""
    print("text", "megabytes", "tokens", "setting", "pairs", "rho", "seconds", sep="\t")
    groups = {}
    for row in rows:
        key = row["text"], int(row["megabytes"]), row["setting"]
        groups.setdefault(key, []).append(row)
    for (text, length, name), group in groups.items():
        values = [rho(row) for row in group]
        if None in values:
            continue
        pairs = sum(int(group[0][f"{one}_pairs"]) for one in SETS)
        print(text, length, int(group[0]["tokens"]), name, pairs, f"{mean(values):.1f}",
              f"{mean(row['seconds'] for row in group):.1f}", sep="\t")


def main():
    options = parse_arguments()
    acevec = common.find_acevec()
    sets = common.find_sets(options.wordsim, SETS)
    if len(sets) < len(SETS):
        raise UserError(f"needs the word similarity sets {', '.join(SETS)}; give --wordsim DIR")
    table, rows = tables.continue_table(options.out, COLUMNS)
    done = {(row["text"], int(row["megabytes"]), row["setting"], int(row["seed"])) for row in rows}
    with table, tempfile.TemporaryDirectory() as scratch:
        for name, path in options.text:
            for length in options.megabytes:
                part = os.path.join(scratch, "text")
                wanted = [(title, flags, seed) for title, flags in options.setting
                          for seed in options.seeds if (name, length, title, seed) not in done]
                if not wanted or not cut(path, length * 1000000, part):
                    continue
                for title, flags, seed in wanted:
                    vectors, tokens, seconds = train(acevec, part, flags, seed, scratch)
                    values = {"text": name, "megabytes": length, "tokens": tokens, "setting": title,
                              "seed": seed, "seconds": seconds, **score(acevec, vectors, sets)}
                    row = {column: values[column] for column in COLUMNS}
                    tables.write_row(table, row)
                    rows.append(row)
    summary(rows)


if __name__ == "__main__":
    run(main)
