#!/usr/bin/env python3
"""How good vectors of sentences are as features: MR, CR, SUBJ and MPQA, against means of word vectors.

A classifier is a logistic regression on frozen vectors, in ten folds; its penalty is chosen in each
fold on a tenth of what it learns from. Sentences that a task has twice are in one fold. `centroid`
is the accuracy of CURL's mean classifier: the nearer of the two classes' means. Every row of the
table has as many coordinates as the others: --size, of which f and g have half each.

Rows: mean and sif, of acevec's own word vectors of the same text, plain and weighted as SIF does;
random, an encoder that has learned nothing; bag, and bag with other options. Settings were to be
chosen on MR and CR. Started again, the script goes on where it was. Writes the table --out.
"""

import os

from lib import interpreter

for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

if __name__ == "__main__":
    interpreter.require("numpy", "scipy")

import io
import re
import subprocess
import tempfile
import time

import numpy as np
from scipy.optimize import minimize

from lib import acevec, grid
from lib.cli import Parser, UserError, count, run
from lib.tables import Table
from lib.texts import RESULTS, shared_data

TASKS = {"mr": "rt-polarity.all", "cr": "custrev.all", "subj": "subj.all", "mpqa": "mpqa.all"}
COLUMNS = ("row", "flags", "seed", "size", *TASKS, *(f"{task}_centroid" for task in TASKS),
           "seconds")
ROWS = {  # the options of acevec sentence; None: word vectors, with no training of sentences
    "mean": None,
    "sif": ["-rate", "1e-9", "-iter", "1", "-tied", "1"],
    "random": ["-rate", "1e-9", "-iter", "1"],
    "bag": [],
    "bag-words": ["-words", "0.2"],
    "bag-words-only": ["-words", "0.5", "-context", "0"],
    "bag-block": ["-block", "2", "-context", "2"],
    "bag-bigrams": ["-bigrams", "200000"],
}
PENALTIES = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5)
FOLDS = 10


def read_task(name):
    """Return a task's sentences and classes, 0 or 1."""
    with open(shared_data("sent", TASKS[name]), encoding="utf-8", errors="replace") as stream:
        lines = [line.strip() for line in stream.read().split("\n") if line.strip()]
    return [line[2:] for line in lines], np.array([int(line[0]) for line in lines])


def folds_of(sentences):
    """Return each sentence's fold: equal ones have one."""
    groups = {}
    for at, sentence in enumerate(sentences):
        groups.setdefault(sentence, []).append(at)
    folds = np.empty(len(sentences), int)
    order = np.random.RandomState(1).permutation(len(groups))
    for place, members in zip(order, groups.values()):
        folds[members] = place % FOLDS
    return folds


def fit(inputs, classes, penalty, start):
    """Return the weights of a logistic regression, the bias last."""
    signs = 2.0 * classes - 1

    def loss(weights):
        margins = signs * (inputs @ weights[:-1] + weights[-1])
        slopes = -signs / (1 + np.exp(np.clip(margins, -50, 50))) / len(signs)
        value = np.logaddexp(0, -margins).mean() + penalty / 2 * weights[:-1] @ weights[:-1]
        return value, np.append(inputs.T @ slopes + penalty * weights[:-1], slopes.sum())

    return minimize(loss, start, jac=True, method="L-BFGS-B",
                    options={"maxiter": 150, "ftol": 1e-7}).x


def hits(weights, inputs, classes):
    """How many are on their side of the plane."""
    return int((((inputs @ weights[:-1] + weights[-1]) > 0) == classes).sum())


def accuracies(vectors, sentences, classes):
    """Return the percentage right of logistic regression, and of the mean classifier."""
    folds, right, nearest = folds_of(sentences), 0, 0
    for fold in range(FOLDS):
        known, test = folds != fold, folds == fold
        valid = folds == (fold + 1) % FOLDS
        learn = known & ~valid
        centred = vectors - vectors[known].mean(0)
        inputs = centred * (10 / max(np.sqrt((centred[known] ** 2).sum(1).mean()), 1e-12))
        weights, best = np.zeros(inputs.shape[1] + 1), (-1, None, None)
        for penalty in PENALTIES:
            weights = fit(inputs[learn], classes[learn], penalty, weights)
            score = hits(weights, inputs[valid], classes[valid])
            if score > best[0]:
                best = (score, penalty, weights)
        right += hits(fit(inputs[known], classes[known], *best[1:]), inputs[test], classes[test])
        means = [inputs[known & (classes == side)].mean(0) for side in (0, 1)]
        plane = np.append(means[1] - means[0], (means[0] @ means[0] - means[1] @ means[1]) / 2)
        nearest += hits(plane, inputs[test], classes[test])
    return 100 * right / len(classes), 100 * nearest / len(classes)


def mean_vectors(path, sentences):
    """Return means of word vectors, an array and its words beside it."""
    with open(os.path.splitext(path)[0] + ".words", encoding="utf-8") as stream:
        ids = {word: at for at, word in enumerate(stream.read().split("\n")[:-1])}
    rows, out = np.load(path), []
    for sentence in sentences:
        words = re.findall(r"\w+(?:'\w+)*|[^\w\s]", sentence.lower())
        known = [ids[word] for word in words if word in ids]
        out.append(rows[known].mean(0) if known else np.zeros(rows.shape[1]))
    return np.array(out, np.float32)


def encoded(program, model, sentences):
    """Return the vectors that a model gives sentences."""
    done = subprocess.run([program, "sentence", "encode", model, "-format", "npy"], check=False,
                          input="".join(line + "\n" for line in sentences).encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise UserError(done.stderr.decode(errors="replace").strip().splitlines()[-1])
    return np.load(io.BytesIO(done.stdout))


class Experiment:
    """What all runs share."""

    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.program = acevec.find_acevec()
        self.words = {}  # (size, seed) -> word vectors, and their seconds

    def plan(self):
        rows = self.options.rows.split(",")
        for row in rows:
            if row not in ROWS:
                raise UserError(f"there is no row {row}; choose from {','.join(ROWS)}")
        return [{"row": row, "flags": " ".join(self.options.flags), "seed": seed,
                 "size": self.options.size}
                for row in rows for seed in range(1, self.options.seeds + 1)]

    def word_vectors(self, size, seed):
        """Return the path of word vectors of the text, and the seconds they took."""
        if (size, seed) not in self.words:
            path = os.path.join(self.scratch, f"words-{size}-{seed}.npy")
            start = time.monotonic()
            acevec.call([self.program, "-train", self.options.corpus, "-output", path, "-tokens",
                         "words", "-size", str(size), "-seed", str(seed), "-quiet"])
            self.words[size, seed] = path, time.monotonic() - start
        return self.words[size, seed]

    def encoder(self, row, seed):
        """Return a function from sentences to vectors, and the seconds of its training."""
        tied = row in ("mean", "sif")
        size = self.options.size if tied else self.options.size // 2
        vectors, seconds = (None, 0.0) if row == "random" else self.word_vectors(size, seed)
        if row == "mean":
            return lambda sentences: mean_vectors(vectors, sentences), seconds
        model = os.path.join(self.scratch, "model")
        start = time.monotonic()
        acevec.call([self.program, "sentence", "-train", self.options.corpus, "-output", model,
                     "-tokens", "words", "-split", "sentences", "-size", str(size), "-seed",
                     str(seed), "-quiet", *(["-init", vectors] if vectors else []),
                     *acevec.with_options(ROWS[row], [] if row in ("sif", "random")
                                          else self.options.flags)])
        seconds += time.monotonic() - start
        return lambda sentences: encoded(self.program, model, sentences), seconds

    def make(self, setting):
        encode, seconds = self.encoder(setting["row"], setting["seed"])
        result = {"seconds": seconds}
        for task in TASKS:
            sentences, classes = read_task(task)
            result[task], result[f"{task}_centroid"] = accuracies(encode(sentences), sentences,
                                                                  classes)
        return result


def parse_arguments():
    parser = Parser(description=__doc__)
    parser.add_argument("--corpus", metavar="FILE", help="paragraphs, one a line; default: the "
                        "articles of Wikipedia in ../shared/data",
                        default=shared_data("corpus", "enwiki-articles.txt.gz"))
    parser.add_argument("--rows", default=",".join(ROWS), help="default: %(default)s")
    parser.add_argument("--seeds", type=count, default=3, help="default: 3")
    parser.add_argument("--size", type=count, default=600, help="coordinates; default: 600")
    parser.add_argument("--out", default=os.path.join(RESULTS, "sentences.tsv"),
                        help="default: %(default)s")
    parser.add_argument("flags", nargs="*", metavar="OPTION",
                        help="after --: options of acevec sentence for all bags")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if not os.path.exists(shared_data("sent", TASKS["mr"])):
        raise UserError("the tasks are not in ../shared/data/sent; put them there")
    with tempfile.TemporaryDirectory(prefix="acevec-sentences-") as scratch:
        experiment = Experiment(options, scratch)
        rows = grid.complete(experiment.plan(), experiment.make, Table(options.out, COLUMNS, {
            "corpus": os.path.basename(options.corpus)}))
    for row in rows:
        scores = [float(row[task]) for task in TASKS]
        print(row["row"], row["seed"], *(f"{score:.1f}" for score in scores),
              f"{sum(scores) / len(scores):.2f}", sep="\t")
    return 0


if __name__ == "__main__":
    run(main)
