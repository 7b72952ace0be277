#!/usr/bin/env python3
"""How well models that learned from pairs find the right text: acevec sentence -pairs and retrieve.

Pairs: MedQuAD (questions and answers), Multi30k (captions of one picture) and nl2bash (what to do, and
a shell command), each alone and all together. Scored by MRR@10 on the development pairs of each, of
nl2bash on every tenth line, from which nothing is learned; and on a collection that no training saw,
Cranfield, by nDCG@10, which tells what a model forgets. Rows: mean, the model of word vectors without
training; BM25; default; and options of training or of retrieve (SETTINGS). Seconds are the processor's, and
those on the clock. --words: word vectors of a general text, such as

    zcat enwiki-articles.txt.gz | acevec -train - -tokens words -size 300 -output words.bin \\
        -save-vocab words.vocab

with the counts, which mean needs, in --vocab. A restarted script continues where it was. Writes --out.
"""

import gzip
import os
import tempfile
import time

from lib import acevec, grid
from lib.cli import Parser, count, run
from lib.stats import mean
from lib.tables import Table
from lib.texts import RESULTS, shared_data

SETS = ("medquad", "multi30k", "nl2bash")
TOGETHER = "together"
UNTRAINED = ("mean", "BM25")  # settings
# Options of training, and of retrieve.
VECTORS = ["-lexical-size", "0"]
NO_ACE = [*VECTORS, "-ace", "0", "-hard", "0"]
SETTINGS = {"mean": ([], []),
            "BM25": ([], ["-lexical", "1000"]),  # beside which cosines are only for ties
            "default": ([], []),
            "lexical": ([], ["-lexical", "0.2"]),
            "no words": ([], []),  # of another text
            "vectors alone": (VECTORS, []),
            "no hard": ([*VECTORS, "-hard", "0"], []),
            "no hard, 7 epochs": ([*VECTORS, "-hard", "0", "-iter", "7"], []),  # as long as the vectors alone
            "no ace": (NO_ACE, []),
            "no ace, scale 20": ([*NO_ACE, "-scale", "20"], []),
            "no ace, no anchor": ([*NO_ACE, "-anchor", "0"], []),
            "no ace, no words": (["-ace", "0", "-hard", "0", "-size", "300"], []),
            "no ace, batch 2048": ([*NO_ACE, "-batch", "2048"], []),
            "no ace, 6 epochs": ([*NO_ACE, "-iter", "6"], [])}
COLUMNS = ("trained", "setting", "seed", *SETS, "cranfield", "cpu", "seconds")


def write_pairs(folder):
    """Write the training and development pairs; return {set: (training, development)}."""
    files = {}
    for name in SETS:
        with gzip.open(shared_data("pairs", f"{name}.tsv.gz"), "rt", encoding="utf-8") as stream:
            training = stream.readlines()
        if name == "nl2bash":
            held, training = training[2::10], [line for at, line in enumerate(training) if at % 10 != 2]
        else:
            with gzip.open(shared_data("pairs", f"{name}-dev.tsv.gz"), "rt", encoding="utf-8") as stream:
                held = stream.readlines()
        files[name] = tuple(os.path.join(folder, f"{name}-{part}.tsv") for part in ("train", "dev"))
        for path, lines in zip(files[name], (training, held)):
            with open(path, "w", encoding="utf-8") as stream:
                stream.writelines(lines)
    return files


class Experiment:
    """What all runs share."""

    def __init__(self, options, folder):
        self.program, self.options = acevec.find_acevec(), options
        self.model = os.path.join(folder, "model")
        self.files = write_pairs(folder)

    def train(self, setting):
        command = [self.program, "sentence", "-output", self.model, "-debug", "0"]
        if setting["setting"] in UNTRAINED:
            return [*command, "-init", self.options.words, "-read-vocab", self.options.vocab, "-tokens", "words"]
        names = SETS if setting["trained"] == TOGETHER else (setting["trained"],)
        command += ["-pairs", ",".join(self.files[name][0] for name in names), "-seed", str(setting["seed"])]
        if not setting["setting"].endswith("no words"):
            command += ["-init", self.options.words]
        return [*command, *SETTINGS[setting["setting"]][0]]

    def score(self, setting, what, column):
        out, _ = acevec.call([self.program, "sentence", "retrieve", self.model, *what,
                              *SETTINGS[setting["setting"]][1]])
        head, row = (line.split() for line in out.splitlines())
        return float(row[head.index(column)])

    def make(self, setting):
        cpu, start = acevec.processor_seconds(), time.perf_counter()
        acevec.call(self.train(setting))
        row = {"cpu": f"{acevec.processor_seconds() - cpu:.1f}",
               "seconds": f"{time.perf_counter() - start:.1f}"}
        for name in SETS:
            row[name] = self.score(setting, ["-pairs", self.files[name][1]], "MRR@10")
        parts = [word for option in ("docs", "queries", "qrels")
                 for word in (f"-{option}", shared_data("ir", "cranfield", f"{option}.tsv.gz"))]
        row["cranfield"] = self.score(setting, parts, "nDCG@10")
        return row


def plan(options):
    return [{"trained": trained, "setting": setting, "seed": seed}
            for setting in options.settings
            for trained in (("",) if setting in UNTRAINED else (*SETS, TOGETHER))
            for seed in range(1, 2 if setting in UNTRAINED else options.seeds + 1)]


def show(rows):
    """Print means over the seeds."""
    print("\t".join(("trained", "setting", *SETS, "cranfield", "cpu")))
    for trained, setting in dict.fromkeys((row["trained"], row["setting"]) for row in rows):
        own = [row for row in rows if (row["trained"], row["setting"]) == (trained, setting)]
        print("\t".join((trained or "-", setting, *(f"{mean([row[column] for row in own]):.1f}"
                                                  for column in (*SETS, "cranfield", "cpu")))))


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("--words", required=True, help="word vectors")
    parser.add_argument("--vocab", required=True, help="their counts")
    parser.add_argument("--seeds", type=count, default=3)
    parser.add_argument("--settings", help="of SETTINGS, with ; between", type=lambda text: text.split(";"), default=list(SETTINGS))
    parser.add_argument("--out", default=os.path.join(RESULTS, "retrieval.tsv"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        experiment = Experiment(options, folder)
        show(grid.complete(plan(options), experiment.make, Table(options.out, COLUMNS)))


if __name__ == "__main__":
    run(main)
