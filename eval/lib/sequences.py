"""Sequences of items with the next one held out: reading, splitting, and scores of rankings of items.

The protocol is that of publications on these data: of each user with three items or more the last is
the test, the one before it the validation, and the rest is trained on. The history before an item is
all that precedes it, also where it was not trained on. All items of the data are ranked but those of
the history; one that has no vector comes last.

Needs numpy and scipy.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from lib.cli import UserError

COLUMNS_AT_ONCE = 1024  # items of a block of scores
ALIKE = np.float32(0.25)  # of acevec next
TIE = 1e-5  # scores that differ by less, relatively, are equal: sums are rounded
SCORES = ("hr5", "hr10", "hr20", "ndcg10", "mrr")


class Data(NamedTuple):
    """Sequences of ids, the names of the items, and how often each is trained on."""

    sequences: list
    items: list
    counts: np.ndarray


class Questions(NamedTuple):
    """What precedes each answer, and the answers: lists of ids, and an array of ids."""

    histories: list
    answers: np.ndarray


def read(path, users=True):
    """Read the sequences at path. users: a line begins with a user, whose lines follow each other."""
    sequences, ids = {}, {}
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            name, *words = line.split() if users else [number, *line.split()]
            sequences.setdefault(name, []).extend(ids.setdefault(word, len(ids)) for word in words)
    found = [sequence for sequence in sequences.values() if sequence]
    counts = np.zeros(len(ids), int)
    for sequence in found:
        np.add.at(counts, trained(sequence), 1)
    if not any(map(_is_asked, found)):
        raise UserError(f"{path}: no sequence has three items; give lines of a user and items")
    return Data(found, list(ids), counts)


def trained(sequence):
    """Return what of a sequence is trained on."""
    return sequence[:-2] if _is_asked(sequence) else sequence


def _is_asked(sequence):
    return len(sequence) > 2


def write_training(data, path):
    """Write what is trained on, a sequence a line."""
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(" ".join(data.items[item] for item in trained(sequence)) + "\n"
                          for sequence in data.sequences)


def questions(data, split, most=None):
    """Return the questions of a split, valid or test. most: of only so many users, the first."""
    cut = {"valid": 2, "test": 1}[split]
    asked = [sequence for sequence in data.sequences if _is_asked(sequence)][:most]
    return Questions([sequence[:-cut] for sequence in asked],
                     np.array([sequence[-cut] for sequence in asked]))


def weights(histories, known, decay=1.0, last=None):
    """Return the weights of items in histories, each row's sum being 1, as a sparse matrix.

    known: whether there is something to go by, for each item; the others do not count. decay: what an
    item weighs of the next one. last: only so many items count.
    """
    rows, columns, values = [], [], []
    for row, history in enumerate(histories):
        usable = [item for item in reversed(history) if known[item]][:last]
        share = decay ** np.arange(len(usable))
        rows += [row] * len(usable)
        columns += usable
        values += list(share / share.sum())
    shape = len(histories), len(known)
    return sparse.csr_matrix((np.array(values, np.float32), (rows, columns)), shape)


def ranks(asked, known, scores_of):
    """Return the rank of each answer, from 0; that of ties is the middle.

    scores_of(items, rows): the scores of a slice of the items in some histories, rows x items.
    """
    count = len(asked.histories)
    at_answer = np.empty(count, np.float32)
    seen = sparse.csr_matrix((np.ones(sum(map(len, asked.histories)), bool),
                              (np.repeat(np.arange(count), list(map(len, asked.histories))),
                               np.concatenate(asked.histories))), (count, len(known)))
    blocks = [slice(begin, min(begin + COLUMNS_AT_ONCE, len(known)))
              for begin in range(0, len(known), COLUMNS_AT_ONCE)]
    for block in blocks:
        inside = np.flatnonzero((asked.answers >= block.start) & (asked.answers < block.stop))
        if inside.size:
            scores = scores_of(block, inside)
            at_answer[inside] = scores[range(inside.size), asked.answers[inside] - block.start]
    slack = TIE * np.abs(at_answer)
    above, equal = np.zeros(count), np.zeros(count)
    for block in blocks:
        scores = scores_of(block, slice(None))
        scores[:, ~known[block]] = -np.inf
        taken = seen[:, block].tocoo()
        scores[taken.row, taken.col] = -np.inf
        higher = np.count_nonzero(scores > (at_answer + slack)[:, None], axis=1)
        above += higher
        equal += np.count_nonzero(scores >= (at_answer - slack)[:, None], axis=1) - higher
    found = above + np.maximum(equal - 1, 0) / 2
    found[~known[asked.answers]] = len(known)
    return found


def cube_scores(shares, vectors, contexts, alike=ALIKE):
    """Scores as acevec next has them, for ranks(): means of cubes of positive products.

    alike: what the vectors count beside the contexts.
    """
    answers = contexts + alike * vectors
    used = np.flatnonzero(np.diff(shares.tocsc().indptr))
    shares = shares.tocsc()[:, used].tocsr()

    def scores(block, rows):
        products = np.maximum(vectors[used] @ answers[block].T, 0)
        return shares[rows] @ (products * products * products)

    return scores


def mean_scores(shares, vectors, contexts):
    """Scores of the histories' means of vectors, for ranks()."""
    means = shares @ vectors
    return lambda block, rows: means[rows] @ contexts[block].T


def summary(found):
    """Return the scores of ranks in percent."""
    inside = found < 10
    return {"hr5": 100 * float(np.mean(found < 5)), "hr10": 100 * float(np.mean(inside)),
            "hr20": 100 * float(np.mean(found < 20)),
            "ndcg10": 100 * float(np.mean(np.where(inside, 1 / np.log2(found + 2), 0))),
            "mrr": 100 * float(np.mean(1 / (found + 1)))}
