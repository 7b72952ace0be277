#!/usr/bin/env python3
"""Ways to choose negatives for metric learning, on MNIST: bose-2018, section 5.1 and figures 2 to 7.

Trains `acevec metric` for each way and seed, and writes into the folder of results

    metric.tsv          a row a run: accuracy of 5 neighbours and of class means, Recall@1 and 5, and
                        what 97 % took; what the pictures claim, as numbers, of the last epoch
    metric-curves.tsv   a row an epoch of each run: accuracy on the test, losses, chosen negatives
    metric.png          accuracy against epochs and seconds
    metric-tsne.png     with --pictures: t-SNE of 2,000 points at every second epoch, coloured by
                        class, with the chosen negatives in black, for hardest and learned; each layout
                        starts from the one before, so that epochs can be compared

and then prints means over the seeds. Nothing is chosen by the test: runs have a fixed length. What
the pictures claim: how far chosen negatives lie from the anchor against its positive (the ratio of
the median distances), which share of them has neighbours of more than one class among its 10
nearest of 10,000 training points, against the same of all points, and what they cost. Runs that are
in metric.tsv already are not made again. --data digits needs no download: scikit-learn's digits,
through .npy. ACEVEC is the program, build/acevec when not given.
"""

import glob
import os
import subprocess
import tempfile

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "sklearn", "matplotlib")

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.neighbors import NearestNeighbors

from lib import acevec, grid, plots, stats, tables
from lib.cli import Parser, UserError, count, run
from lib.texts import RESULTS, shared_data

WAYS = ("uniform", "hardest", "semi-hard", "uncertain", "critic", "learned")
# Chosen on a part of the training set: see docs/experiments/metric.md.
COMMON = {"mnist": ["-shift", "1"], "digits": ["-hidden", "256,128", "-batch", "128"]}
OWN = {way: [] for way in WAYS}
NAMES = ("way", "seed")
SCORES = ("knn", "means", "recall1", "recall5")
CLAIMS = ("distance_ratio", "mixed", "mixed_of_all", "chosen_loss")
COLUMNS = (*SCORES, "seconds", "epochs_to_97", "triplets_to_97", "seconds_to_97", *CLAIMS)
NEIGHBOURS, SAMPLE, DRAWN = 10, 10000, 2000


def prepare(data, mnist, folder):
    """Return the options that name the points and labels of training and test."""
    if data == "mnist":
        files = [os.path.join(mnist, f"{part}-{what}-ubyte.gz") for part in ("train", "t10k")
                 for what in ("images-idx3", "labels-idx1")]
        if not os.path.exists(files[0]):
            raise UserError(f"found no MNIST in {mnist}; give --mnist FOLDER (data/get-mnist.sh "
                            "fetches it) or --data digits")
    else:
        digits = load_digits()
        test = np.random.RandomState(1).permutation(len(digits.target)) < 360
        files = []
        for name, part in (("train", ~test), ("test", test)):
            for what, values in (("x", digits.images), ("y", digits.target)):
                files.append(os.path.join(folder, f"{name}-{what}.npy"))
                np.save(files[-1], np.ascontiguousarray(values[part]))
    names = ("-train", "-labels", "-valid", "-valid-labels")
    return [word for pair in zip(names, files) for word in pair]


def labels_of(path):
    """The labels of an IDX file, gzip, or an .npy file."""
    if path.endswith(".npy"):
        return np.load(path)
    packed = subprocess.run(["gzip", "-dc", path], stdout=subprocess.PIPE, check=True).stdout
    return np.frombuffer(packed, np.uint8, offset=8)


class Experiment:
    """What all runs share."""

    def __init__(self, options, folder):
        self.program, self.options, self.folder = acevec.find_acevec(), options, folder
        self.files = prepare(options.data, options.mnist, folder)
        self.labels = labels_of(self.files[3])

    def train(self, way, seed, folder):
        """Train into the folder, with a snapshot an epoch; return (log, triplets, epochs)."""
        log, triplets = (os.path.join(folder, name) for name in ("log.tsv", "triplets.tsv"))
        own = [*COMMON[self.options.data], *OWN[way]]
        units = str(len(self.labels))
        acevec.call([self.program, "metric", *self.files, "-ace-sampler", way, "-seed", str(seed),
                     "-output", os.path.join(folder, "m.model"), "-log", log, "-triplets", triplets,
                     "-save-every", units, "-debug", "0",
                     *acevec.with_options(own, self.options.options)])
        return tables.typed(tables.texts(log)), tables.typed(tables.texts(triplets))

    def encode(self, model, folder):
        """The vectors of all training points."""
        path = os.path.join(folder, "v.npy")
        acevec.call([self.program, "metric", "encode", model, "-points", self.files[1], "-output",
                     path])
        return np.load(path)

    def make(self, setting):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            log, triplets = self.train(setting["way"], setting["seed"], folder)
            model = os.path.join(folder, "m.model")
            said, _ = acevec.call([self.program, "metric", "eval", model, *self.files[:4], "-test",
                                   self.files[5], "-test-labels", self.files[7]])
            scores = dict(zip(SCORES, said.split("\n")[1].split("\t")[1:]))
            curve = epochs_of(log, len(self.labels))
            reached = next((row for row in curve if row["valid_accuracy"] >= 0.97), None)
            last = [row for row in triplets if row["epoch"] == triplets[-1]["epoch"]]
            claims = self.claims(self.encode(model, folder), last)
        row = {**scores, "seconds": curve[-1]["seconds"],
               "epochs_to_97": reached and reached["epochs"],
               "triplets_to_97": reached and reached["points"],
               "seconds_to_97": reached and reached["seconds"], **claims}
        return row, curve

    def claims(self, vectors, triplets):
        """What the pictures claim, of chosen negatives in a space of training points."""
        sample = np.random.RandomState(1).permutation(len(vectors))[:SAMPLE]
        search = NearestNeighbors(n_neighbors=NEIGHBOURS + 1).fit(vectors[sample])

        def mixed(points):
            _, near = search.kneighbors(vectors[points])
            classes = self.labels[sample][near]
            return float((classes != classes[:, :1]).any(1).mean())

        median = {side: np.median([row[f"{side}_distance"] for row in triplets]) ** 0.5
                  for side in ("positive", "negative")}
        chosen = np.array([int(row["negative"]) for row in triplets])
        return {"distance_ratio": float(median["negative"] / max(median["positive"], 1e-9)),
                "mixed": mixed(chosen), "mixed_of_all": mixed(sample[:2000]),
                "chosen_loss": float(np.mean([row["loss"] for row in triplets]))}

    def pictures(self, path):
        """t-SNE of every second epoch, for hardest and learned."""
        ways = ("hardest", "learned")
        layouts = {}
        for way in ways:
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                _, triplets = self.train(way, 1, folder)
                models = sorted(glob.glob(os.path.join(folder, "m-*.model")))
                models.append(os.path.join(folder, "m.model"))
                shown = list(range(1, min(len(models), 10), 2))
                # The same points at every epoch, and the negatives that were chosen there.
                others = np.random.RandomState(1).permutation(len(self.labels))[:DRAWN]
                chosen = {at: np.unique([int(row["negative"]) for row in triplets
                                         if row["epoch"] == at + 1])[:200] for at in shown}
                points = np.unique(np.concatenate([others, *chosen.values()]))
                place = np.full(len(self.labels), -1)
                place[points] = np.arange(len(points))
                start, panels = None, []
                for at in shown:
                    vectors = self.encode(models[at], folder)[points]
                    if start is None:
                        start = PCA(2, random_state=1).fit_transform(vectors)
                    layout = TSNE(init=1e-4 * start / start.std(0)[0], learning_rate="auto",
                                  random_state=1).fit_transform(vectors)
                    panels.append((at + 1, layout, place[chosen[at]]))
                    start = layout
                layouts[way] = (points, panels)
        figure, grid_of_panels = plots.panels(len(ways), len(panels), 3 * len(panels), 6)
        for row, way in zip(grid_of_panels, ways):
            points, panels = layouts[way]
            for panel, (epoch, layout, chosen) in zip(row, panels):
                for number, label in enumerate(np.unique(self.labels)):
                    panel.scatter(*layout[self.labels[points] == label].T, color=f"C{number}", s=2,
                                  linewidths=0, label=label)
                panel.scatter(*layout[chosen].T, c="black", s=4, marker="x", linewidths=0.6,
                              label="chosen as a negative in the last four batches of the epoch")
                panel.set(title=f"{way}, epoch {epoch}", xticks=[], yticks=[])
        plots.legend(figure, panel, columns=11, markerscale=4,
                     title="t-SNE of training points, in the colour of their class; axes have no unit")
        plots.save(figure, path)


def epochs_of(log, points):
    """A row for each epoch of a log: the evaluation, and the means of the epoch."""
    rows, parts, before = [], [], 0
    for row in log:
        parts.append((row["points"] - before, row))
        before = row["points"]
        if row["valid_accuracy"] in (None, ""):
            continue
        total = sum(count for count, _ in parts)
        rows.append({"epochs": round(row["points"] / points),
                     **{name: row[name] for name in ("points", "seconds", "valid_accuracy")},
                     **{name: sum(count * part[name] for count, part in parts) / total
                        for name in ("loss", "positive_distance", "negative_distance", "active")}})
        parts = []
    return rows


def plot(curves, path):
    """Accuracy on the test against epochs and seconds, of seed 1."""
    figure, ((left, right),) = plots.panels(1, 2, 10, 4.2)
    for number, way in enumerate(WAYS):
        rows = tables.typed(grid.pick([{"way": way, "seed": 1}], curves))
        for panel, x in ((left, "epochs"), (right, "seconds")):
            plots.curve(panel, rows, x, "valid_accuracy", (1, 100), label=way,
                        **plots.style(number))
    for panel, x in ((left, "epochs"), (right, "seconds of training")):
        plots.axes(panel, "5 nearest neighbours, test", xlabel=x, ylabel="accuracy, %",
                   ylim=(95, 99.2))
    plots.legend(figure, left, columns=6, title="-ace-sampler, one run of each")
    plots.save(figure, path)


def digits_of(name):
    return 1 if name.startswith(("seconds", "epochs", "triplets")) else 4


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--data", choices=("mnist", "digits"), default="mnist", help="default: mnist")
    add("--mnist", metavar="FOLDER", default=shared_data("mnist"),
        help="MNIST's four files (default: ../shared/data/mnist)")
    add("--seeds", type=count, default=3, metavar="N", help="runs of each (default 3)")
    add("--ways", default=",".join(WAYS), help="default: %(default)s")
    add("--results", metavar="FOLDER", default=RESULTS)
    add("--pictures", action="store_true", help="draw t-SNE, which takes minutes")
    add("options", nargs="*", help="more options for every run, after --")
    chosen = parser.parse_args()
    ways = chosen.ways.split(",")
    if set(ways) - set(WAYS):
        raise UserError(f"--ways has another name than {','.join(WAYS)}")
    stem = os.path.join(chosen.results, "metric" if chosen.data == "mnist" else "metric-digits")
    table = tables.Table(stem + ".tsv", NAMES + COLUMNS, {
        "data": chosen.data, "options": " ".join(chosen.options) or None})
    with tempfile.TemporaryDirectory(prefix="acevec-metric-") as folder:
        experiment = Experiment(chosen, folder)
        plan = [{"way": way, "seed": seed} for seed in range(1, chosen.seeds + 1) for way in ways]
        rows = grid.complete(plan, experiment.make, table, stem + "-curves.tsv")
        plot(tables.texts(stem + "-curves.tsv"), stem + ".png")
        if chosen.pictures:
            experiment.pictures(stem + "-tsne.png")
    known = [name for name in COLUMNS if all(row[name] is not None for row in rows)]
    print(*stats.summary(rows, NAMES[:1], known, digits_of), sep="\n")
    return 0


if __name__ == "__main__":
    run(main)
