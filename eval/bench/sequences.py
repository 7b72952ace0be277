#!/usr/bin/env python3
"""Compare acevec as a recommender of next items with other methods, on one split and with one metric.

    eval/bench/sequences.py beauty.txt sports.txt video-games.txt
    eval/bench/sequences.py beauty.txt --split valid --try --users 4000 --seeds 1 --out tried.tsv

Data, split and metric are those of eval/tools/sequences.py. The methods:

  popularity   items by how often they are trained on
  neighbours   co-occurrence: how often an item came after each item of the history, less with distance
  als          matrix factorisation with implicit feedback (Hu, Koren and Volinsky 2008); a history's
               vector is solved for, so it knows the last item too
  gensim       Word2Vec, skip-gram with both sides of a window
  fasttext     skip-gram without n-grams
  acevec       -preset items

--try runs all settings of each method, on the first --users users; what is compared is the first of
its list. The vectors of gensim and fasttext are scored as acevec next does.
Seconds are those of training, for programs with their start and their files. gensim and fasttext are
those of Debian.
"""

import os
import sys
import tempfile
import time
from typing import NamedTuple

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy")

from lib import acevec, grid, stats
from lib.cli import Parser, UserError, numbers, run
from lib.tables import Table
from lib.texts import RESULTS

RUN = ("data", "method", "setting", "split", "seed")
# Settings of each method as NAME=VALUE; the first is compared.
SETTINGS = {
    "popularity": [""],
    "neighbours": ["fall=0.7 decay=0.5 rows=0.5", "fall=0.7 decay=0.7 rows=0.5",
                   "fall=0.7 decay=0.5 rows=0", "fall=0.7 decay=0.7 rows=0",
                   "fall=0.85 decay=0.7 rows=0.5", "fall=0.5 decay=0.7 rows=0.5",
                   "fall=0.85 decay=0.7 rows=0"],
    "als": ["size=64 weight=0.01 ridge=0.003 decay=0.8", "size=64 weight=0.1 ridge=0.003 decay=0.8",
            "size=64 weight=0.01 ridge=0.01 decay=0.8"],
    "gensim": ["alpha=0.05 epochs=40 negative=20 ns_exponent=0.5 window=5",
               "alpha=0.05 epochs=40 negative=20 ns_exponent=0.75 window=5",
               "alpha=0.05 epochs=40 negative=20 ns_exponent=0.5 window=10",
               "alpha=0.05 epochs=80 negative=20 ns_exponent=0.5 window=5"],
    "fasttext": ["lr=0.1 epoch=40 loss=ns neg=20 ws=5", "lr=0.2 epoch=40 loss=ns neg=20 ws=5",
                 "lr=0.1 epoch=40 loss=ns neg=20 ws=10"],
    "acevec": ["preset=items"],
}

ONE_SEED = ("popularity", "neighbours", "als")  # no chance, or only in the start
DECAY = 0.7  # of acevec next


class Job(NamedTuple):
    """What a method gets: the data, the questions, its options and how it may run."""

    data: object
    asked: object
    options: dict
    seed: int
    threads: int


def parsed(setting):
    """{"window": 5, "fall": 0.7, "loss": "ns"} of "window=5 fall=0.7 loss=ns"."""
    def value(text):
        number = text.replace(".", "", 1).isdigit()
        return int(text) if text.isdigit() else float(text) if number else text
    return {name: value(text) for name, text in (word.split("=") for word in setting.split())}


def popularity(job):
    import numpy as np
    from lib import sequences
    counts = job.data.counts.astype(np.float32)
    everywhere = np.broadcast_to(counts, (len(job.asked.histories), len(counts)))
    return sequences.ranks(job.asked, counts > 0,
                           lambda block, rows: everywhere[rows, block].copy()), 0.0


def neighbours(job):
    import numpy as np
    from lib import sequences
    from scipy import sparse
    start = time.perf_counter()
    before, after, values = [], [], []
    for sequence in map(sequences.trained, job.data.sequences):
        for last in range(1, len(sequence)):
            first = max(0, last - 50)
            before += sequence[first:last]
            after += [sequence[last]] * (last - first)
            values += list(job.options["fall"] ** np.arange(last - first - 1, -1, -1))
    counts = job.data.counts
    table = sparse.csr_matrix((np.array(values, np.float32), (before, after)), 2 * counts.shape)
    scale = np.maximum(counts, 1) ** -float(job.options["rows"])
    table = (sparse.diags(scale.astype(np.float32)) @ table).tocsc()
    seconds = time.perf_counter() - start
    shares = sequences.weights(job.asked.histories, counts > 0, job.options["decay"])
    return sequences.ranks(job.asked, counts > 0,
                           lambda block, rows: (shares[rows] @ table[:, block]).toarray()), seconds


def als(job):
    """Users and items take turns; each solves for its least squares exactly, ten times."""
    import numpy as np
    from lib import sequences
    start = time.perf_counter()
    known, size = job.data.counts > 0, job.options["size"]
    trained = [sequences.trained(sequence) for sequence in job.data.sequences]
    liked = (sequences.weights(trained, known) > 0).astype(float)
    items = np.random.default_rng(job.seed).normal(0, size ** -0.5, (len(known), size))
    for _ in range(10):
        users = solved(liked, items, job.options)
        items = solved(liked.T.tocsr(), users, job.options)
    seconds = time.perf_counter() - start
    shares = sequences.weights(job.asked.histories, known, job.options["decay"])
    lasts = shares.max(axis=1).toarray().ravel()
    shares.data /= np.repeat(lasts, np.diff(shares.indptr))  # a history's last item weighs 1
    vectors = solved(shares, items, job.options).astype(np.float32)
    items = items.astype(np.float32)
    return sequences.ranks(job.asked, known, lambda block, rows: vectors[rows] @ items[block].T), seconds


def solved(liked, others, options):
    """For each row the vector whose products with the liked others are 1, and 0 with all others, which
    weigh little; the ridge grows with the row's weights (Rendle and others 2022)."""
    import numpy as np
    everything = options["weight"] * others.T @ others
    vectors = np.zeros((liked.shape[0], others.shape[1]))
    for row in range(liked.shape[0]):
        at = slice(liked.indptr[row], liked.indptr[row + 1])
        chosen, shares = others[liked.indices[at]], liked.data[at].astype(float)
        ridge = options["ridge"] * (shares.sum() + options["weight"] * len(others))
        left = everything + (chosen.T * shares) @ chosen + ridge * np.eye(others.shape[1])
        vectors[row] = np.linalg.solve(left, chosen.T @ shares)
    return vectors


def gensim(text, job):
    """Return (words, vectors, contexts)."""
    try:
        from gensim.models import Word2Vec
        from gensim.models.word2vec import LineSentence
    except ImportError:
        raise UserError("found no gensim; install python3-gensim, or choose others by --methods") from None
    model = Word2Vec(LineSentence(text), sg=1, vector_size=100, sample=0, min_count=1,
                     workers=job.threads, seed=job.seed, **job.options)
    return model.wv.index_to_key, model.wv.vectors, model.syn1neg


def fasttext(text, job):
    """Return (words, vectors, contexts)."""
    import numpy as np
    model = os.path.join(os.path.dirname(text), "fasttext")
    flags = [word for name, value in job.options.items() for word in ("-" + name, str(value))]
    acevec.call(["fasttext", "skipgram", "-input", text, "-output", model, "-minCount", "1", "-dim",
                 "100", "-maxn", "0", "-bucket", "0", "-t", "1", "-thread", str(job.threads),
                 "-seed", str(job.seed), *flags])
    dumped = [acevec.call(["fasttext", "dump", model + ".bin", part])[0].splitlines()[1:]
              for part in ("dict", "input", "output")]
    words = [line.split()[0] for line in dumped[0]]
    vectors, contexts = (np.array([line.split() for line in lines], np.float32)
                         for lines in dumped[1:])
    return words, vectors[:len(words)], contexts


def items(text, job):
    """acevec; return (words, vectors, contexts)."""
    from lib.vectors import load_vectors
    paths = [os.path.join(os.path.dirname(text), name) for name in ("v.bin", "v-context.bin")]
    flags = [word for name, value in job.options.items() for word in ("-" + name, str(value))]
    acevec.call([acevec.find_acevec(), "-train", text, "-output", paths[0], "-output-context",
                 paths[1], "-threads", str(job.threads), "-seed", str(job.seed), *flags])
    (words, vectors), (_, contexts) = map(load_vectors, paths)
    return words, vectors, contexts


def by_vectors(train):
    """The method that scores vectors and contexts which train(text, job) returns."""
    def method(job):
        import numpy as np
        from lib import sequences
        with tempfile.TemporaryDirectory() as folder:
            text = os.path.join(folder, "text")
            sequences.write_training(job.data, text)
            start = time.perf_counter()
            words, *trained = train(text, job)
            seconds = time.perf_counter() - start
        ids = {item: id_ for id_, item in enumerate(job.data.items)}
        rows = [at for at, word in enumerate(words) if word in ids]  # fasttext has </s> too
        known = np.zeros(len(ids), bool)
        known[[ids[words[at]] for at in rows]] = True
        matrices = np.zeros((2, len(ids), trained[0].shape[1]), np.float32)
        for matrix, vectors in zip(matrices, trained):
            matrix[[ids[words[at]] for at in rows]] = vectors[rows]
        shares = sequences.weights(job.asked.histories, known, DECAY)
        return sequences.ranks(job.asked, known, sequences.cube_scores(shares, *matrices)), seconds
    return method


METHODS = {"popularity": popularity, "neighbours": neighbours, "als": als,
           "gensim": by_vectors(gensim), "fasttext": by_vectors(fasttext),
           "acevec": by_vectors(items)}


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("data", nargs="+", metavar="FILE", help="lines of a user and items")
    add("--methods", default=",".join(METHODS), metavar="NAME,..", help="which (all)")
    add("--try", dest="every", action="store_true", help="try all settings, not only the best")
    add("--split", choices=("valid", "test"), default="test", help="what is asked (test)")
    add("--users", type=int, metavar="N", help="only so many users are asked about (all)")
    add("--seeds", type=numbers, default=[1, 2, 3], metavar="N,..", help="seeds (1,2,3)")
    add("--threads", type=int, default=2, help="of training (2)")
    add("--out", default=os.path.join(RESULTS, "bench-sequences.tsv"), metavar="FILE.tsv",
        help="table of all runs (eval/results/bench-sequences.tsv)")
    options = parser.parse_args()
    options.methods = options.methods.split(",")
    unknown = set(options.methods) - set(METHODS)
    if unknown:
        raise UserError(f"no method {', '.join(sorted(unknown))}; give {', '.join(METHODS)}")
    return options


def main():
    options = parse_arguments()
    from lib import sequences
    data = {os.path.splitext(os.path.basename(path))[0]: sequences.read(path)
            for path in options.data}
    plan = [{"data": name, "method": method, "setting": setting, "split": options.split,
             "seed": seed}
            for method in options.methods
            for setting in SETTINGS[method][:None if options.every else 1]
            for name in data
            for seed in options.seeds[:1 if method in ONE_SEED else None]]

    def result(one):
        found, seconds = METHODS[one["method"]](
            Job(data[one["data"]], sequences.questions(data[one["data"]], one["split"], options.users),
                parsed(one["setting"]), one["seed"], options.threads))
        return {"seconds": seconds, **sequences.summary(found)}

    rows = grid.complete(plan, result, Table(options.out, (*RUN, "seconds", *sequences.SCORES),
                                             {"threads": options.threads}))
    sys.stdout.writelines(line + "\n" for line in stats.summary(
        rows, ("data", "method", "setting", "split"), ("seconds", *sequences.SCORES)))


if __name__ == "__main__":
    run(main)
