#!/usr/bin/env python3
"""Which noise gives the best vectors for classifying texts: Figures 6 and 7 of Kekeç et al. 2019.

AG News: headlines and first sentences of four classes (world, sports, business, science and
technology). A text is the mean of its words' vectors, which stay as they were trained; a multi-layer
perceptron with one hidden layer of logistic units, stochastic gradient descent and an adaptive rate
learns the class from it. Reported is the macro F1 x100 on the test texts, against hidden units. Each
seed has vectors of its own and a perceptron of its own, so the spread is that of both.

The paper trains on AG News's 120,000 texts. Here the default is a file of 10,000 of them, noisy
samples of which the true labels (its column gt) are taken; --train takes the full file as well.

Words are lower-cased runs of a-z with digits spelled out, as in the corpus that the vectors are
trained on; markup and entities are left out. Inputs are scaled to unit variance. Every result is a
row of the table --out as soon as it is there; a restarted script continues where it was.
Writes TABLE.png, and TABLE-tsne.png: t-SNE of test texts, with the share of the ten nearest
neighbours in the picture that have a text's own class.
"""

import os

from lib import interpreter

for library in ("OPENBLAS", "OMP"):  # one thread is enough for small matrices
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", "sklearn")

import csv
import re
import shlex
import tempfile
import unicodedata
import warnings
from functools import lru_cache
from statistics import mean
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.manifold import TSNE
from sklearn.metrics import f1_score
from sklearn.neighbors import NearestNeighbors
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lib import acevec, grid, plots, stats
from lib.cli import Parser, UserError, count, numbers, run
from lib.noises import NOISES, noise_names
from lib.tables import Table
from lib.texts import RESULTS, ROOT, add_corpus_option, find_corpus, shared_data
from lib.vectors import load_vectors

CLASSES = ("world", "sports", "business", "sci/tech")
COLUMNS = ("noise", "flags", "seed", "hidden", "macro_f1", "accuracy")
FILES = {"train": "noisy_samples10000valMed.csv", "test": "test.csv"}
DIGITS = "zero one two three four five six seven eight nine".split()
NEIGHBOURS = 10


class Texts(NamedTuple):
    """Texts as lists of words, and their classes, 0..3."""

    words: list
    classes: np.ndarray


def words_of(text):
    """The words of a text, as the corpus has them."""
    text = re.sub(r"&lt;.*?&gt;|<[^<>]*>", " ", text)  # tags
    text = re.sub(r"&?#?\w{2,6};", " ", text)          # entities, some without their &
    text = unicodedata.normalize("NFKD", text.replace("\\", " ")).lower()
    text = re.sub(r"[0-9]", lambda digit: f" {DIGITS[int(digit[0])]} ", text)
    return re.findall("[a-z]+", re.sub("[\u0300-\u036f]", "", text))


def read_texts(path):
    """Read AG News; return Texts.

    Either rows of class (1-4), title, description, or a header with the columns gt (class, 0-3) and
    text. Raises UserError for anything else.
    """
    with open(path, encoding="utf-8", errors="replace", newline="") as stream:
        rows = list(csv.reader(stream))
    try:
        if "gt" in rows[0]:
            label, text = rows[0].index("gt"), rows[0].index("text")
            pairs = [(int(row[label]), row[text]) for row in rows[1:]]
        else:
            pairs = [(int(row[0]) - 1, " ".join(row[1:])) for row in rows]
        if not {0, 1} <= {one for one, _ in pairs} <= {0, 1, 2, 3}:
            raise ValueError
    except (IndexError, ValueError):
        raise UserError(f"{path}: not AG News; give rows of class (1-4), title and description, or "
                        "columns gt (0-3) and text with a header") from None
    return Texts([words_of(text) for _, text in pairs], np.array([one for one, _ in pairs]))


def find_texts(options):
    """Return (training, test) Texts; training texts that are test texts too are left out."""
    places = [shared_data("agnews"), os.path.join(ROOT, "data", "agnews")]
    folder = next((place for place in [options.data or "", *places] if os.path.isdir(place)), None)
    paths = {}
    for name, file in FILES.items():
        paths[name] = getattr(options, name) or (folder and os.path.join(folder, file))
        if not paths[name] or not os.path.exists(paths[name]):
            raise UserError(f"found no {paths[name] or file}; give --data DIR with {FILES['train']} "
                            f"and {FILES['test']}, or --train FILE and --test FILE, rows of class "
                            "(1-4), title and description")
    train, test = read_texts(paths["train"]), read_texts(paths["test"])
    tested = {" ".join(words) for words in test.words}
    kept = [i for i, words in enumerate(train.words) if " ".join(words) not in tested]
    return Texts([train.words[i] for i in kept], train.classes[kept]), test


def mean_vectors(texts, words, matrix):
    """The mean of the vectors of each text's words, those known; zeros where none is."""
    row = {word: i for i, word in enumerate(words)}
    means = np.zeros((len(texts.words), matrix.shape[1]))
    for text, mean_vector in zip(texts.words, means):
        known = [row[word] for word in text if word in row]
        if known:
            mean_vector[:] = matrix[known].mean(0)
    return means


def perceptron(hidden, seed):
    """The classifier: scaled inputs, one layer of logistic units, SGD until nothing is gained."""
    return make_pipeline(StandardScaler(), MLPClassifier(
        (hidden,), activation="logistic", solver="sgd", learning_rate="adaptive",
        learning_rate_init=0.1, batch_size=100, early_stopping=True, n_iter_no_change=5,
        max_iter=100, random_state=seed))


def classify(train, test, classes, hidden, seed):
    """Train on (inputs, classes) and return (macro F1, accuracy) on test inputs, both x100."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # max_iter is enough to compare
        found = perceptron(hidden, seed).fit(*train).predict(test)
    return (100 * float(f1_score(classes, found, average="macro")),
            100 * float(np.mean(found == classes)))


class Experiment:
    """Vectors of every noise and seed, and what they are worth."""

    def __init__(self, options, corpus, scratch):
        self.options, self.corpus = options, corpus
        self.train, self.test = find_texts(options)
        self.wanted = {word for texts in (self.train, self.test) for words in texts.words
                       for word in words}
        self.program = acevec.find_acevec()
        self.folder = options.vectors or scratch
        os.makedirs(self.folder, exist_ok=True)

    def flags(self, noise):
        """What acevec is given beside the files and the seed."""
        return f"-size {self.options.size} -iter {self.options.iter} -threads 1 {noise.flags}"

    def plan(self):
        """The results that are wanted, in their order."""
        return [{"noise": noise.name, "flags": self.flags(noise), "seed": seed, "hidden": hidden}
                for seed in self.options.seeds for noise in self.options.noises
                for hidden in self.options.hidden]

    @lru_cache(maxsize=1)  # results with one noise and seed follow each other
    def inputs(self, noise, seed):
        """Inputs of the training and of the test texts, with vectors trained if there are none."""
        name = f"{noise.name} {self.options.size} {self.options.iter} {seed}.bin"
        path = os.path.join(self.folder, name.replace(" ", "-"))
        if not os.path.exists(path):
            acevec.measure([self.program, "-train", self.corpus, "-output", path, "-seed", str(seed),
                            *shlex.split(self.flags(noise))], path + ".log")
        words, matrix = load_vectors(path, self.wanted)
        return [mean_vectors(texts, words, matrix) for texts in (self.train, self.test)]

    def make(self, which):
        """Learn the classes with the vectors of a noise; return the row's other columns."""
        noise = next(one for one in self.options.noises if one.name == which["noise"])
        train, test = self.inputs(noise, which["seed"])
        return dict(zip(COLUMNS[-2:], classify((train, self.train.classes), test, self.test.classes,
                                               which["hidden"], which["seed"])))

    def picture(self, path):
        """t-SNE of some test texts, a panel a noise, with the first seed's vectors."""
        seed = self.options.seeds[0]
        chosen = np.random.default_rng(seed).permutation(len(self.test.classes))[:self.options.tsne]
        classes = self.test.classes[chosen]
        noises = self.options.noises
        columns = (len(noises) + 1) // 2
        figure, panels = plots.panels(2, columns, 3.6 * columns, 7.4)
        for panel, noise in zip(panels.flat, noises):
            scaled = StandardScaler().fit_transform(self.inputs(noise, seed)[1][chosen])
            places = TSNE(init="pca", learning_rate="auto", random_state=seed,
                          perplexity=min(30, len(chosen) / 4)).fit_transform(scaled)
            for number, name in enumerate(CLASSES):
                panel.plot(*places[classes == number].T, ".", markersize=3,
                           color=plots.colour(number), label=name)
            share = 100 * own_class(places, classes)
            panel.set_title(f"{noise.name}: {share:.1f} % of one class", fontsize=10)
            panel.set(xticks=[], yticks=[])
        plots.legend(figure, panels[0][0], markerscale=3, title=f"a point is a text, in the colour of its "
                     f"class; above: the share of its {NEIGHBOURS} nearest points that have its class")
        plots.save(figure, path)


def own_class(places, classes):
    """The share of each point's nearest neighbours that have its class, in the mean."""
    nearest = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(places).kneighbors(return_distance=False)
    return float(np.mean(classes[nearest] == classes[:, None]))


def groups_of(rows, options):
    """{noise: {hidden: {seed: macro F1}}} of the noises, seeds and hidden units asked for."""
    groups = {noise.name: {hidden: {} for hidden in options.hidden} for noise in options.noises}
    for row in rows:
        group = groups.get(row["noise"], {}).get(int(row["hidden"]))
        if group is not None and row["seed"] in options.seeds:
            group[row["seed"]] = row["macro_f1"]
    return groups


def summarise(groups):
    """Print a line a noise: mean and deviation of each width, and the difference to the first."""
    first = next(iter(groups.values()))
    print("noise", *first, "mean difference to the first [95 %]", sep="\t")
    for name, widths in groups.items():
        cells = [stats.mean_text(f1.values(), 2) for f1 in widths.values()]
        seeds = next(iter(widths.values()))
        # One number a seed, the mean over the widths: widths share vectors and are not independent.
        differences = [mean(widths[hidden][seed] - first[hidden][seed] for hidden in widths)
                       for seed in seeds]
        print(name, *cells, "" if widths is first else stats.difference(differences), sep="\t")


def plot(groups, path):
    """Macro F1 against hidden units, a curve a noise."""
    figure, ((panel,),) = plots.panels(1, 1, 6.5, 4.2)
    for number, (name, widths) in enumerate(groups.items()):
        # Beside each other, so that the bars can be told apart.
        shift = 1.02 ** (number - len(groups) / 2)
        plots.curve_of_means(panel, number, name, [hidden * shift for hidden in widths],
                             [list(f1.values()) for f1 in widths.values()])
    widths = list(next(iter(groups.values())))
    plots.axes(panel, xscale="log", xlabel="hidden units", ylabel="macro F1 x100", xticks=widths,
               xticklabels=widths)
    panel.minorticks_off()
    plots.legend(figure, panel, columns=3, title="mean and standard deviation over the seeds")
    plots.save(figure, path)


def parse_arguments():
    parser = Parser(description=__doc__)
    add_corpus_option(parser)
    add = parser.add_argument
    add("--data", metavar="DIR", help=f"has {FILES['train']} and {FILES['test']}; default: "
        "../shared/data/agnews or data/agnews")
    add("--train", metavar="FILE", help="training texts, in place of --data's")
    add("--test", metavar="FILE", help="test texts, in place of --data's")
    add("--noises", type=noise_names, default=NOISES["sizes"], metavar="NAME,..",
        help="those of noise_word.py; the first is the baseline "
        f"({','.join(noise.name for noise in NOISES['sizes'])})")
    add("--size", type=count, default=100, metavar="N", help="of the vectors (100)")
    add("--iter", type=count, default=2, metavar="N", help="epochs of the vectors' training (2)")
    add("--hidden", type=numbers, default=[5, 10, 30, 100, 300], metavar="N,..",
        help="hidden units (5,10,30,100,300)")
    add("--seeds", type=numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    add("--tsne", type=count, default=1000, metavar="N", help="texts in the t-SNE picture (1000)")
    add("--vectors", metavar="DIR", help="keep trained vectors here and take them from here; by "
        "default they are not kept")
    add("--out", metavar="FILE.tsv", default=os.path.join(RESULTS, "agnews.tsv"),
        help="table (eval/results/agnews.tsv)")
    return parser.parse_args()


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="acevec-agnews-") as scratch:
        corpus = find_corpus(options.corpus, scratch)
        experiment = Experiment(options, corpus, scratch)
        rows = grid.complete(experiment.plan(), experiment.make, Table(options.out, COLUMNS, {
            "corpus": os.path.basename(corpus),
            "texts": f"{len(experiment.train.classes)} to train on, "
                     f"{len(experiment.test.classes)} to test on"}))
        groups = groups_of(rows, options)
        summarise(groups)
        plain = os.path.splitext(options.out)[0]
        plot(groups, plain + ".png")
        experiment.picture(plain + "-tsne.png")
    return 0


if __name__ == "__main__":
    run(main)
