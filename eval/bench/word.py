#!/usr/bin/env python3
"""Compare acevec's time, memory and quality with fasttext's (and gensim's) at equal settings.

Skip-gram with window 5, negative 5, sample 1e-4, minimum count 5, learning rate 0.025, no
subwords; all tools read the same plain text. The tools take turns (acevec, fasttext, acevec, ...),
so that a change in the machine's speed meets all of them, and a ratio is the median over the turns
of the other tool's time divided by acevec's, for the whole process and for training alone. Turn n
has seed n with every tool. A gzipped corpus is unpacked first; one more row, acevec.gz, is then
acevec reading the gzipped file itself.

Quality is Spearman's rho x100 on WS353 and RW over the covered pairs (eval/tools/wordsim.py), mean and
standard deviation over the turns; with the same corpus and minimum count the tools cover the same
pairs. fasttext's training time is computed from the words per second that it prints. Nothing here
passes or fails: times are printed, never judged.
"""

import os
import re
import shutil
import tempfile
from statistics import median

from lib import acevec, grid, interpreter, stats, tables, texts
from lib.cli import Parser, count, numbers, run, say

COLUMNS = ("tool", "size", "threads", "iter", "round", "seed", "seconds", "reading_seconds",
           "training_seconds", "peak_mib", "ws353", "rw")

# gensim is a library; this is the program it is measured by, which reports in acevec's words.
# Arguments as in gensim_command.
GENSIM = """
import sys, time
from gensim.models.word2vec import LineSentence, Word2Vec
corpus, output, size, threads, epochs, seed = sys.argv[1:]
model = Word2Vec(sg=1, vector_size=int(size), window=5, negative=5, sample=1e-4, min_count=5,
                 alpha=0.025, workers=int(threads), epochs=int(epochs), seed=int(seed))
start = time.perf_counter()
model.build_vocab(LineSentence(corpus))
read = time.perf_counter()
print("read %d tokens in %.3f s" % (model.corpus_total_words, read - start), file=sys.stderr)
model.train(LineSentence(corpus), total_examples=model.corpus_count, epochs=model.epochs)
print("trained in %.3f s" % (time.perf_counter() - read), file=sys.stderr)
model.wv.save_word2vec_format(output, binary=True)
"""


def acevec_command(program, corpus, output, size, threads, iterations, seed):
    """Return (command, path of the vectors it will write)."""
    vectors = output + ".bin"
    return acevec.training_command(program, corpus, vectors, {
        "size": size, "threads": threads, "iter": iterations, "seed": seed}), vectors


def fasttext_command(program, corpus, output, size, threads, iterations, seed):
    """Return (command, path of the vectors it will write)."""
    return [program, "skipgram", "-input", corpus, "-output", output, "-dim", str(size),
            "-ws", "5", "-neg", "5", "-t", "1e-4", "-epoch", str(iterations), "-minn", "0",
            "-maxn", "0", "-bucket", "1", "-minCount", "5", "-lr", "0.025", "-thread",
            str(threads), "-seed", str(seed)], output + ".vec"


def gensim_command(program, corpus, output, size, threads, iterations, seed):
    """Return (command, path of the vectors it will write); program is a Python with gensim."""
    vectors = output + ".bin"
    return [program, "-c", GENSIM, corpus, vectors, str(size), str(threads), str(iterations),
            str(seed)], vectors


COMMANDS = {"acevec": acevec_command, "acevec.gz": acevec_command, "fasttext": fasttext_command,
            "gensim": gensim_command}


def fasttext_training_seconds(log, threads, iterations, corpus_size):
    """Return the time that fasttext trained, from the rate it prints last; None if it does not.

    corpus_size: what texts.size_of returns. To fasttext a line end is one more word.
    """
    rates = re.findall(r"words/sec/thread: +([1-9][0-9]*)", log)
    return sum(corpus_size) * iterations / (int(rates[-1]) * threads) if rates else None


def train(program, corpus, corpus_size, scratch, run_of, sets):
    """Train once and score the vectors, which are not kept; return the row's other columns.

    A value that is not known (fasttext's reading time, quality without sets) is None.
    """
    tool, size, threads, epochs, _, seed = (run_of[name] for name in COLUMNS[:6])
    with tempfile.TemporaryDirectory(dir=scratch) as own:
        output, log = os.path.join(own, "vectors"), os.path.join(own, "log")
        command, vectors = COMMANDS[tool](program, corpus, output, size, threads, epochs, seed)
        seconds, peak = acevec.measure(command, log)
        said = acevec.read_log(log)
        rho = acevec.quality(vectors, sets)
    report = acevec.report(said)
    training = (fasttext_training_seconds(said, threads, epochs, corpus_size)
                if tool == "fasttext" else report["training_seconds"])
    return dict(zip(COLUMNS[6:], (seconds, report["reading_seconds"], training, peak,
                                  rho.get("ws353"), rho.get("rw"))))


def find_programs(tools):
    """Return {tool: program}; a tool other than acevec that is missing is left out with a line."""
    programs = {}
    for tool in tools:
        if tool == "acevec":
            programs[tool] = acevec.find_acevec()
        elif tool == "fasttext":
            programs[tool] = shutil.which("fasttext")
        else:
            programs[tool] = interpreter.find("gensim")
        if not programs[tool]:
            say(f"found no {tool}, so it is left out; install it (Debian: "
                f"{'fasttext' if tool == 'fasttext' else 'python3-gensim'}) to compare")
            del programs[tool]
    return programs


def summarise(rows, tokens):
    """Print a line for each tool, size and threads; tokens: in the corpus."""
    groups = {}
    for row in rows:
        groups.setdefault((row["size"], row["threads"], row["tool"]), []).append(row)

    def known(group, column):
        return [row[column] for row in group if row[column] is not None]

    def middle(group, column, form, over=None):
        values = known(group, column)
        if not values or not median(values):
            return "-"
        return form.format(over / median(values) if over else median(values))

    def spread(group, column):
        values = known(group, column)
        return stats.mean_text(values, 1) if values else "-"

    def ratio(group, acevec, column):
        own = {row["round"]: row[column] for row in acevec}
        ratios = [row[column] / own[row["round"]] for row in group
                  if row[column] and own.get(row["round"])]
        return f"{median(ratios):.2f} ({min(ratios):.1f}..{max(ratios):.1f})" if ratios else "-"

    if rows:
        print("tool      size thr runs seconds training read Mtok/s peak MiB      WS353         RW  "
              "time/acevec's (min..max)  training/acevec's")
    for (size, threads, tool), group in groups.items():
        acevec = groups.get((size, threads, "acevec"), [])
        ratios = "" if tool == "acevec" else (f"{ratio(group, acevec, 'seconds'):25} "
                                              f"{ratio(group, acevec, 'training_seconds')}")
        print(f"{tool:9} {size:>4} {threads:>3} {len(group):>4} "
              f"{middle(group, 'seconds', '{:.2f}'):>7} "
              f"{middle(group, 'training_seconds', '{:.2f}'):>8} "
              f"{middle(group, 'reading_seconds', '{:.1f}', tokens / 1e6):>11} "
              f"{middle(group, 'peak_mib', '{:.0f}'):>8} {spread(group, 'ws353'):>10} "
              f"{spread(group, 'rw'):>10}  {ratios}".rstrip())


def tool_names(text):
    """Parse `acevec,fasttext` (for argparse)."""
    names = text.split(",")
    if not set(names) <= {"acevec", "fasttext", "gensim"}:
        raise ValueError(text)
    return list(dict.fromkeys(names))


def parse_arguments():
    parser = Parser(description=__doc__)
    texts.add_corpus_option(parser)
    add = parser.add_argument
    add("--sizes", type=numbers, default=[100, 300], metavar="N,..",
        help="vector sizes (100,300)")
    add("--threads", type=numbers, default=[1, 2], metavar="N,..",
        help="numbers of threads (1,2)")
    add("--rounds", type=count, default=3, metavar="N", help="turns of each tool (3)")
    add("--tools", type=tool_names, default=["acevec", "fasttext"], metavar="NAME,..",
        help="of acevec,fasttext,gensim, in the order of their turns (acevec,fasttext)")
    add("--seeds", type=numbers, metavar="N,..",
        help="seeds of the rounds, taken in a circle (1,2,3,...)")
    add("--iter", type=count, default=1, metavar="N", help="passes over the corpus (1)")
    texts.add_wordsim_option(parser)
    add("--out", metavar="FILE", default=os.path.join(texts.RESULTS, "bench-word.tsv"),
        help="table of all runs (eval/results/bench-word.tsv)")
    return parser.parse_args()


def plan(options, tools):
    """The runs in their order, in which the tools take turns."""
    seeds = options.seeds or list(range(1, options.rounds + 1))
    return [{"tool": tool, "size": size, "threads": threads, "iter": options.iter,
             "round": turn + 1, "seed": seeds[turn % len(seeds)]}
            for size in options.sizes for threads in options.threads
            for turn in range(options.rounds) for tool in tools]


def main():
    options = parse_arguments()
    programs = find_programs(options.tools)
    sets = texts.find_sets(options.wordsim, ("ws353", "rw"))

    with tempfile.TemporaryDirectory(prefix="acevec-bench-") as scratch:
        corpus = texts.find_corpus(options.corpus, scratch)
        plain = texts.unpacked(corpus, scratch)
        corpus_size = texts.size_of(plain)
        if plain != corpus and "acevec" in programs:
            programs["acevec.gz"] = programs["acevec"]
        name = f"{os.path.basename(corpus)}, {corpus_size[0]} tokens"
        print(f"corpus: {name}", flush=True)
        table = tables.Table(options.out, COLUMNS, {"corpus": name})
        tables.write(table)  # anew: runs of another day are not to be compared with
        try:
            grid.complete(
                plan(options, programs),
                lambda run_of: train(programs[run_of["tool"]],
                                     corpus if run_of["tool"] == "acevec.gz" else plain,
                                     corpus_size, scratch, run_of, sets), table)
        finally:  # also when interrupted or when a tool fails: what is done is shown
            rows = tables.read(options.out)
            summarise(rows, corpus_size[0])
            print(f"{len(rows)} runs in {os.path.relpath(options.out)}", flush=True)
    return 0


if __name__ == "__main__":
    run(main)
