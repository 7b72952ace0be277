#!/usr/bin/env python3
"""A small knowledge graph from a large one, to choose settings on.

Pools the triples of the three files of the folder FROM, keeps those of some relations and of some
entities, and divides them anew: a twentieth each to valid2id.txt and test2id.txt in the folder TO,
the others to train2id.txt. Entities and relations are numbered anew.
"""

import collections
import os
import random

from lib.cli import Parser, UserError, count, run

SPLITS = ("train2id.txt", "valid2id.txt", "test2id.txt")


def read(path):
    """The triples (head, tail, relation) of a file of ids."""
    with open(path, encoding="utf-8") as file:
        return [tuple(map(int, line.split())) for line in list(file)[1:] if line.strip()]


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


def write(path, triples, numbers):
    """A file of ids; numbers are those of entities and of relations."""
    entities, relations = numbers
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{len(triples)}\n")
        file.writelines(f"{entities[head]} {entities[tail]} {relations[relation]}\n"
                        for head, tail, relation in triples)


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
    triples = sorted({triple for split in SPLITS
                      for triple in read(os.path.join(chosen.folder, split))})
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
    numbers = [{key: number for number, key in enumerate(sorted(keys))}
               for keys in ({end for triple in triples for end in triple[:2]},
                            {triple[2] for triple in triples})]
    os.makedirs(chosen.target, exist_ok=True)
    for name, split in zip(SPLITS, (triples[2 * held_out:], triples[:held_out],
                                    triples[held_out:2 * held_out])):
        write(os.path.join(chosen.target, name), split, numbers)
    print(f"{chosen.target}: {len(numbers[0])} entities, {len(numbers[1])} relations, "
          f"{len(triples) - 2 * held_out} training triples")


if __name__ == "__main__":
    run(main)
