#!/usr/bin/env python3
"""Compare noise distributions by the similarity of words, as Figure 5 of Kekeç, Mimno and Tax 2019.

Trains with each noise, size and seed and scores the vectors on WS353's two halves, similarity and
relatedness, and on RW: Spearman's rho x100 on the covered pairs. All noises take turns at each size
before the next seed begins, so that a run that is cut short can be read too. The table is written
row by row; started again with the same table, the script goes on where it was. The plot, made by
plot_noise_word.py, goes beside the table.
"""

import os
import subprocess
import sys
import tempfile
from statistics import mean, stdev

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "bench"))

import common
from cli import Parser, UserError, run

SETS = ("ws353-sim", "ws353-rel", "rw")
COLUMNS = ("noise", "size", "seed", "seconds", *SETS)
# Names in the table -> acevec's options.
NOISES = {"unigram": {"noise": "unigram"},
          "power": {"noise": "power"},
          "uniform": {"noise": "uniform"},
          "qcem": {"noise": "qcem"},
          "qcem-relative": {"noise": "qcem", "qcem-precision": "relative"},
          "entropy": {"noise": "entropy"}}


def one_run(program, corpus, sets, scratch, settings, noise, size, seed):
    """Train and score once; return a row: COLUMNS -> value. The vectors are not kept."""
    with tempfile.TemporaryDirectory(dir=scratch) as own:
        vectors, log = os.path.join(own, "vectors.bin"), os.path.join(own, "log")
        command = common.acevec_command(program, corpus, vectors, {
            **settings, **NOISES[noise], "size": size, "seed": seed})
        seconds, _ = common.measure(command, log)
        rho = common.quality(vectors, sets)
    return dict(zip(COLUMNS, (noise, size, seed, seconds, *map(rho.get, SETS))))


def open_or_continue(path, facts):
    """Return (table to write to, rows that it has); raise UserError if it was made otherwise."""
    if not os.path.exists(path):
        return common.open_table(path, COLUMNS, **facts), []
    with open(path, encoding="utf-8") as stream:
        head = {line.rstrip("\n") for line in stream if line.startswith("#")}
    rows = common.read_table(path)
    if (not all(f"# {name}: {fact}" in head for name, fact in facts.items())
            or any(tuple(row) != COLUMNS for row in rows)):
        raise UserError(f"{path} was made with other settings; remove it or give another --out")
    return open(path, "a", encoding="utf-8", buffering=1), rows


def remaining_time(new_rows, left):
    """Text of how long the runs left, (noise, size, seed) each, will take, by those just done."""
    # Time is about linear in the size, with something for reading and scoring.
    rate = sum(row["seconds"] for row in new_rows) / sum(row["size"] + 50 for row in new_rows)
    minutes = rate * sum(size + 50 for _, size, _ in left) / 60
    return f"{minutes // 60:.0f} h {minutes % 60:.0f} min" if minutes >= 60 else f"{minutes:.0f} min"


def summarise(rows):
    """Print the mean and standard deviation over the seeds, a line for each size and noise."""
    groups = {}
    for row in rows:
        groups.setdefault((row["size"], row["noise"]), []).append(row)
    print("size noise         seeds " + " ".join(f"{name:>11}" for name in SETS))
    for (size, noise), group in sorted(groups.items(), key=lambda item: item[0][0]):
        cells = []
        for name in SETS:
            values = [row[name] for row in group if row[name] is not None]
            spread = f"±{stdev(values):.1f}" if len(values) > 1 else ""
            cells.append(f"{mean(values):.1f}{spread}" if values else "-")
        print(f"{size:>4.0f} {noise:<13} {len(group):>5} " + " ".join(f"{c:>11}" for c in cells))


def noise_names(text):
    """Parse `power,qcem` (for argparse)."""
    names = text.split(",")
    if not set(names) <= set(NOISES):
        raise ValueError(text)
    return list(dict.fromkeys(names))


def parse_arguments():
    parser = Parser(description=__doc__)
    common.add_corpus_option(parser)
    add = parser.add_argument
    add("--noises", type=noise_names, default=["unigram", "power", "uniform", "qcem"],
        metavar="NAME,..", help=f"of {','.join(NOISES)} (unigram,power,uniform,qcem)")
    add("--sizes", type=common.numbers, default=[50, 100, 200, 300], metavar="N,..",
        help="vector sizes (50,100,200,300)")
    add("--seeds", type=common.numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    add("--iter", type=common.count, default=5, metavar="N", help="passes over the corpus (5)")
    add("--threads", type=common.count, default=os.cpu_count(), metavar="N",
        help="threads (all cores)")
    common.add_wordsim_option(parser)
    add("--out", metavar="FILE.tsv", default=os.path.join(common.RESULTS, "noise-word.tsv"),
        help="table of all runs (eval/results/noise-word.tsv)")
    return parser.parse_args()


def main():
    options = parse_arguments()
    program = common.find_acevec()
    sets = common.find_sets(options.wordsim, SETS)
    if not sets:
        return 1
    settings = {"iter": options.iter, "threads": options.threads}
    with tempfile.TemporaryDirectory(prefix="acevec-noise-") as scratch:
        corpus = common.unpacked(common.find_corpus(options.corpus, scratch), scratch)
        table, rows = open_or_continue(options.out, {
            "corpus": f"{os.path.basename(corpus)}, {common.size_of(corpus)[0]} tokens",
            "passes": options.iter, "threads": options.threads})
        done = {(row["noise"], row["size"], row["seed"]) for row in rows}
        left = [(noise, size, seed) for seed in options.seeds for size in options.sizes
                for noise in options.noises if (noise, size, seed) not in done]
        new_rows = []
        with table:
            try:
                while left:
                    setting = left.pop(0)
                    new_rows.append(one_run(program, corpus, sets, scratch, settings, *setting))
                    common.write_row(table, new_rows[-1])
                    scores = ", ".join(f"{name} {common.cell(new_rows[-1][name]) or '-'}"
                                       for name in SETS)
                    print(f"{setting[0]}, size {setting[1]}, seed {setting[2]}: {scores}; "
                          f"{len(left)} runs left, {remaining_time(new_rows, left)}",
                          file=sys.stderr, flush=True)
            finally:  # also when interrupted: what is done is shown
                summarise(rows + new_rows)
    plot = os.path.join(HERE, "plot_noise_word.py")
    return subprocess.run([sys.executable, plot, options.out], check=False).returncode


if __name__ == "__main__":
    run(main)
