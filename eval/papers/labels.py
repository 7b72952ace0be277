#!/usr/bin/env python3
"""How well labels of texts are learned: acevec sentence -labels beside fastText's supervised, and a regression.

MR, CR, SUBJ and MPQA in ten folds, equal texts in one fold; AG News from 10,000 rows, those of the test
set left out, with their true labels and with those that people gave (noisy), on the test set of 7,600.
All get the same tokens in the same order. Rows (SETTINGS): acevec with its defaults; programs with the
best of the grid of rates and epochs, chosen in each fold on a tenth of the training part; with bigrams;
with --words, word vectors of a general text, as a start; and scikit-learn's logistic regression on
TF-IDF. Seconds are the processor's, of one training with one thread, in the mean over the folds.
--words and --vocab: see retrieval.py.
A restarted script continues where it was. Writes --out.
"""

import csv
import os
import random
import re
import shutil
import tempfile

from lib import acevec, grid, interpreter
from lib.cli import Parser, UserError, run
from lib.labellers import FASTTEXT, OWN, REGRESSION, Labellers
from lib.stats import mean
from lib.tables import Table
from lib.texts import RESULTS, shared_data

TASKS = {"mr": "rt-polarity", "cr": "custrev", "subj": "subj", "mpqa": "mpqa"}
NEWS = {"agnews": "gt", "agnews-noisy": "label"}  # the column of the labels to learn from
FOLDS = 10
OWN_GRID = [["-rate", rate, "-iter", epochs] for rate, epochs in (("0.005", "5"), ("0.005", "10"), ("0.01", "5"))]
FASTTEXT_GRID = [["-lr", rate, "-epoch", epochs] for rate, epochs in (("0.1", "10"), ("0.1", "20"), ("0.5", "5"))]
WEIGHTS = [["1"], ["4"], ["16"]]  # C of the regression
PAIRS = ["-wordNgrams", "2", "-bucket", "200000"]
SETTINGS = {  # program, options, those to choose from, whether word vectors are a start
    "acevec": (OWN, [], [[]], False),
    "acevec, best": (OWN, [], OWN_GRID, False),
    "acevec, words": (OWN, [], [[]], True),
    "fastText, best": (FASTTEXT, ["-dim", "10"], FASTTEXT_GRID, False),
    "fastText, bigrams, best": (FASTTEXT, ["-dim", "10", *PAIRS], FASTTEXT_GRID, False),
    "fastText, words, best": (FASTTEXT, [], FASTTEXT_GRID, True),
    "regression": (REGRESSION, [], [[]], False),
    "regression, bigrams, best": (REGRESSION, [], [[*weight, "2"] for weight in WEIGHTS], False),
}
COLUMNS = ("task", "setting", "seed", "accuracy", "cpu")


def words_of(text):
    text = re.sub(r"&lt;.*?&gt;|<[^<>]*>", " ", text).replace("\\", " ")
    return " ".join(re.findall(r"\w+(?:'\w+)*|[^\w\s]", text.lower()))


def folds_of(task):
    """Return [(training, test)] of lines."""
    with open(shared_data("sent", f"{TASKS[task]}.all"), encoding="latin-1") as stream:
        rows = [(line[0], line[1:]) for line in stream.read().split("\n") if line.strip()]
    texts = list(dict.fromkeys(text for _, text in rows))
    random.Random(1).shuffle(texts)
    fold = {text: at % FOLDS for at, text in enumerate(texts)}
    lines = [(fold[text], f"__label__{label} {' '.join(text.split())}\n") for label, text in rows]
    return [([line for at, line in lines if at != test], [line for at, line in lines if at == test])
            for test in range(FOLDS)]


def news(column):
    """Return the same of AG News, one."""
    with open(shared_data("agnews", "test.csv"), encoding="utf-8", newline="") as stream:
        test = [(int(label) - 1, words_of(f"{title} . {text}")) for label, title, text in csv.reader(stream)]
    with open(shared_data("agnews", "noisy_samples10000valMed.csv"), encoding="utf-8", newline="") as stream:
        known = [(row[column], words_of(row["text"])) for row in csv.DictReader(stream, escapechar="\\")]
    asked = {re.sub(r"\W", "", text) for _, text in test}
    return [tuple([f"__label__{label} {text}\n" for label, text in rows] for rows in (
        [row for row in known if re.sub(r"\W", "", row[1]) not in asked], test))]


class Experiment(Labellers):
    """What all runs share."""

    def __init__(self, options, folder):
        super().__init__(folder)
        self.options = options
        self.vector_of = {}  # a word's line of text

    def vectors(self, lines):
        """Write the vectors of the lines' words as fastText reads them; return its options."""
        if not self.vector_of:
            acevec.call([self.own, "convert", self.options.words, self.path("all.vec")])
            with open(self.path("all.vec"), encoding="utf-8") as stream:
                next(stream)
                self.vector_of = {line.split(" ", 1)[0]: line for line in stream}
        known = sorted({word for line in lines for word in line.split()[1:]} & set(self.vector_of))
        self.write("words.vec", [f"{len(known)} 300\n", *(self.vector_of[word] for word in known)])
        return ["-pretrainedVectors", self.path("words.vec"), "-dim", "300"]

    def fold(self, setting, train, test):
        """Return the hits and the seconds of training."""
        program, options, choices, words = SETTINGS[setting["setting"]]
        random.Random(2).shuffle(train)
        if words and program == OWN:
            options = [*options, "-init", self.options.words, "-read-vocab", self.options.vocab]
        elif words:
            options = [*options, *self.vectors(train + test)]
        tenth = len(train) // 10
        held, rest = self.write("held", train[:tenth]), self.write("rest", train[tenth:])

        def found(choice):
            self.learn(program, rest, [*options, *choice], setting["seed"])
            return self.score(program, held)

        best = choices[0] if len(choices) == 1 else max(choices, key=found)
        seconds = self.learn(program, self.write("train", train), [*options, *best], setting["seed"])
        return self.score(program, self.write("test", test)), seconds

    def make(self, setting):
        task = setting["task"]
        folds = news(NEWS[task]) if task in NEWS else folds_of(task)
        hits, seconds = zip(*(self.fold(setting, *fold) for fold in folds))
        return {"accuracy": f"{100 * sum(hits) / sum(len(test) for _, test in folds):.2f}",
                "cpu": f"{mean(seconds):.2f}"}


def show(rows):
    """Print a line for each setting: its accuracies, and its seconds of MR and AG News."""
    tasks = (*TASKS, *NEWS)
    print("setting", *tasks, "cpu mr", "cpu agnews", sep="\t")
    for setting in dict.fromkeys(row["setting"] for row in rows):
        own = {task: [row for row in rows if (row["setting"], row["task"]) == (setting, task)] for task in tasks}

        def of(task, column, own=own):
            return f"{mean([row[column] for row in own[task]]):.1f}" if own[task] else "-"

        print(setting, *(of(task, "accuracy") for task in tasks), of("mr", "cpu"), of("agnews", "cpu"), sep="\t")


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("--words", required=True, help="word vectors")
    parser.add_argument("--vocab", required=True, help="their counts")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--settings", help="of SETTINGS, with ; between", type=lambda text: text.split(";"), default=list(SETTINGS))
    parser.add_argument("--out", default=os.path.join(RESULTS, "labels.tsv"))
    options = parser.parse_args()
    programs = {SETTINGS[setting][0] for setting in options.settings}
    if REGRESSION in programs:
        interpreter.require("sklearn")
    if FASTTEXT in programs and not shutil.which(FASTTEXT):
        raise UserError("found no program fasttext; install it, or give --settings without it")
    plan = [{"task": task, "setting": setting, "seed": seed} for setting in options.settings
            for task in (*TASKS, *NEWS) for seed in range(1, options.seeds + 1)]
    with tempfile.TemporaryDirectory() as folder:
        show(grid.complete(plan, Experiment(options, folder).make, Table(options.out, COLUMNS)))


if __name__ == "__main__":
    run(main)
