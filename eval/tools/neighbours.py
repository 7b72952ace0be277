#!/usr/bin/env python3
"""Compare the neighbours of words in two files of vectors, or more, near and a little further off.

    eval/tools/neighbours.py noise.bin ace.bin queen king computer man woman

A column for each word; for each file a row for every rank, by default 1-5 and 45-50, where
differences show that the first neighbours hide (Table 1 of the ACE paper, 2018). Ranks and cosines
are those of `acevec nn`. ACEVEC is the program to ask, build/acevec when not given. A word that a
file lacks has empty cells there.
"""

import os

from lib.acevec import find_acevec, neighbours
from lib.cli import Parser, UserError, run


def table(tables, words, ranks):
    """Return the rows: vectors, rank, a neighbour for each word; tables: {label: neighbours()}."""
    return [["vectors", "rank", *words]] + [
        [label, str(rank), *(found.get(word, {}).get(rank, "") for word in words)]
        for label, found in tables.items() for rank in ranks]


def print_text(rows):
    """Print rows in columns, with a line before each change of vectors or gap in the ranks."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    before = None
    for row in rows:
        here = (row[0], int(row[1]) if row[1].isdigit() else 0)
        if before and here != (before[0], before[1] + 1):
            print()
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        before = here


def print_markdown(rows):
    """Print rows as a table of Markdown."""
    for number, row in enumerate(rows):
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        if number == 0:
            print("|" + "---|" * len(row))


def rank_list(text):
    """Parse `1-5,45-50` (for argparse): the ranks in order."""
    ranks = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        first, last = int(first), int(last or first)
        if not 1 <= first <= last <= 1_000_000:
            raise ValueError(text)
        ranks |= set(range(first, last + 1))
    return sorted(ranks)


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("files", metavar="[LABEL=]VECTORS", nargs=2)
    parser.add_argument("words", metavar="WORD", nargs="+")
    parser.add_argument("--more", metavar="[LABEL=]VECTORS", action="append", default=[],
                        help="a further file; may be given several times")
    parser.add_argument("--ranks", metavar="N-N,..", type=rank_list, default=rank_list("1-5,45-50"),
                        help="ranks to show (1-5,45-50)")
    parser.add_argument("--format", choices=("text", "markdown", "tsv"), default="text")
    options = parser.parse_args()

    program = find_acevec()
    tables = {}
    for text in options.files + options.more:
        label, separator, path = text.partition("=")
        label = label if separator else os.path.basename(text)
        if label in tables:
            raise UserError(f"two files are called {label}; give LABEL=FILE")
        tables[label] = neighbours(program, path if separator else text, options.words,
                                   options.ranks[-1])
    rows = table(tables, options.words, options.ranks)
    if options.format == "tsv":
        for row in rows:
            print(*row, sep="\t")
    else:
        {"text": print_text, "markdown": print_markdown}[options.format](rows)
    return 0


if __name__ == "__main__":
    run(main)
