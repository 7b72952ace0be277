"""Knowledge graphs: folders with train2id.txt, valid2id.txt and test2id.txt, files of ids, or with train.tsv,
valid.tsv and test.tsv, of names. Standard library only.
"""

import os

from lib.cli import UserError
from lib.texts import shared_data

PARTS = ("train", "valid", "test")


def path_of(folder, part):
    """Return the path of a part of the graph in a folder."""
    return os.path.join(folder, f"{part}2id.txt")


def read(path):
    """Return the triples (head, tail, relation) of a file of ids."""
    with open(path, encoding="utf-8") as file:
        return [tuple(map(int, line.split())) for line in list(file)[1:] if line.strip()]


def write(path, triples):
    """Write a file of ids."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{len(triples)}\n")
        file.writelines(f"{head} {tail} {relation}\n" for head, tail, relation in triples)


def options_of(folder):
    """Return the options of acevec that name the parts of the graph in a folder: train2id.txt, or train.tsv."""
    named = os.path.exists(os.path.join(folder, "train.tsv"))
    return [word for part in PARTS
            for word in ("-" + part, os.path.join(folder, f"{part}.tsv") if named else path_of(folder, part))]


def add_data_option(parser, name):
    """--data, by default the shared graph of that name."""
    parser.add_argument("--data", metavar="FOLDER", default=shared_data("kg", name),
                        help="train.tsv and so on, as data/get-graphs.sh writes them, or train2id.txt "
                             f"(default: ../shared/data/kg/{name})")


def require(folder):
    """Raise UserError when no graph is in a folder."""
    if not os.path.exists(options_of(folder)[1]):
        raise UserError(f"found neither train.tsv nor train2id.txt in {folder}; give --data FOLDER")
