#!/usr/bin/env python3
"""Measure acevec sentence: sentences a second that it trains on, and encodes, each a median.

The text is split into sentences once, before. Training is as acevec says it, without reading; encoding
is the whole process, with reading the model and writing numpy's array. Targets on 2 threads: 100,000
and 300,000. Standard library only.
"""

import os
import re
import statistics
import tempfile

from lib import acevec
from lib.cli import Parser, UserError, count, run
from lib.texts import add_corpus_option, find_corpus


def trained(program, text, model, options):
    """Train; return sentences a second."""
    _, said = acevec.call([program, "sentence", "-train", text, "-output", model, "-tokens", "words",
                           "-threads", str(options.threads), "-size", str(options.size), "-iter",
                           "1"])
    speed = re.search(r"^trained in .* ([\d,]+) sentences/s", said.replace("\r", "\n"), re.M)
    if not speed:
        raise UserError("acevec does not say how fast it trained; is it this version's?")
    return acevec.number(speed[1])


def encoded(program, text, model, lines, options, folder):
    """Encode; return sentences a second."""
    log = os.path.join(folder, "log")
    with open(text, "rb") as stream:
        seconds, _ = acevec.measure([program, "sentence", "encode", model, "-threads",
                                     str(options.threads), "-output",
                                     os.path.join(folder, "vectors.npy")], log, stream)
    return lines / seconds


def main():
    parser = Parser(description=__doc__)
    add_corpus_option(parser)
    parser.add_argument("--threads", type=count, default=2, help="default: 2")
    parser.add_argument("--size", type=count, default=100, help="of each network; default: 100")
    parser.add_argument("--repeats", type=count, default=3, help="default: 3")
    options = parser.parse_args()
    program = acevec.find_acevec()
    with tempfile.TemporaryDirectory(prefix="acevec-sentences-") as folder:
        text, model = os.path.join(folder, "text"), os.path.join(folder, "model")
        corpus = find_corpus(options.corpus, folder)
        with open(text, "w", encoding="utf-8") as stream:
            stream.write(acevec.call([program, "text", corpus, "-split", "sentences"])[0])
        with open(text, "rb") as stream:
            lines = sum(1 for _ in stream)
        speeds = [(trained(program, text, model, options),
                   encoded(program, text, model, lines, options, folder))
                  for _ in range(options.repeats)]
    for what, values in zip(("trained", "encoded"), zip(*speeds)):
        print(f"{what}\t{statistics.median(values):,.0f} sentences/s\t"
              f"({min(values):,.0f}..{max(values):,.0f})")
    return 0


if __name__ == "__main__":
    run(main)
