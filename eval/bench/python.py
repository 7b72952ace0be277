#!/usr/bin/env python3
"""Compare training from Python (python/) with the command line, on a text of lines and tokens.

    program     acevec -train CORPUS
    path        acevec.train(CORPUS)
    generator   acevec.train(sentences), where a function yields line.split() of each line

All take turns, each in a process of its own; seconds are of the whole process, medians over the turns, and
tokens are those of all epochs. Then one query of random vectors: by numpy, as the module does, by gensim if it
is installed, and by a run of the program. $ACEVEC is the program; numpy is needed.
"""

import os
import sys
import tempfile
from statistics import median

from lib import interpreter
from lib.acevec import find_acevec, measure, read_log, report
from lib.cli import Parser, count, run
from lib.texts import ROOT

GENERATOR = """def sentences():
    with open({corpus!r}, encoding="utf-8") as lines:
        for line in lines:
            yield line.split()
"""
QUERY = """import acevec, time, numpy as np
rows = np.random.default_rng(1).standard_normal(({words}, {size}), np.float32)
np.save({path!r}, rows)
with open({path!r}[:-4] + ".words", "w") as names:
    names.writelines(f"w{{i}}\\n" for i in range({words}))
model = acevec.load({path!r})
def seconds(query):
    start = time.perf_counter(), time.process_time()
    query()
    return time.perf_counter() - start[0], time.process_time() - start[1]
queries = {{"acevec": lambda: model.most_similar("w2"), "program": lambda: acevec.nn({path!r}, "w2")}}
try:
    from gensim.models import KeyedVectors
    vectors = KeyedVectors({size})
    vectors.add_vectors(model.words, rows)
    queries["gensim"] = lambda: vectors.most_similar("w2")
except ImportError:
    pass
print("query\\tseconds\\tprocessor seconds of Python")
for name, query in queries.items():
    query()
    print(name, *(f"{{least:.3f}}" for least in min(seconds(query) for _ in range(10))), sep="\\t")
"""


def commands(options, folder):
    """Return {name: command}."""
    output = os.path.join(folder, "v.npy")
    threads = options.threads
    call = f"import acevec\nacevec.train({{}}, {output!r}, iter={options.iter}, threads={threads})\n"
    program = [find_acevec(), "-train", options.corpus, "-output", output, "-iter", str(options.iter),
               "-threads", str(threads)]
    generator = GENERATOR.format(corpus=options.corpus) + call.format("sentences()")
    return {"program": program, "path": [sys.executable, "-c", call.format(repr(options.corpus))],
            "generator": [sys.executable, "-c", generator]}


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("corpus", help="a text, not packed")
    parser.add_argument("--iter", type=count, default=5, help="epochs (default: 5)")
    parser.add_argument("--threads", type=count, default=os.cpu_count(), help="(default: all)")
    parser.add_argument("--rounds", type=count, default=5, help="turns (default: 5)")
    parser.add_argument("--words", type=count, default=100_000, help="of the query (default: 100,000)")
    parser.add_argument("--size", type=count, default=300, help="of their vectors (default: 300)")
    options = parser.parse_args()
    os.environ.update(ACEVEC=find_acevec(), PYTHONPATH=os.path.join(ROOT, "python"))
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        seconds, processor, tokens = {}, {}, 0
        for _ in range(options.rounds):
            for name, command in commands(options, folder).items():
                spent = measure(command, log)
                seconds.setdefault(name, []).append(spent.seconds)
                processor.setdefault(name, []).append(spent.processor_seconds)
                tokens = options.iter * report(read_log(log))["tokens"]
        print("from", "seconds", "smallest", "tokens a second", "speed", "processor seconds", sep="\t")
        for name, took in seconds.items():
            speed = median(one / other for one, other in zip(seconds["program"], took))
            print(name, f"{median(took):.2f}\t{min(took):.2f}\t{tokens / median(took):,.0f}\t{speed:.3f}\t"
                  f"{median(processor[name]):.2f}", sep="\t")
        measure([sys.executable, "-c", QUERY.format(path=os.path.join(folder, "q.npy"), words=options.words,
                                                    size=options.size)], log)
        print(read_log(log))


if __name__ == "__main__":
    interpreter.require("numpy")
    run(main)
