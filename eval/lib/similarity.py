"""Word similarity sets, and how well vectors agree with them: see tools/wordsim.py.

Loads numpy and scipy.
"""

import math
import os
import warnings
from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr

from lib.cli import UserError


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
