#!/usr/bin/env python3
"""How good vectors of sentences are as features, against means of word vectors and TF-IDF.

MR, CR, SUBJ and MPQA: a logistic regression on frozen vectors, in ten folds; its penalty is chosen in
each fold on a tenth of what it learns from. Sentences that a task has twice are in one fold. AG News:
learned from 10,000 rows, those of the test set left out, one class against the rest; scored on the 7,600
of the test set. --held gives SST-2, TREC and the STS benchmark's test pairs, on which no setting was
chosen, scored the same ways. `centroid` is the accuracy of CURL's mean classifier: the nearest of the classes' means.
STS: Pearson's r x 100 of the cosine with the human scores of the STS benchmark's development pairs.
Every row but tfidf has as many coordinates as the others: --size, of which f and g have half each.

Rows: tfidf, of the task's own words and pairs of words; mean and unit, of acevec's own word
vectors of the same text, as they are and of length 1; features and search,
models without training (acevec sentence -encoder mean); random and random-gru, encoders that have
learned nothing; bags and gated units with several options. Gated units, which are slow, learn from a
twentieth of the text with the words of all of it, and bag-part does the same. sent2vec, given by
--sent2vec, learns from the same sentences and tokens, with the settings of its paper for unigrams.
Seconds are the processor's, with those of the word vectors where a row needs them, and of sent2vec
without making its tokens. A restarted script continues where it was. Writes the table --out;
--neighbours writes those of a few queries among 100,000 sentences, from mean, bag and gru.
"""

import os

from lib import interpreter

for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

if __name__ == "__main__":
    interpreter.require("numpy", "scipy")

import csv
import io
import re
import subprocess
import tempfile
from collections import Counter

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, issparse

from lib import acevec, grid
from lib.cli import Parser, UserError, count, run
from lib.tables import Table
from lib.texts import RESULTS, shared_data

TASKS = {"mr": "rt-polarity.all", "cr": "custrev.all", "subj": "subj.all", "mpqa": "mpqa.all"}
ALL_TASKS = (*TASKS, "agnews")
HELD = {"sst2": ("stsa.binary.train", "stsa.binary.test"), "trec": ("TREC.train.all", "TREC.test.all")}
HELD_COLUMNS = (*HELD, "sts_test")
COLUMNS = ("row", "flags", "seed", "size", *ALL_TASKS, "sts", *HELD_COLUMNS,
           *(f"{task}_centroid" for task in ALL_TASKS), "seconds")
BAG = ["-encoder", "bag"]
NOTHING_LEARNED = ["-rate", "1e-9", "-iter", "1", "-heldout", "0.99"]
BLOCK = ["-block", "2", "-context", "2"]
PART = ["-iter", "1", "-heldout", "0.95"]  # a twentieth of the text
MEANS = {"features": ["-encoder", "mean", "-for", "features"],
         "search": ["-encoder", "mean", "-for", "search"]}
GRU = ["-encoder", "gru", *PART]
ROWS = {  # the options of acevec sentence; None: no training of sentences
    "tfidf": None,
    "mean": None,
    "unit": None,
    **MEANS,
    "sent2vec": None,
    "random": [*BAG, *NOTHING_LEARNED],
    "random-gru": ["-encoder", "gru", *NOTHING_LEARNED],
    "bag": BAG,
    "bag-block": [*BAG, *BLOCK],
    "bag-ace": [*BAG, "-ace", "1"],
    "bag-ace-block": [*BAG, "-ace", "1", *BLOCK],
    "bag-part": [*BAG, *PART],
    "gru": GRU,
    "gru-block": [*GRU, *BLOCK],
    "gru-ace": [*GRU, "-ace", "1"],
    "gru-ace-block": [*GRU, "-ace", "1", *BLOCK],
}
# Of unigrams on Wikipedia (Pagliardini, Gupta and Jaggi 2018). The rows that bigrams would share take
# memory without any.
SENT2VEC = ["-epoch", "9", "-lr", "0.2", "-neg", "10", "-t", "1e-5", "-wordNgrams", "1", "-dropoutK", "0",
            "-bucket", "1", "-minCount", "5"]
# Published, context and no comparison: it has far more text.
PUBLISHED = """
QuickThoughts' GRU of 1000 units, 68 M sentences of books (the post): MR 76.7, CR 84.0, SUBJ 91.7, MPQA 88.6
"""
QUERIES = ("The band released its first album in 1995.", "The river flows into the Black Sea.",
           "He was elected to the parliament three times.", "The theorem was proved in 1931.")
PENALTIES = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5)
FOLDS = 10


def read_task(path):
    """Return a task's sentences and classes, from 0."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        lines = [line.strip() for line in stream.read().split("\n") if line.strip()]
    return [line[2:] for line in lines], np.array([int(line[0]) for line in lines])


def read_news():
    """Return AG News: sentences and classes from 0 to learn from, then those of the test."""
    with open(shared_data("agnews", "test.csv"), encoding="utf-8", newline="") as stream:
        test = [(f"{title} . {text}", int(label) - 1) for label, title, text in csv.reader(stream)]
    with open(shared_data("agnews", "noisy_samples10000valMed.csv"), encoding="utf-8",
              newline="") as stream:
        known = [(row["text"], int(row["gt"])) for row in csv.DictReader(stream, escapechar="\\")]
    asked = {"".join(re.findall(r"\w+", text.lower())) for text, _ in test}
    known = [(text, label) for text, label in known
             if "".join(re.findall(r"\w+", text.lower())) not in asked]
    lowest = min(label for _, label in known)
    return ([text for text, _ in known], np.array([label - lowest for _, label in known]),
            [text for text, _ in test], np.array([label for _, label in test]))


def task_path(task):
    """Where a task of ten folds is."""
    return shared_data("sent", TASKS[task])


def read_pairs(path):
    """Return pairs of the STS benchmark: first sentences, second ones, scores."""
    with open(path, encoding="utf-8") as stream:
        fields = [line.rstrip("\n").split("\t") for line in stream]
    return ([row[5] for row in fields], [row[6] for row in fields],
            np.array([float(row[4]) for row in fields]))


def agreement(encode, path):
    """Return Pearson's r x 100 of the cosines of pairs and their human scores."""
    first, second, scores = read_pairs(path)
    vectors = encode(first + second)
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    cosines = (vectors[:len(first)] * vectors[len(first):]).sum(1)
    return 100 * np.corrcoef(cosines, scores)[0, 1]


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
        # As floats: numpy would otherwise copy the inputs into doubles in every product.
        margins = signs * (inputs @ weights[:-1].astype(inputs.dtype) + weights[-1])
        slopes = -signs / (1 + np.exp(np.clip(margins, -50, 50))) / len(signs)
        value = np.logaddexp(0, -margins).mean() + penalty / 2 * weights[:-1] @ weights[:-1]
        return value, np.append(inputs.T @ slopes.astype(inputs.dtype) + penalty * weights[:-1],
                                slopes.sum())

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
        inputs = 10 * vectors if issparse(vectors) else scaled(vectors, known)
        weights, best = np.zeros(inputs.shape[1] + 1), (-1, None, None)
        for penalty in PENALTIES:
            weights = fit(inputs[learn], classes[learn], penalty, weights)
            score = hits(weights, inputs[valid], classes[valid])
            if score > best[0]:
                best = (score, penalty, weights)
        right += hits(fit(inputs[known], classes[known], *best[1:]), inputs[test], classes[test])
        means = [np.asarray(inputs[known & (classes == side)].mean(0)).ravel() for side in (0, 1)]
        plane = np.append(means[1] - means[0], (means[0] @ means[0] - means[1] @ means[1]) / 2)
        nearest += hits(plane, inputs[test], classes[test])
    return 100 * right / len(classes), 100 * nearest / len(classes)


def scaled(vectors, known):
    """Centre vectors by the known ones, and give them one scale."""
    centred = vectors - vectors[known].mean(0)
    return centred * (10 / max(np.sqrt((centred[known] ** 2).sum(1).mean()), 1e-12))


def split_accuracies(encode, task):
    """As accuracies(), of a task that has a test set: one class against the rest."""
    sentences, classes, asked, answers = task
    sides = range(classes.max() + 1)
    vectors = encode(sentences + asked)
    known = np.arange(len(vectors)) < len(sentences)
    inputs = scaled(vectors, known)
    learned, test = inputs[known], inputs[~known]
    valid = np.arange(len(learned)) % FOLDS == 0
    best = (-1, None)
    for penalty in PENALTIES:
        planes = [fit(learned[~valid], classes[~valid] == side, penalty,
                      np.zeros(learned.shape[1] + 1)) for side in sides]
        best = max(best, (int((picked(planes, learned[valid]) == classes[valid]).sum()), penalty))
    planes = [fit(learned, classes == side, best[1], np.zeros(learned.shape[1] + 1))
              for side in sides]
    means = [learned[classes == side].mean(0) for side in sides]
    nearest = [np.append(mean, -mean @ mean / 2) for mean in means]
    return [100 * (picked(which, test) == answers).mean() for which in (planes, nearest)]


def picked(planes, inputs):
    """The class whose plane is furthest below."""
    return np.argmax([inputs @ plane[:-1] + plane[-1] for plane in planes], axis=0)


def words_of(sentence):
    return re.findall(r"\w+(?:'\w+)*|[^\w\s]", sentence.lower())


def tfidf(sentences):
    """Return rows of length 1 over the words and pairs of words that stand in two sentences."""
    terms = [Counter(words + [" ".join(pair) for pair in zip(words, words[1:])])
             for words in map(words_of, sentences)]
    spread = Counter(term for counts in terms for term in counts)
    ids = {term: at for at, term in enumerate(term for term in spread if spread[term] > 1)}
    cells = [(row, ids[term], count * np.log(len(terms) / spread[term]))
             for row, counts in enumerate(terms) for term, count in counts.items() if term in ids]
    rows, columns, values = zip(*cells)
    table = csr_matrix((np.array(values, np.float32), (rows, columns)), (len(terms), len(ids)))
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(1)).ravel())
    return csr_matrix(table.multiply(1 / np.maximum(lengths, 1e-12)[:, None]))


def mean_vectors(path, sentences, unit=False):
    """Return means of word vectors, an array and its words beside it; unit: of length 1."""
    with open(os.path.splitext(path)[0] + ".words", encoding="utf-8") as stream:
        ids = {word: at for at, word in enumerate(stream.read().split("\n")[:-1])}
    rows, out = np.load(path), []
    if unit:
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    for sentence in sentences:
        known = [ids[word] for word in words_of(sentence) if word in ids]
        out.append(rows[known].mean(0) if known else np.zeros(rows.shape[1]))
    return np.array(out, np.float32)


def encoded(program, model, sentences):
    """Return the vectors that a model gives sentences."""
    done = subprocess.run([program, "sentence", "encode", model, "-format", "npy"], check=False,
                          input="".join(" ".join(line.split()) + "\n" for line in sentences
                                        ).encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise UserError(done.stderr.decode(errors="replace").strip().splitlines()[-1])
    return np.load(io.BytesIO(done.stdout))


def sent2vec_vectors(program, model, sentences):
    """Return the vectors that a model of sent2vec gives sentences."""
    text = "".join(" ".join(words_of(line)) + "\n" for line in sentences)
    printed, _ = acevec.call([program, "print-sentence-vectors", model + ".bin"], text)
    return np.array([line.split() for line in printed.splitlines()], np.float32)


class Experiment:
    """What all runs share."""

    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.program = acevec.find_acevec()

    def plan(self):
        rows = self.options.rows.split(",")
        for row in rows:
            if row not in ROWS:
                raise UserError(f"there is no row {row}; choose from {','.join(ROWS)}")
        if "sent2vec" in rows and not self.options.sent2vec:
            raise UserError("the row sent2vec needs the program; give it with --sent2vec")
        flags = " ".join([*self.options.word_options.split(), *self.options.flags])
        return [{"row": row, "flags": flags, "seed": seed,
                 "size": self.options.size}
                for row in rows for seed in range(1, self.options.seeds + 1)]

    def timed(self, path, command):
        """Return the processor seconds of a command that makes the file at path, now or at a former start."""
        took = path + ".seconds"  # written last
        if not os.path.exists(took):
            start = acevec.processor_seconds()
            acevec.call(command)
            with open(took, "w", encoding="utf-8") as stream:
                stream.write(f"{acevec.processor_seconds() - start:.3f}")
        with open(took, encoding="utf-8") as stream:
            return float(stream.read())

    def trained(self, path, command):
        """Return the seconds that acevec takes to learn the file at path from the text."""
        return self.timed(path, [self.program, *command, "-train", self.options.corpus, "-output",
                                 path, "-tokens", "words", "-debug", "0"])

    def sent2vec(self, model):
        """Return a function from sentences to sent2vec's vectors, and the seconds of its training."""
        program, tokens = self.options.sent2vec, os.path.join(self.scratch, "tokens.txt")
        if not os.path.exists(tokens):
            with open(tokens + ".part", "wb") as stream:
                subprocess.run([self.program, "text", self.options.corpus, "-split", "sentences",
                                "-tokens", "words"], stdout=stream, check=True)
            os.rename(tokens + ".part", tokens)
        seconds = self.timed(model, [program, "sent2vec", "-input", tokens, "-output", model, "-dim",
                                     str(self.options.size), "-thread",
                                     str(len(os.sched_getaffinity(0))), *SENT2VEC])
        return lambda sentences: sent2vec_vectors(program, model, sentences), seconds

    def word_vectors(self, size, seed):
        """Return the path of word vectors of the text, and the seconds they took."""
        options = self.options.word_options.split()
        path = os.path.join(self.scratch, f"words-{size}-{seed}{''.join(options)}.npy")
        return path, self.trained(path, ["-size", str(size), "-seed", str(seed), *options])

    def encoder(self, row, seed):
        """Return a function from sentences to vectors, and the seconds of its training."""
        if row == "tfidf":
            return tfidf, 0.0
        if row == "sent2vec":
            return self.sent2vec(self.model(row, seed))
        tied = row in ("mean", "unit", *MEANS)
        size = self.options.size if tied else self.options.size // 2
        vectors, seconds = ((None, 0.0) if row.startswith("random") else
                            self.word_vectors(size, seed))
        if row in ("mean", "unit"):
            return lambda sentences: mean_vectors(vectors, sentences, row == "unit"), seconds
        model = self.model(row, seed)
        if row in MEANS:
            seconds += self.trained(model, ["sentence", *MEANS[row], "-init", vectors])
            return lambda sentences: encoded(self.program, model, sentences), seconds
        seconds += self.trained(model, [
            "sentence", "-split", "sentences", "-size", str(size), "-seed", str(seed),
            *(["-init", vectors] if vectors else []),
            *acevec.with_options(ROWS[row], [] if tied or row.startswith("random")
                                 else self.options.flags)])
        return lambda sentences: encoded(self.program, model, sentences), seconds

    def model(self, row, seed):
        """Where a row's model is."""
        return os.path.join(self.scratch, f"{row}-{seed}.model")

    def make(self, setting):
        encode, seconds = self.encoder(setting["row"], setting["seed"])
        result = dict.fromkeys(("agnews", "agnews_centroid", "sts", *HELD_COLUMNS))
        result["seconds"] = seconds
        for task in TASKS:
            sentences, classes = read_task(task_path(task))
            result[task], result[f"{task}_centroid"] = accuracies(encode(sentences), sentences,
                                                                  classes)
        if setting["row"] != "tfidf":
            result["agnews"], result["agnews_centroid"] = split_accuracies(encode, read_news())
            result["sts"] = agreement(encode, shared_data("sts", "sts-dev.tsv"))
            if self.options.held:
                result.update(self.held(encode))
        self.forget(self.model(setting["row"], setting["seed"]))
        return result

    def held(self, encode):
        """Return the scores on the sets of --held."""
        scores = {"sts_test": agreement(encode, os.path.join(self.options.held, "sts-test.tsv"))}
        for task, names in HELD.items():
            known, test = (read_task(os.path.join(self.options.held, name)) for name in names)
            scores[task], _ = split_accuracies(encode, (*known, *test))
        return scores

    def forget(self, model):
        """Remove a model, of which there are many and large ones, unless they are to be kept."""
        for path in (model, model + ".json", model + ".bin", model + ".vec", model + ".seconds"):
            if not self.options.work and os.path.exists(path):
                os.remove(path)

    def neighbours(self, path):
        """Write the nearest of 100,000 sentences to each query, from mean, bag and gru."""
        split = subprocess.Popen([self.program, "text", self.options.corpus, "-split", "sentences"],
                                 stdout=subprocess.PIPE)
        lines = []
        for line in split.stdout:
            if line.strip():
                lines.append(line.decode(errors="replace").strip())
            if len(lines) == 100000:
                break
        split.stdout.close()
        split.kill()
        split.wait()
        with open(path, "w", encoding="utf-8") as out:
            for row in ("mean", "bag", "gru"):
                encode, _ = self.encoder(row, 1)
                vectors = encode(lines + list(QUERIES))
                vectors = vectors - vectors.mean(0)
                vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
                for query, vector in zip(QUERIES, vectors[len(lines):]):
                    cosines = vectors[:len(lines)] @ vector
                    for at in np.argsort(-cosines)[:5]:
                        out.write(f"{row}\t{query}\t{cosines[at]:.3f}\t{lines[at]}\n")


def parse_arguments():
    parser = Parser(description=__doc__)
    parser.add_argument("--corpus", metavar="FILE", help="paragraphs, one a line; default: the "
                        "articles of Wikipedia in ../shared/data",
                        default=shared_data("corpus", "enwiki-articles.txt.gz"))
    parser.add_argument("--rows", help="default: all, sent2vec if its program is given")
    parser.add_argument("--seeds", type=count, default=3, help="default: 3")
    parser.add_argument("--size", type=count, default=600, help="coordinates; default: 600")
    parser.add_argument("--out", default=os.path.join(RESULTS, "sentences.tsv"),
                        help="default: %(default)s")
    parser.add_argument("--work", metavar="DIR", help="keep word vectors and models here for the next "
                        "start: 10 GB for all")
    parser.add_argument("--word-options", metavar="'OPTION VALUE ...'", default="",
                        help="options for the training of word vectors")
    parser.add_argument("--sent2vec", metavar="PROGRAM", help="of epfml/sent2vec")
    parser.add_argument("--held", metavar="DIR", help="of " + ", ".join(
        (*HELD["sst2"], *HELD["trec"], "sts-test.tsv")) + ": score rows on them too")
    parser.add_argument("--neighbours", metavar="FILE", help="write nearest sentences too")
    parser.add_argument("flags", nargs="*", metavar="OPTION",
                        help="after --: options of acevec sentence for all bags")
    options = parser.parse_args()
    options.rows = options.rows or ",".join(
        row for row in ROWS if row != "sent2vec" or options.sent2vec)
    return options


def main():
    options = parse_arguments()
    for folder, name in (("sent", TASKS["mr"]), ("sts", "sts-dev.tsv")):
        if not os.path.exists(shared_data(folder, name)):
            raise UserError(f"the tasks are not in ../shared/data/{folder}; put them there")
    with tempfile.TemporaryDirectory(prefix="acevec-sentences-") as scratch:
        if options.work:
            os.makedirs(options.work, exist_ok=True)
        experiment = Experiment(options, options.work or scratch)
        rows = grid.complete(experiment.plan(), experiment.make, Table(options.out, COLUMNS, {
            "corpus": os.path.basename(options.corpus)}))
        if options.neighbours:
            experiment.neighbours(options.neighbours)
    show(rows)
    return 0


def show(rows):
    """Print each row's accuracies in the mean over seeds, and the interval of their mean."""
    print("row", *ALL_TASKS, "sts", *HELD_COLUMNS, "mean of 4", "+-", "seconds", sep="\t")
    for name in dict.fromkeys(row["row"] for row in rows):
        runs = [row for row in rows if row["row"] == name]
        scores = np.array([[float(run[task]) for task in TASKS] for run in runs])
        # Of sentences drawn anew, and of seeds where there are several.
        spread = sum(scores[:, k].mean() * (100 - scores[:, k].mean()) / len(read_task(task_path(task))[0])
                     for k, task in enumerate(TASKS)) / len(TASKS) ** 2
        if len(runs) > 1:
            spread += scores.mean(1).var(ddof=1) / len(runs)
        others = ([float(run[column]) for run in runs if run[column]]
                  for column in ("agnews", "sts", *HELD_COLUMNS))
        print(name, *(f"{score:.1f}" for score in scores.mean(0)),
              *(f"{np.mean(known):.1f}" if known else "" for known in others),
              f"{scores.mean():.2f}",
              f"{1.96 * np.sqrt(spread):.2f}",
              f"{np.mean([float(run['seconds']) for run in runs]):.0f}", sep="\t")
    print(PUBLISHED.strip())


if __name__ == "__main__":
    run(main)
