#!/usr/bin/env python3
"""Processor seconds of an epoch of TransD: noise, ACE with and without a network, and Fast-TransX.

Each program learns from a graph's train2id.txt for 1 and for 1 + --iter epochs; the difference of
their processor times, divided by --iter, is an epoch, without reading and writing. Programs take
turns, --rounds of them, and the least of each is printed, since other work on the machine only
adds. Fast-TransX is https://github.com/thunlp/Fast-TransX, transD/transD.cpp, built as its README
says; g++ 11 or later needs a `return NULL;` at the end of train(), or training never ends. It is
left out without --fast-transx. ACEVEC is the program, build/acevec when not given.
"""

import os
import tempfile

from lib import acevec, graphs
from lib.cli import Parser, count, run

SETTINGS = {"noise": [], "ACE": ["-ace", "1"], "ACE, learned": ["-ace", "1", "-ace-sampler", "learned"]}


def commands(chosen, scratch):
    """Return {name: command of a number of epochs}."""
    def ours(options):
        return lambda epochs: [
            acevec.find_acevec(), "kg", "-score", "transd", *graphs.options_of(chosen.data)[:2],
            "-output", os.path.join(scratch, "model"), "-size", str(chosen.size), "-threads", str(chosen.threads),
            "-iter", str(epochs), *options]

    made = {name: ours(options) for name, options in SETTINGS.items()}
    if chosen.fast_transx:
        made["Fast-TransX"] = lambda epochs: [
            chosen.fast_transx, "-size", str(chosen.size), "-sizeR", str(chosen.size), "-input",
            os.path.join(chosen.data, ""), "-thread", str(chosen.threads), "-epochs", str(epochs)]
    return made


def seconds_of(command):
    """Of one run."""
    before = acevec.processor_seconds()
    acevec.call(command)
    return acevec.processor_seconds() - before


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    graphs.add_data_option(parser, "wn18")
    add("--fast-transx", metavar="PROGRAM", help="Fast-TransX's transD")
    add("--threads", type=count, default=1, metavar="N")
    add("--size", type=count, default=50, metavar="N")
    add("--iter", type=count, default=5, metavar="N", help="epochs that are timed (5)")
    add("--rounds", type=count, default=3, metavar="N", help="turns (3)")
    chosen = parser.parse_args()
    graphs.require(chosen.data)
    least = {}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(chosen.rounds):
            for name, command in commands(chosen, scratch).items():
                more = seconds_of(command(1 + chosen.iter)) - seconds_of(command(1))
                least[name] = min(more / chosen.iter, least.get(name, more))
    print("program\tseconds\ttimes noise")
    for name, seconds in least.items():
        print(f"{name}\t{seconds:.3f}\t{seconds / least['noise']:.2f}")
    return 0


if __name__ == "__main__":
    run(main)
