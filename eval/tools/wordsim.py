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

import sys

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy")

from lib.cli import Parser, run, say
from lib.similarity import Score, read_pairs, score_set, set_name
from lib.texts import set_path
from lib.vectors import load_vectors

FOOTNOTE = ("rho x100; covered: pairs with both words in the vocabulary; all: a missing word is a "
            "null vector (cosine 0), as in Bojanowski et al. 2017")


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("vectors", metavar="VECTORS",
                        help="word2vec text or binary, or GloVe text; may be gzipped")
    parser.add_argument("sets", metavar="SET.tsv", nargs="+", help="lines of word, word, score; a name without "
                        "folder is also looked for where data/get-wordsim.sh puts the sets")
    parser.add_argument("--tsv", action="store_true",
                        help="print tab-separated columns: set, pairs, covered, rho_covered, "
                        "rho_all (nan where undefined)")
    options = parser.parse_args()

    sets = [(set_name(path), read_pairs(path)) for path in map(set_path, options.sets)]
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
