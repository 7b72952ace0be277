#!/usr/bin/env python3
"""Measure acevec sentence: sentences a second that it trains on, and encodes, each a median.

The text, by default the articles of Wikipedia in ../shared/data, is split into sentences once, before;
gated units have its first --lines. Training is as acevec says it, without reading; encoding
is the whole process, with reading the model and writing numpy's array. Bounds on 2 threads, for bags:
100,000 and 300,000. Of a gated unit the speed of its products is shown too, beside OpenBLAS's sgemm
at the same size, of which it should reach half; build/bench_gru measures that. Standard library only.
"""

import os
import re
import statistics
import tempfile

from lib import acevec
from lib.cli import Parser, UserError, count, run
from lib.microbenchmarks import run_benchmark, runs_of
from lib.texts import ROOT, add_corpus_option, find_corpus


BOUNDS = {"bag trained": 100000, "bag encoded": 300000}


def trained(program, text, model, encoder, options):
    """Train; return sentences a second."""
    _, said = acevec.call([program, "sentence", "-train", text, "-output", model, "-tokens", "words",
                           "-threads", str(options.threads), "-size", str(options.size), "-iter",
                           "1", "-encoder", encoder])
    speed = re.search(r"^trained in .* ([\d,]+) sentences/s", said.replace("\r", "\n"), re.M)
    if not speed:
        raise UserError("acevec does not say how fast it trained; is it this version's?")
    return acevec.number(speed[1])


def encoded(program, text, model, lines, options, folder):
    """Encode; return sentences a second."""
    log = os.path.join(folder, "log")
    with open(text, "rb") as stream:
        spent = acevec.measure([program, "sentence", "encode", model, "-threads",
                                str(options.threads), "-output",
                                os.path.join(folder, "vectors.npy")], log, stream)
    return lines / spent.seconds


def show_products(program):
    """Print how near a gated unit comes to sgemm."""
    runs = runs_of(run_benchmark(program, ["--benchmark_repetitions=5", "--benchmark_min_time=0.2",
                                           "--benchmark_enable_random_interleaving=true"]))
    rates = {name: statistics.median(run["GFLOP/s"] for run in entries)
             for name, entries in runs.items()}
    for name, rate in rates.items():
        print(f"gru {name}\t{rate:.1f} GFLOP/s\t{100 * rate / rates['sgemm']:.0f}% of sgemm\tbound 50%")


def main():
    parser = Parser(description=__doc__)
    add_corpus_option(parser)
    parser.add_argument("--threads", type=count, default=2, help="default: 2")
    parser.add_argument("--size", type=count, default=100, help="of each network; default: 100")
    parser.add_argument("--repeats", type=count, default=3, help="default: 3")
    parser.add_argument("--encoders", default="bag,gru", help="default: %(default)s")
    parser.add_argument("--lines", type=count, default=20000, help="of gated units; default: 20000")
    parser.add_argument("--products", metavar="BENCH_GRU", help="default: %(default)s",
                        default=os.path.join(ROOT, "build", "bench_gru"))
    options = parser.parse_args()
    program = acevec.find_acevec()
    with tempfile.TemporaryDirectory(prefix="acevec-sentences-") as folder:
        text, model = os.path.join(folder, "text"), os.path.join(folder, "model")
        corpus = find_corpus(options.corpus, folder, "enwiki-articles.txt.gz")
        sentences = acevec.call([program, "text", corpus, "-split", "sentences"])[0].split("\n")[:-1]
        for encoder in options.encoders.split(","):
            part = sentences[:options.lines] if encoder == "gru" else sentences
            with open(text, "w", encoding="utf-8") as stream:
                stream.writelines(line + "\n" for line in part)
            speeds = [(trained(program, text, model, encoder, options),
                       encoded(program, text, model, len(part), options, folder))
                      for _ in range(options.repeats)]
            for what, values in zip((f"{encoder} trained", f"{encoder} encoded"), zip(*speeds)):
                bound = f"\tbound {BOUNDS[what]:,}" if what in BOUNDS else ""
                print(f"{what}\t{statistics.median(values):,.0f} sentences/s\t"
                      f"({min(values):,.0f}..{max(values):,.0f}){bound}")
    if "gru" in options.encoders.split(","):
        show_products(options.products)
    return 0


if __name__ == "__main__":
    run(main)
