#!/usr/bin/env python3
"""Score word vectors on word similarity sets by Spearman's rank correlation.

A pair's score is the cosine of its two words' vectors. A word is looked up as it is, then in lower
case, then as any vocabulary word equal to it when case is folded (the first in the file, which is
the most frequent). Two correlations with the human scores are given, times 100:

  covered  over the pairs whose two words are both in the vocabulary;
  all      over all pairs, a missing word being a null vector, so that its pairs have cosine 0
           (the convention of Bojanowski et al., Enriching Word Vectors with Subword Information,
           2017).
"""

import math
import os
import sys
import warnings
from typing import NamedTuple

if __name__ == "__main__":
    import interpreter
    interpreter.require("numpy", "scipy")

import numpy as np
from scipy.stats import spearmanr

from cli import Parser, UserError, run, say
from vectors import load_vectors

FOOTNOTE = ("rho x100; covered: pairs with both words in the vocabulary; all: a missing word is a "
            "null vector (cosine 0), as in Bojanowski et al. 2017")


class Score(NamedTuple):
    """How well vectors agree with one set: rho_* in -100..100, nan where it is undefined."""

    pairs: int
    covered: int
    rho_covered: float
    rho_all: float


def read_pairs(path):
    """Read a similarity set; return a list of (word, word, human score) in file order.

    Each line is two words and a number, separated by tabs, else commas, else blanks; further
    columns are ignored, as are empty lines, lines that start with # and a header line.
    Raises UserError for any other line and for a set without pairs; OSError if unreadable.
    """
    pairs = []
    may_be_header = True
    with open(path, encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            separator = "\t" if "\t" in line else "," if "," in line else None
            fields = [field.strip() for field in line.split(separator)]
            try:
                first, second, score = fields[0], fields[1], float(fields[2])
            except (IndexError, ValueError):
                score = math.nan
            if math.isfinite(score) and first and second:
                pairs.append((first, second, score))
            elif not may_be_header or len(fields) < 3:
                raise UserError(f"{path} line {number}: not two words and a number; "
                                "correct or delete the line")
            may_be_header = False
    if not pairs:
        raise UserError(f"{path}: no pairs; give a file of lines `word TAB word TAB score`")
    return pairs


def score_set(pairs, words, matrix):
    """Score vectors on a set; return a Score.

    pairs: what read_pairs returns.
    words, matrix: what load_vectors returns, words with matrix's row i for words[i].
    """
    exact, folded = {}, {}
    for row, word in enumerate(words):
        exact.setdefault(word, row)
        folded.setdefault(word.casefold(), row)

    def vector(word):
        row = exact.get(word, exact.get(word.lower(), folded.get(word.casefold())))
        return None if row is None else matrix[row].astype(np.float64)

    cosines, known = [], []
    for first, second, _ in pairs:
        a, b = vector(first), vector(second)
        known.append(a is not None and b is not None)
        norm = np.linalg.norm(a) * np.linalg.norm(b) if known[-1] else 0
        cosines.append(a @ b / norm if norm else 0.0)
    human = [score for _, _, score in pairs]
    return Score(len(pairs), sum(known),
                 _rho([x for x, k in zip(cosines, known) if k],
                      [x for x, k in zip(human, known) if k]),
                 _rho(cosines, human) if any(known) else math.nan)


def _rho(scores, human):
    """Spearman's rho x100 with mean ranks for ties; nan for fewer than 2 or constant values."""
    if len(scores) < 2:
        return math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant values, for which rho is nan
        return 100 * float(spearmanr(scores, human)[0])


def set_name(path):
    """The name a set is reported by: its file name without the ending."""
    return os.path.splitext(os.path.basename(path))[0]


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("vectors", metavar="VECTORS",
                        help="word2vec text or binary, or GloVe text; may be gzipped")
    parser.add_argument("sets", metavar="SET.tsv", nargs="+", help="lines of word, word, score")
    parser.add_argument("--tsv", action="store_true",
                        help="print tab-separated columns: set, pairs, covered, rho_covered, "
                        "rho_all (nan where undefined)")
    options = parser.parse_args()

    sets = [(set_name(path), read_pairs(path)) for path in options.sets]
    wanted = {word for _, pairs in sets for pair in pairs for word in pair[:2]}
    words, matrix = load_vectors(options.vectors, wanted)
    scores = [(name, score_set(pairs, words, matrix)) for name, pairs in sets]

    if options.tsv:
        print("set", *Score._fields, sep="\t")
        for name, score in scores:
            print(name, score.pairs, score.covered, f"{score.rho_covered:.2f}",
                  f"{score.rho_all:.2f}", sep="\t")
    else:
        width = max(len(name) for name, _ in scores)
        width = max(width, len("set"))
        print(f"{'set':{width}}  pairs  covered  rho covered  rho all")
        for name, score in scores:
            covered, everything = (f"{rho:.2f}".replace("nan", "-") for rho in score[2:])
            print(f"{name:{width}}  {score.pairs:5}  {score.covered:7}  {covered:>11}  "
                  f"{everything:>7}")
        print(FOOTNOTE, file=sys.stderr)
    if all(score.covered < 2 for _, score in scores):
        say("no set has two pairs with both words in the vocabulary; give vectors of the sets' "
            "language, trained on more text")
        return 1
    return 0


if __name__ == "__main__":
    run(main)
