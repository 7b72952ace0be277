#!/usr/bin/env python3
"""A small knowledge graph from a large one, to choose settings on.

Pools the triples of the three files of the folder FROM, keeps those of some relations and of some
entities, and divides them anew: a twentieth each to valid2id.txt and test2id.txt in the folder TO,
the others to train2id.txt. Entities and relations are numbered anew.
"""

import collections
import os
import random

from lib import graphs
from lib.cli import Parser, UserError, count, run


def frequent(counts, most):
    """The keys with the largest counts; of equals the smallest."""
    return set(sorted(counts, key=lambda key: (-counts[key], key))[:most])


def walked(triples, most, chance):
    """Entities that a random walk meets; it starts anew now and then, and where it cannot go on."""
    neighbours = collections.defaultdict(list)
    for head, tail, _ in triples:
        neighbours[head].append(tail)
        neighbours[tail].append(head)
    entities = sorted(neighbours)
    start = here = chance.choice(entities)
    met = {start}
    for step in range(1000 * most):
        if len(met) >= most:
            break
        if step % 1000 == 999:
            start = chance.choice(entities)
        here = start if chance.random() < 0.1 else chance.choice(neighbours[here])
        met.add(here)
    return met


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("folder", metavar="FROM")
    add("target", metavar="TO")
    add("--entities", type=count, metavar="N", help="so many that a random walk meets")
    add("--frequent", action="store_true", help="those with the most triples instead")
    add("--relations", type=count, metavar="N", help="so many, those with the most triples")
    add("--share", type=float, default=1, metavar="X", help="of the triples that are left (1)")
    add("--seed", type=count, default=1, metavar="N")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    triples = sorted({triple for part in graphs.PARTS
                      for triple in graphs.read(graphs.path_of(chosen.folder, part))})
    if chosen.relations:
        kept = frequent(collections.Counter(triple[2] for triple in triples), chosen.relations)
        triples = [triple for triple in triples if triple[2] in kept]
    if chosen.entities and chosen.frequent:
        kept = frequent(collections.Counter(end for triple in triples for end in triple[:2]),
                        chosen.entities)
    elif chosen.entities:
        kept = walked(triples, chosen.entities, chance)
    if chosen.entities:
        triples = [triple for triple in triples if triple[0] in kept and triple[1] in kept]
    chance.shuffle(triples)
    triples = triples[:int(chosen.share * len(triples))]
    held_out = len(triples) // 20
    if not held_out:
        raise UserError(f"{len(triples)} triples are left; take more")
    entities, relations = (
        {key: number for number, key in enumerate(sorted(keys))}
        for keys in ({end for triple in triples for end in triple[:2]},
                     {triple[2] for triple in triples}))
    triples = [(entities[head], entities[tail], relations[relation])
               for head, tail, relation in triples]
    os.makedirs(chosen.target, exist_ok=True)
    for part, own in zip(graphs.PARTS, (triples[2 * held_out:], triples[:held_out],
                                        triples[held_out:2 * held_out])):
        graphs.write(graphs.path_of(chosen.target, part), own)
    print(f"{chosen.target}: {len(entities)} entities, {len(relations)} relations, "
          f"{len(triples) - 2 * held_out} training triples")


if __name__ == "__main__":
    run(main)
