#!/usr/bin/env python3
"""Make random walks of a graph, for acevec to train on, and score vectors of its nodes (DeepWalk).

    eval/tools/walks.py make edges.tsv walks.txt --held-out held-out.tsv
    acevec -train walks.txt -output nodes.bin -min-count 1 -sample 0 -window 10 -iter 1 -alpha 0.01
    eval/tools/walks.py score nodes.bin edges.tsv held-out.tsv

make: edges are lines of two nodes with a tab between, undirected; further columns are ignored.
From each node --walks walks start, in a random order; each step goes to any neighbour with equal
probability. A line is a walk. With --held-out FILE a tenth of the edges is left out of the walks
and written there; an edge is never left out if one of its nodes would have none.

score: how well cosines separate held-out edges from pairs of nodes without an edge. AUC is the
probability that a held-out edge has the larger cosine. Hits@10 is the share of questions "which
node is next to this one?" whose answer is among the ten nearest nodes, known neighbours left out.
"""

import random
import sys

from lib import interpreter

if __name__ == "__main__" and sys.argv[1:2] == ["score"]:
    interpreter.require("numpy")

from lib.cli import Parser, UserError, count, run, say

HELD_OUT = 0.1
QUESTIONS = 1000
NEAREST = 10


def read_edges(path):
    """Return the edges at path, each once: [(a, b)] with a < b, without loops, in order."""
    edges = {}
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            nodes = line.rstrip("\n").split("\t")[:2]
            if len(nodes) < 2 or any(not node or len(node.split()) != 1 for node in nodes):
                raise UserError(f"{path}: line {number} is not two nodes with a tab between; "
                                "give an edge per line, and no spaces in names")
            if nodes[0] != nodes[1]:
                edges[tuple(sorted(nodes))] = None
    if not edges:
        raise UserError(f"{path}: has no edges; give lines of two nodes")
    return list(edges)


def neighbours_of(edges):
    """Return {node: [its neighbours]}."""
    found = {}
    for a, b in edges:
        found.setdefault(a, []).append(b)
        found.setdefault(b, []).append(a)
    return found


def hold_out(edges, share, chance):
    """Return (edges to keep, edges held out); every node keeps an edge."""
    degree = {node: len(others) for node, others in neighbours_of(edges).items()}
    wanted, held = int(share * len(edges)), set()
    for at in chance.sample(range(len(edges)), len(edges)):
        a, b = edges[at]
        if len(held) < wanted and degree[a] > 1 and degree[b] > 1:
            held.add(at)
            degree[a] -= 1
            degree[b] -= 1
    return ([edge for at, edge in enumerate(edges) if at not in held],
            [edges[at] for at in sorted(held)])


def walks(neighbours, per_node, length, chance):
    """Yield walks, lists of nodes: per_node times one from each node, in a random order."""
    for _ in range(per_node):
        nodes = list(neighbours)
        chance.shuffle(nodes)
        for node in nodes:
            walk = [node]
            while len(walk) < length:
                walk.append(chance.choice(neighbours[walk[-1]]))
            yield walk


def make(options):
    chance = random.Random(options.seed)
    edges = read_edges(options.edges)
    if options.held_out:
        edges, held = hold_out(edges, HELD_OUT, chance)
        with open(options.held_out, "w", encoding="utf-8") as stream:
            stream.writelines(f"{a}\t{b}\n" for a, b in held)
        say(f"held out {len(held)} edges")
    neighbours = neighbours_of(edges)
    with open(options.output, "w", encoding="utf-8") as stream:
        for walk in walks(neighbours, options.walks, options.length, chance):
            stream.write(" ".join(walk) + "\n")
    say(f"{options.walks} walks of {options.length} nodes from each of {len(neighbours)} nodes")


def area(positive, negative):
    """The probability that one of `positive` is larger than one of `negative`; ties count half."""
    import numpy as np
    below = np.searchsorted(np.sort(negative), positive, "left")
    not_above = np.searchsorted(np.sort(negative), positive, "right")
    return float((below + not_above).mean() / (2 * len(negative)))


def score(options):
    import numpy as np
    from lib.vectors import load_vectors
    words, matrix = load_vectors(options.vectors)
    row = {word: at for at, word in enumerate(words)}
    matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    every = read_edges(options.edges)
    held = [(row[a], row[b]) for a, b in read_edges(options.held_out) if a in row and b in row]
    if not held:
        raise UserError("no held-out edge has two vectors; give the graph that they are of")
    known = {(row[a], row[b]) for a, b in every if a in row and b in row}
    known |= {(b, a) for a, b in known}
    chance = random.Random(options.seed)
    others = []
    while len(others) < len(held):
        pair = chance.randrange(len(words)), chance.randrange(len(words))
        if pair[0] != pair[1] and pair not in known:
            others.append(pair)
    cosines = [np.einsum("ij,ij->i", *(matrix[[pair[side] for pair in pairs]] for side in (0, 1)))
               for pairs in (held, others)]
    asked = chance.sample(held, min(QUESTIONS, len(held)))
    beside = neighbours_of(known)
    hits = 0
    for node, answer in asked:
        near = matrix @ matrix[node]
        target = near[answer]
        near[[node, *beside[node]]] = -2  # of the known neighbours the answer alone may count
        hits += int((near >= target).sum() < NEAREST)
    print(f"{len(held)} held-out edges\tAUC {100 * area(*cosines):.1f}\t"
          f"Hits@{NEAREST} {100 * hits / len(asked):.1f}")


def main():
    parser = Parser(description=__doc__)
    modes = parser.add_subparsers(dest="mode", required=True, parser_class=Parser)
    making = modes.add_parser("make", help="write random walks of a graph")
    making.add_argument("edges", metavar="EDGES")
    making.add_argument("output", metavar="OUT")
    making.add_argument("--walks", type=count, default=10, help="walks from each node (10)")
    making.add_argument("--length", type=count, default=40, help="nodes of a walk (40)")
    making.add_argument("--held-out", metavar="FILE", help="keep a tenth of the edges for `score`")
    scoring = modes.add_parser("score", help="score vectors of the nodes on held-out edges")
    scoring.add_argument("vectors", metavar="VECTORS")
    scoring.add_argument("edges", metavar="EDGES")
    scoring.add_argument("held_out", metavar="HELD_OUT")
    for mode in (making, scoring):
        mode.add_argument("--seed", type=int, default=1, help="random seed (1)")
    options = parser.parse_args()
    (make if options.mode == "make" else score)(options)


if __name__ == "__main__":
    run(main)
