#!/usr/bin/env python3
"""Where adversarial negatives pay: each task without ACE, with it, and without it for the time of ACE.

Four ways of each task, with every seed, on one thread:

    without   the task's best setting without ACE
    ace       the same with ACE
    longer    the same as without, with more epochs, so that it takes about as long as with ACE
    other     as ace, with the other sampler: the learned generator for the critic, or the reverse

Every score of a run is a row of eval/results/where.tsv, with the processor seconds of training; what
is in the table is not run again. Printed are, for each score, the mean of `without`, the mean differences of `ace` to
`without`, `longer` and `other`, paired by seed, with their 95 % intervals, and the ratios of the seconds.

Tasks whose data is missing (../shared/data) are left out with a line. ACEVEC is the program.
"""

import os
import re
import shlex
import sys
import tempfile
from functools import partial
from statistics import fmean, median
from typing import Callable, NamedTuple

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy")

from lib import acevec, comparison, graphs, grid, sequences, stats, tables, texts
from lib.cli import Parser, UserError, numbers, run, say

sys.path.append(os.path.join(texts.ROOT, "eval"))
from papers import kg_time, order_edges
from tools import sequences as next_items

WAYS = ("without", "ace", "longer", "other")
OTHERS = tuple(way for way in WAYS if way != "ace")
COLUMNS = ("task", "way", "seed", "options", "measure", "score", "seconds")


class Task(NamedTuple):
    """What is trained, in which ways, and how it is scored."""

    scores: Callable  # of (options, seed, data, folder): {measure: score, larger is better}, seconds
    data: tuple       # parts of a path in ../shared/data; none: made from WordNet
    common: str
    ways: tuple       # options of each of WAYS but `other`
    other: str = "learned"  # the sampler that `ace` does not have; "": there is one only


def words(options, seed, data, folder):
    """Similarity of words; with n-grams of all pairs of RW, and by frequency on WordNet's pairs."""
    corpus, vectors = os.path.join(folder, "corpus"), os.path.join(folder, "v.bin")
    if not os.path.exists(corpus):
        os.symlink(texts.unpacked(data, folder), corpus)
    model = os.path.join(folder, "v.ft") if "-maxn" in options else None
    _, seconds = timed("-train", corpus, "-output", vectors, "-seed", str(seed), *options,
                       *(["-output-model", model] if model else []))
    sets = texts.find_sets(None, comparison.SETS)
    found = acevec.quality(vectors, sets)
    scores = {"mean of six sets": fmean(found[name] for name in comparison.MEAN_OF), "RW": found["rw"]}
    if model:
        scores["RW, all pairs"] = acevec.quality_of_all(model, sets)["rw"]
    return {**scores, **acevec.quality(vectors, wordnet_pairs(corpus, folder))}, seconds


def wordnet_pairs(corpus, folder):
    """Pairs of WordNet's nouns by the frequency of the rarer word, made once."""
    bands = {"rare nouns": ("--most", "150"), "frequent nouns": ("--least", "1500")}
    paths = [os.path.join(folder, f"{name}.tsv") for name in bands]
    vocabulary = os.path.join(folder, "vocabulary")
    if not os.path.exists(paths[-1]):
        acevec.call([acevec.find_acevec(), "-train", corpus, "-save-vocab", vocabulary, "-debug", "0"])
        for path, band in zip(paths, bands.values()):
            acevec.call([os.path.join(texts.ROOT, "data", "wordnet-pairs"), vocabulary, path, *band])
    return paths


def items(options, seed, data, folder):
    """The next item of histories, as eval/tools/sequences.py asks for it."""
    found = sequences.read(data)
    before = acevec.processor_seconds()
    vectors, contexts, known, _ = next_items.train(acevec.find_acevec(), found, shlex.join(options), seed, 1,
                                                   folder)
    seconds = acevec.processor_seconds() - before
    asked = sequences.questions(found, "test")
    shares = sequences.weights(asked.histories, known, 0.7)
    ranks = sequences.ranks(asked, known, sequences.cube_scores(shares, vectors, contexts))
    return {"HR@10": sequences.summary(ranks)["hr10"]}, seconds


def graph(options, seed, data, folder):
    """Filtered ranks of test triples."""
    said, seconds = timed("kg", *graphs.options_of(data), "-output", os.path.join(folder, "kg"), "-seed", str(seed), *options)
    found = re.search(kg_time.SCORE_LINE.format("test"), said, re.MULTILINE)
    return {"MRR": 100 * float(found["mrr"]), "Hits@10": 100 * float(found["hits10"])}, seconds


def hierarchy(percent, options, seed, _, folder):
    """F1 of pairs of WordNet's nouns that follow from others, of which so many percent are learned from."""
    split = order_edges.Split(folder, seed)
    before = acevec.processor_seconds()
    row = order_edges.train(acevec.find_acevec(), split,
                            {"size": 10, "fraction": percent, "setting": "noise", "seed": seed},
                            ["-threads", "1", *options])
    return {"F1": float(row["test"])}, acevec.processor_seconds() - before


def sentences(options, seed, data, folder):
    """Cosines of the pairs of the STS benchmark, with vectors of a bag that was trained on the text."""
    model = os.path.join(folder, "s.model")
    _, seconds = timed("sentence", "-train", data, "-output", model, "-seed", str(seed), *options)
    pairs = [texts.shared_data("sts", f"sts-{part}.tsv") for part in ("dev", "train")]
    said, _ = acevec.call([acevec.find_acevec(), "sentence", "similarity", model, "-set", ",".join(pairs)])
    rows = [line.split() for line in said.splitlines()[1:]]
    return {f"STS, {part} pairs": float(row[-2]) for part, row in zip(("dev", "training"), rows)}, seconds


def points(options, seed, data, folder):
    """Accuracy of five neighbours on the images of the test."""
    part = {name: os.path.join(data, f"{name}-ubyte.gz")
            for name in ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")}
    train, labels, test, test_labels = part.values()
    model = os.path.join(folder, "m.model")
    _, seconds = timed("metric", "-train", train, "-labels", labels, "-output", model, "-seed", str(seed),
                       *options)
    said, _ = acevec.call([acevec.find_acevec(), "metric", "eval", model, "-train", train, "-labels", labels,
                           "-test", test, "-test-labels", test_labels])
    columns, row = (line.split("\t") for line in said.splitlines()[:2])
    return {"accuracy": 100 * float(row[columns.index("knn")])}, seconds


def timed(*words):
    """Run a command of the program on one thread; return what it reports and its processor seconds."""
    before = acevec.processor_seconds()
    _, said = acevec.call([acevec.find_acevec(), *words, "-threads", "1"])
    return said, acevec.processor_seconds() - before


TEXT = ("corpus", "enwiki.txt.gz")
TASKS = {
    "words": Task(words, TEXT, "", ("-iter 5", "-iter 5 -ace 1", "-iter 6")),
    "words, ranking": Task(words, TEXT, "-loss ranking", ("-iter 5", "-iter 5 -ace 1", "-iter 6")),
    "words with n-grams": Task(words, TEXT, "-maxn 6 -bucket 200000",
                               ("-iter 3", "-iter 3 -ace 1", "-iter 4")),
    **{f"next items, {name}": Task(items, ("sequences", f"{name}.txt"), "-preset items",
                                   ("", "-ace 1", "-iter 16"))
       for name in ("beauty", "sports", "video-games")},
    **{f"next items, {name}, ns": Task(items, ("sequences", f"{name}.txt"),
                                       "-min-count 1 -sample 0 -window 10", ("-iter 20", "-iter 20 -ace 1",
                                                                             "-iter 26"))
       for name in ("beauty", "sports", "video-games")},
    **{f"graph {name}, {score}": Task(graph, ("kg", name), f"-score {score} {common}", ways)
       for name in ("nell995", "wn18rr")
       for score, common, ways in (
           ("transd", "-loss margin", ("-iter 130", "-iter 70 -ace 1", "-iter 170")),
           ("rotate", "-iter 84",
            ("-loss ns -negative 2", "-loss margin -ace 1", "-loss ns -negative 2 -iter 96")))},
    **{f"graph {name}, complex": Task(graph, ("kg", name), "-score complex -size 100 -negative 1024",
                                      ("-iter 6 -ace 0", "-iter 6 -ace 1", "-iter 8 -ace 0"), "")
       for name in ("nell995", "wn18rr", "fb15k237")},
    **{f"hierarchy, {percent} %": Task(partial(hierarchy, percent), (), "", ("", "-ace 1", f"-iter {longer}"),
                                       "critic")
       for percent, longer in ((0, 70), (10, 26), (25, 34), (50, 28))},
    "sentences": Task(sentences, ("corpus", "enwiki-cased.txt.gz"),
                      "-encoder bag -split sentences -tokens words", ("-iter 5", "-iter 5 -ace 1", "-iter 7"), ""),
    "labelled images": Task(points, ("mnist",), "-shift 1 -iter 10",
                            ("-ace-sampler uniform", "-ace-sampler learned", "-ace-sampler uniform -iter 11"),
                            "critic"),
}


def carry_out(one, folder):
    """Make a run; return a row for each of its scores."""
    task = TASKS[one["task"]]
    data = texts.shared_data(*task.data) if task.data else None
    own = os.path.join(folder, "-".join(task.data) or "wordnet")
    os.makedirs(own, exist_ok=True)
    scores, seconds = task.scores(shlex.split(one["options"]), one["seed"], data, own)
    return [{"measure": name, "score": round(score, 3), "seconds": round(seconds, 1)}
            for name, score in scores.items()]


def options_of(task, way):
    """The options of a way; of one that is given twice the last one counts."""
    own = f"{task.ways[1]} -ace-sampler {task.other}" if way == "other" else task.ways[WAYS.index(way)]
    typed = shlex.split(f"{task.common} {own}")
    return " ".join(f"{name} {value}" for name, value in dict(zip(typed[::2], typed[1::2])).items())


def summarise(rows):
    """Print a line for each score of each task."""
    print("task", "measure", "seeds", "without",
          *(cell for other in OTHERS for cell in (f"ACE - {other} [95 %]", "time")), sep="\t")
    groups = {}
    for row in rows:
        by_seed = groups.setdefault((row["task"], row["measure"]), {})
        by_seed.setdefault(row["seed"], {})[row["way"]] = row
    for which, by_seed in groups.items():
        cells = [len(by_seed), stats.mean_text([runs["without"]["score"] for runs in by_seed.values()], 1)]
        for other in OTHERS:
            pairs = [(runs["ace"], runs[other]) for runs in by_seed.values() if other in runs]
            cells.append(stats.difference([ace["score"] - than["score"] for ace, than in pairs]) if pairs else "")
            cells.append(f"{median(ace['seconds'] / than['seconds'] for ace, than in pairs):.2f}" if pairs else "")
        print(*which, *cells, sep="\t")


def available(names):
    """The tasks whose data is there."""
    for name in names:
        if TASKS[name].data and not os.path.exists(texts.shared_data(*TASKS[name].data)):
            say(f"{name}: left out, for there is no {'/'.join(TASKS[name].data)} in ../shared/data")
        else:
            yield name


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("--tasks", metavar="NAME;..", default=";".join(TASKS), help="only these of: %(default)s")
    parser.add_argument("--seeds", type=numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    parser.add_argument("--out", metavar="FILE", default=os.path.join(texts.RESULTS, "where.tsv"),
                        help="table of all runs (eval/results/where.tsv)")
    chosen = parser.parse_args()
    names = [name.strip() for name in chosen.tasks.split(";")]
    if not set(names) <= set(TASKS):
        raise UserError(f"no task is called {', '.join(set(names) - set(TASKS))}; see --help")
    plan = [{"task": name, "way": way, "seed": seed, "options": options_of(TASKS[name], way)}
            for name in available(names) for seed in chosen.seeds for way in WAYS
            if way != "other" or TASKS[name].other]
    with tempfile.TemporaryDirectory(prefix="acevec-where-") as folder:
        summarise(grid.complete(plan, lambda one: carry_out(one, folder), tables.Table(chosen.out, COLUMNS)))
    return 0


if __name__ == "__main__":
    run(main)
