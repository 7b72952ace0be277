#!/usr/bin/env python3
"""A knowledge graph's files without relations that are only the inverse of another one.

If most triples (h, r, t) have a (t, s, h), s is the inverse of r, and each answers questions about
the other. For each such pair of different relations, the one with fewer triples (of equals
the later one) is left out of all three files, as WN18RR is made from WN18 (Dettmers et al. 2018).
Reads train2id.txt, valid2id.txt, test2id.txt, entity2id.txt and relation2id.txt of the folder FROM
and writes them to TO; ids stay the same.
"""

import collections
import os
import shutil

from lib import graphs
from lib.cli import Parser, run

NAMES = ("entity2id.txt", "relation2id.txt")
MOST = 0.5  # of a relation's triples that have their inverse


def inverse_relations(triples):
    """Those that are left out."""
    counts = collections.Counter(relation for _, _, relation in triples)
    relations = collections.defaultdict(list)
    for head, tail, relation in triples:
        relations[head, tail].append(relation)
    pairs = collections.Counter()
    for head, tail, relation in triples:
        for other in relations.get((tail, head), ()):
            pairs[relation, other] += 1
    left_out = set()
    for (one, other), count in sorted(pairs.items()):
        if one < other and count > MOST * max(counts[one], counts[other]):
            left_out.add(one if counts[one] < counts[other] else other)
    return left_out


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("folder", metavar="FROM")
    parser.add_argument("target", metavar="TO")
    chosen = parser.parse_args()
    parts = {part: sorted(set(graphs.read(graphs.path_of(chosen.folder, part))))
             for part in graphs.PARTS}
    left_out = inverse_relations([triple for triples in parts.values() for triple in triples])
    os.makedirs(chosen.target, exist_ok=True)
    for name in NAMES:
        shutil.copyfile(os.path.join(chosen.folder, name), os.path.join(chosen.target, name))
    for part, triples in parts.items():
        kept = [triple for triple in triples if triple[2] not in left_out]
        path = graphs.path_of(chosen.target, part)
        graphs.write(path, kept)
        print(f"{os.path.basename(path)}: {len(kept)} of {len(triples)} triples")
    print(f"left out {len(left_out)} relations: {' '.join(map(str, sorted(left_out)))}")


if __name__ == "__main__":
    run(main)
