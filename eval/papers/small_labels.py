#!/usr/bin/env python3
"""How well labels are learned from few texts: acevec sentence -labels beside fastText and a regression.

    eval/papers/small_labels.py --set cr=cr.txt --set trec=trec.txt --texts 100,300,1000 --out small.tsv

Files have a text with its label on each line, as fasttext supervised reads them. A fixed quarter of a
file, 2,000 texts at most, is tested on. Each seed learns from so many others, drawn at random. Sizes
beyond a file's end are left out. Settings (SETTINGS): acevec by default, and with the batch and rate of
many texts; fastText by default and twice more; a logistic regression on TF-IDF (scikit-learn). A row of
--out is one training: accuracy on the texts tested on, and processor seconds of training.

At the end a line for each set and size has the mean of each setting over the seeds.
"""

import random
import tempfile

from lib import grid, interpreter
from lib.cli import Parser, numbers, run, split_label
from lib.labellers import FASTTEXT, OWN, REGRESSION, Labellers
from lib.stats import mean
from lib.tables import Table

MOST_TESTED = 2000
SETTINGS = {  # program and options
    "acevec": (OWN, ""),
    "acevec, fixed": (OWN, "-batch 256 -rate 0.005"),
    "fastText": (FASTTEXT, ""),
    "fastText, 0.5": (FASTTEXT, "-lr 0.5 -epoch 10"),
    "fastText, 1": (FASTTEXT, "-lr 1 -epoch 20"),
    "regression": (REGRESSION, ""),
}
COLUMNS = ("set", "texts", "setting", "seed", "accuracy", "cpu")


def parts(path):
    """Return the lines of a file to learn from, and those to test on."""
    with open(path, encoding="utf-8") as stream:
        lines = stream.readlines()
    random.Random(0).shuffle(lines)
    tested = min(MOST_TESTED, len(lines) // 4)
    return lines[tested:], lines[:tested]


class Experiment(Labellers):
    """What all runs share."""

    def __init__(self, sets, folder):
        super().__init__(folder)
        self.parts = {name: parts(path) for name, path in sets}

    def make(self, one):
        pool, test = self.parts[one["set"]]
        train = random.Random(one["seed"]).sample(pool, one["texts"])
        program, options = SETTINGS[one["setting"]]
        seconds = self.learn(program, self.write("train", train), options.split(), one["seed"])
        return {"accuracy": 100 * self.score(program, self.write("test", test)) / len(test), "cpu": seconds}


def show(rows):
    """Print the mean accuracy of each set, size and setting."""
    print("set", "texts", *SETTINGS, sep="\t")
    for name, texts in dict.fromkeys((row["set"], row["texts"]) for row in rows):
        own = [row for row in rows if (row["set"], row["texts"]) == (name, texts)]
        print(name, texts, *(f"{mean([row['accuracy'] for row in own if row['setting'] == setting]):.1f}"
                             for setting in SETTINGS), sep="\t")


def main():
    interpreter.require("sklearn")
    parser = Parser(description=__doc__)
    parser.add_argument("--set", type=split_label, action="append", required=True, metavar="NAME=FILE",
                        help="labelled texts; give it once for each")
    parser.add_argument("--texts", type=numbers, default=[100, 300, 1000, 3000, 10000], metavar="N,..",
                        help="numbers of texts to learn from (100,300,1000,3000,10000)")
    parser.add_argument("--seeds", type=numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    parser.add_argument("--out", required=True, metavar="FILE.tsv", help="table of all runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        experiment = Experiment(options.set, folder)
        plan = [{"set": name, "texts": texts, "setting": setting, "seed": seed}
                for texts in options.texts for seed in options.seeds for name, _ in options.set
                if texts <= len(experiment.parts[name][0]) for setting in SETTINGS]
        show(grid.complete(plan, experiment.make, Table(options.out, COLUMNS)))


if __name__ == "__main__":
    run(main)
