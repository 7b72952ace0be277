#!/usr/bin/env python3
"""Order embeddings and cones of WordNet's nouns from direct edges and a part of what follows.

The protocol of Ganea, Bécigneul and Hofmann 2018 (Hyperbolic Entailment Cones, section 5): the
nouns' transitive closure without the root, whose direct edges, those that follow from no others, are
always learned from. Of the other pairs 5 % are for validation and 5 % for the test, each with ten negatives, five with either side
replaced, none of them true; a part of the rest, 0, 10, 25 or 50 % of all that are no direct edges, is
learned from too. F1 on the test is at the threshold with the best F1 on validation.

Trains `acevec order` for each fraction, setting and seed, and writes into the folder of results

    order-edges.tsv    a row a run: F1 on validation and test, times 100, precision, recall, seconds

and then prints means over the seeds beside the published table. Runs that are in it already are not
made again. ACEVEC is the program, build/acevec when not given.
"""

import os
import random
import re
import tempfile

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy")

import numpy

from lib import acevec, grid, stats, tables
from lib.cli import Parser, UserError, count, run
from lib.texts import RESULTS, ROOT

COMMON = ["-closure", "0", "-held-out", "0", "-negative", "10", "-report-every", "1000000"]
CONE = ["-geometry", "cone"]
SETTINGS = {"noise": [], "ace": ["-ace", "1"], "cone": CONE, "cone, ace": CONE + ["-ace", "1"],
            "ace, prior alone": ["-ace", "1", "-ace-sampler", "critic"],
            "noise, random start": ["-start", "random"]}
MAIN = tuple(SETTINGS)[:4]
FRACTIONS = (0, 10, 25, 50)
SIZES = (5, 10)
NEGATIVES = 10
# Table 1 there, test F1 by size: at 0, 10, 25 and 50 %.
PUBLISHED = {("order embeddings", 5): (37.6, 72.0, 81.6, 86.6),
             ("order embeddings", 10): (43.0, 69.7, 79.4, 84.1),
             ("hyperbolic cones", 10): (32.2, 85.9, 91.0, 94.4)}
NAMES = ("size", "fraction", "setting", "seed")
SCORES = ("valid", "test", "precision", "recall", "seconds")


def read_pairs(path):
    """The pairs of a table of two columns."""
    with open(path, encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t")) for line in file]


def without_root(closure):
    """The pairs without those of the concept that all are below."""
    above = {}
    for _, general in closure:
        above[general] = above.get(general, 0) + 1
    root = max(above, key=above.get)
    return [pair for pair in closure if pair[1] != root]


def direct_edges(closure):
    """The pairs that follow from no others: the transitive reduction."""
    above = {}
    for specific, general in closure:
        above.setdefault(specific, set()).add(general)
    direct = []
    for specific, generals in above.items():
        implied = set().union(*(above.get(general, ()) for general in generals))
        direct += [(specific, general) for general in sorted(generals - implied)]
    return direct


class Split:
    """Pairs to learn from for each fraction, and labelled ones for validation and test."""

    def __init__(self, folder, seed):
        path = os.path.join(folder, "closure.tsv")
        if not os.path.exists(path):
            acevec.call([os.path.join(ROOT, "data", "wordnet-hypernyms"), path])
        closure = without_root(read_pairs(path))
        self.direct = direct_edges(closure)
        known = set(closure)
        self.rest = sorted(known - set(self.direct))
        self.count = len(self.rest)
        rng = random.Random(seed)
        rng.shuffle(self.rest)
        held = self.count // 20
        concepts = sorted({concept for pair in closure for concept in pair})
        self.parts = [self.labelled(self.rest[begin:begin + held], known, concepts, rng)
                      for begin in (0, held)]
        self.rest = self.rest[2 * held:]

    @staticmethod
    def labelled(pairs, known, concepts, rng):
        """(pairs, their negatives)."""
        negatives = []
        for specific, general in pairs:
            for side in range(NEGATIVES):
                while True:
                    other = rng.choice(concepts)
                    pair = (other, general) if side % 2 else (specific, other)
                    if pair not in known and pair[0] != pair[1]:
                        break
                negatives.append(pair)
        return pairs, negatives

    def train(self, fraction):
        """What is learned from."""
        return self.direct + self.rest[:self.count * fraction // 100]


def order_penalties(specific, general):
    """E of rows of order embeddings."""
    return (numpy.maximum(0, general - specific) ** 2).sum(axis=1)


def cone_penalties(specific, general):
    """E of rows of cones: src/tasks/order/geometry.h."""
    above, below, apart = ((rows ** 2).sum(axis=1) for rows in (general, specific,
                                                                general - specific))
    apart = numpy.maximum(apart, 1e-12)
    cosine = ((below - above) * (1 - above) - apart * (1 + above)) / \
        (2 * numpy.sqrt(above * apart * (apart + (1 - above) * (1 - below))))
    aperture = numpy.minimum(1, 0.1 * (1 - above) / numpy.sqrt(above))
    return numpy.maximum(0, numpy.arccos(numpy.clip(cosine, -1, 1)) - numpy.arcsin(aperture))


def penalties(rows, vectors, pairs, penalty):
    """E of each pair; those with a concept that was never seen are not in order."""
    ids = numpy.array([(rows.get(x, -1), rows.get(y, -1)) for x, y in pairs])
    result = numpy.full(len(pairs), numpy.inf)
    seen = (ids >= 0).all(axis=1)
    result[seen] = penalty(vectors[ids[seen, 0]], vectors[ids[seen, 1]])
    return result


def best_threshold(true, false):
    """The penalty up to which holding pairs to be true has the best F1."""
    every = numpy.concatenate([true, false])
    order = numpy.argsort(every, kind="stable")
    hits = numpy.cumsum(order < len(true))
    scores = 2 * hits / (len(true) + numpy.arange(1, len(every) + 1))
    last = numpy.append(every[order][1:] != every[order][:-1], True)
    return every[order][numpy.argmax(numpy.where(last, scores, 0))]


def quality(true, false, threshold):
    """(F1, precision, recall), times 100."""
    hits, errors = (true <= threshold).sum(), (false <= threshold).sum()
    precision, recall = hits / max(hits + errors, 1), hits / len(true)
    return [100 * score for score in
            (2 * hits / (len(true) + hits + errors), precision, recall)]


def train(program, split, which, options):
    """One run's row."""
    with tempfile.TemporaryDirectory() as folder:
        pairs, output = (os.path.join(folder, name) for name in ("train.tsv", "vectors.npy"))
        with open(pairs, "w", encoding="utf-8") as file:
            file.writelines(f"{x}\t{y}\n" for x, y in split.train(which["fraction"]))
        own = COMMON + SETTINGS[which["setting"]]
        _, said = acevec.call(
            [program, "order", "-train", pairs, "-output", output, "-size", str(which["size"]),
             "-seed", str(which["seed"]), *acevec.with_options(own, options)])
        vectors = numpy.load(output).astype(float)
        with open(os.path.join(folder, "vectors.words"), encoding="utf-8") as file:
            rows = {name: row for row, name in enumerate(file.read().split())}
    seconds = re.search(r"^trained in ([\d.,]+) s", said, re.MULTILINE)
    if not seconds:
        raise UserError("acevec order did not say how long it trained")
    penalty = cone_penalties if "cone" in own else order_penalties
    valid, test = ([penalties(rows, vectors, pairs, penalty) for pairs in part]
                   for part in split.parts)
    threshold = best_threshold(*valid)
    scores = [quality(*valid, threshold)[0], *quality(*test, threshold)]
    return dict(zip(SCORES, [f"{score:.2f}" for score in scores] + [seconds[1]]))


def numbers(text):
    """The numbers between commas."""
    return [int(number) for number in text.split(",")]


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--seeds", type=count, default=3, metavar="N", help="splits, and runs of each (default 3)")
    add("--first-seed", type=count, default=1, metavar="N", help="(default 1)")
    add("--sizes", type=numbers, default=list(SIZES), metavar="N,..", help="(default 5,10)")
    add("--fractions", type=numbers, default=list(FRACTIONS), metavar="N,..")
    add("--settings", metavar="NAME;..", default=";".join(MAIN),
        help="of: " + "; ".join(SETTINGS) + " (default: the first four)")
    add("--results", metavar="FOLDER", default=RESULTS)
    add("options", nargs="*", help="more options for every run, after --")
    chosen = parser.parse_args()
    settings = chosen.settings.split(";")
    for name in settings:
        if name not in SETTINGS:
            raise UserError(f"no setting is called {name}; see --help")
    program = acevec.find_acevec()
    table = tables.Table(os.path.join(chosen.results, "order-edges.tsv"), NAMES + SCORES,
                         {"options": " ".join(chosen.options) or None})
    splits = {}
    with tempfile.TemporaryDirectory() as folder:

        def make(which):
            if which["seed"] not in splits:
                splits.clear()
                splits[which["seed"]] = Split(folder, which["seed"])
            return train(program, splits[which["seed"]], which, chosen.options)

        grid.complete([dict(zip(NAMES, (size, fraction, setting, seed)))
                       for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds)
                       for size in chosen.sizes
                       for fraction in chosen.fractions for setting in settings], make, table)
    print(*stats.summary(tables.read(table.path), NAMES[:3], SCORES), sep="\n")
    for (name, size), scores in PUBLISHED.items():
        print(f"published, {name}, size {size}, test F1 at {FRACTIONS} %: {scores}")
    return 0


if __name__ == "__main__":
    run(main)
