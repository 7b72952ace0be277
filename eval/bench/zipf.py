#!/usr/bin/env python3
"""Write a text whose words follow Zipf's law to standard output, every one of them at least once.

Lines of 40 tokens; the same arguments give the same bytes.
"""

import random

from lib.cli import Parser, count, run

LINE = 40


def spelled(rank):
    """A word: two letters for each six bits of its rank, about as long as those of English."""
    word = ""
    while rank:
        word += "bcdfghjklmnprstv"[rank & 15] + "aeio"[rank >> 4 & 3]
        rank >>= 6
    return word


def lines(types, tokens):
    """Yield lists of LINE words. Each gets its share of those that must occur, in random order."""
    chance = random.Random(1)
    words = [spelled(rank) for rank in range(1, types + 1)]
    due = chance.sample(words, types)
    total = tokens // LINE
    for line in range(total):
        share = due[types * line // total:types * (line + 1) // total]
        yield share + [words[int(types ** chance.random()) - 1] for _ in range(LINE - len(share))]


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("types", type=count, metavar="TYPES", help="number of distinct words")
    parser.add_argument("tokens", type=count, metavar="TOKENS",
                        help=f"number of words in all, of which whole lines of {LINE} are written")
    options = parser.parse_args()
    if options.types > options.tokens // LINE * LINE:
        parser.error("there must be no more types than tokens")
    for line in lines(options.types, options.tokens):
        print(*line)
    return 0


if __name__ == "__main__":
    run(main)
