#!/usr/bin/env python3
"""Compare acevec's time, memory and quality with fasttext's (and gensim's) at equal settings.

Skip-gram with window 5, negative 5, sample 1e-4, minimum count 5, learning rate 0.025, no
subwords; all tools read the same plain text. The tools take turns (acevec, fasttext, acevec, ...),
so that a change in the machine's speed meets all of them, and the ratio is the median over the
turns of the other tool's whole-process time divided by acevec's. A gzipped corpus is unpacked
first; one more row, acevec.gz, is then acevec reading the gzipped file itself.

Quality is Spearman's rho x100 on WS353 and RW over the covered pairs (eval/wordsim.py); with the
same corpus and minimum count the tools cover the same pairs. Nothing here passes or fails: times
are printed, never judged. Peak memory is in MB (10^6 bytes). Standard library only: see measure.
"""

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
EVAL = os.path.dirname(HERE)
ROOT = os.path.dirname(EVAL)
sys.path.insert(0, EVAL)

import interpreter
from cli import Parser, UserError, run, say

COLUMNS = ("tool", "size", "threads", "iter", "round", "seed", "seconds", "training_seconds",
           "peak_mb", "ws353", "rw", "corpus")
SETS = ("ws353", "rw")
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, else in KiB

# gensim is a library; this is the program it is measured by. Arguments as in gensim_command.
GENSIM = """
import sys, time
from gensim.models.word2vec import LineSentence, Word2Vec
corpus, output, size, threads, epochs, seed = sys.argv[1:]
model = Word2Vec(sg=1, vector_size=int(size), window=5, negative=5, sample=1e-4, min_count=5,
                 alpha=0.025, workers=int(threads), epochs=int(epochs), seed=int(seed))
model.build_vocab(LineSentence(corpus))
start = time.perf_counter()
model.train(LineSentence(corpus), total_examples=model.corpus_count, epochs=model.epochs)
print("trained in %.3f s" % (time.perf_counter() - start), file=sys.stderr)
model.wv.save_word2vec_format(output, binary=True)
"""


def acevec_command(program, corpus, output, size, threads, iterations, seed):
    """Return (command, path of the vectors it will write)."""
    vectors = output + ".bin"
    return [program, "-train", corpus, "-output", vectors, "-size", str(size), "-window", "5",
            "-negative", "5", "-sample", "1e-4", "-iter", str(iterations), "-min-count", "5",
            "-alpha", "0.025", "-threads", str(threads), "-seed", str(seed)], vectors


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


def measure(command, log):
    """Run command with its output in the file log; return (wall seconds, peak RSS in MB).

    A process's recorded peak includes the memory of the process that started it, so this one has
    to stay small: quality is measured in a process of its own, and numpy is never loaded here.
    Raises UserError with the end of the log when the command fails.
    """
    with open(log, "wb") as stream:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream,
                                   stderr=stream)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            raise
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        lines = read_log(log).split("\n")
        raise UserError(f"{os.path.basename(command[0])} failed with status "
                        f"{process.returncode} ({lines[-1][:200]}); run it by hand: "
                        f"{shlex.join(command)[:400]}")
    return seconds, usage.ru_maxrss * RSS_UNIT / 1e6


def read_log(log):
    """What a program printed, stripped; progress overwritten by carriage returns becomes lines."""
    with open(log, encoding="utf-8", errors="replace") as stream:
        return stream.read().strip().replace("\r", "\n")


def quality(vectors, directory):
    """Return {set: rho x100 on covered pairs} for the sets there are; {} and a line on failure."""
    sets = [os.path.join(directory, name + ".tsv") for name in SETS]
    sets = [path for path in sets if os.path.exists(path)]
    scoring = subprocess.run(
        [sys.executable, os.path.join(EVAL, "wordsim.py"), "--tsv", vectors, *sets],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    rows = [line.split("\t") for line in scoring.stdout.splitlines()[1:]]
    if not rows:
        say(f"no quality: {scoring.stderr.strip()}")
    return {row[0]: float(row[3]) for row in rows if row[3] != "nan"}


def one_run(tool, program, corpus, scratch, size, threads, iterations, turn, seed, sets):
    """Train once and score the vectors, which are not kept; return a row: COLUMNS -> value.

    A value that is not known (no training time reported, no sets) is None.
    """
    with tempfile.TemporaryDirectory(dir=scratch) as own:
        output, log = os.path.join(own, "vectors"), os.path.join(own, "log")
        command, vectors = COMMANDS[tool](program, corpus, output, size, threads, iterations, seed)
        seconds, peak = measure(command, log)
        trained = re.search(r"trained in ([0-9.]+) s", read_log(log))
        rho = quality(vectors, sets) if sets else {}
    return dict(zip(COLUMNS, (
        tool, size, threads, iterations, turn, seed, seconds,
        float(trained[1]) if trained else None, peak, rho.get("ws353"), rho.get("rw"),
        os.path.basename(corpus))))


def cell(value):
    """A value as the table of runs has it."""
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def find_corpus(given, scratch):
    """Return the path of the corpus to use, the glosses of WordNet if there is no other."""
    standard = os.path.join(ROOT, os.pardir, "shared", "data", "corpus", "enwiki.txt.gz")
    path = given or os.environ.get("ACEVEC_CORPUS")
    if not path and os.path.exists(standard):
        path = os.path.relpath(standard)
    if path:
        with open(path, "rb"):  # it is said now, not by the first tool, when it cannot be read
            return path
    path = os.path.join(scratch, "wordnet-glosses.txt")
    script = os.path.join(ROOT, "data", "wordnet-glosses")
    made = subprocess.run([script, path], stderr=subprocess.PIPE, universal_newlines=True)
    if made.returncode:
        raise UserError(f"no corpus: {made.stderr.strip()}; or give --corpus FILE")
    return path


def unpacked(path, scratch):
    """Return the path of path's plain text: path itself, or its unpacked copy in scratch."""
    with open(path, "rb") as stream:
        if stream.read(2) != b"\x1f\x8b":
            return path
    plain = os.path.join(scratch, re.sub(r"\.gz$", "", os.path.basename(path)) or "corpus")
    try:
        with gzip.open(path) as packed, open(plain, "wb") as copy:
            shutil.copyfileobj(packed, copy, 1 << 20)
    except (EOFError, gzip.BadGzipFile):
        raise UserError(f"{path}: damaged gzip data; download or make it again") from None
    return plain


def find_programs(tools):
    """Return {tool: program}; a tool other than acevec that is missing is left out with a line."""
    programs = {}
    for tool in tools:
        if tool == "acevec":
            wanted = os.environ.get("ACEVEC") or os.path.join(ROOT, "build", "acevec")
            programs[tool] = shutil.which(wanted)
            if not programs[tool]:
                raise UserError(f"found no program {wanted}; build it (make) or set ACEVEC")
        elif tool == "fasttext":
            programs[tool] = shutil.which("fasttext")
        else:
            programs[tool] = interpreter.find("gensim")
        if not programs[tool]:
            say(f"found no {tool}, so it is left out; install it (Debian: "
                f"{'fasttext' if tool == 'fasttext' else 'python3-gensim'}) to compare")
            del programs[tool]
    return programs


def summarise(rows):
    """Print the table of medians, one line per tool, size and threads."""
    if not rows:
        return
    groups = {}
    for row in rows:
        groups.setdefault((row["size"], row["threads"], row["tool"]), []).append(row)

    def middle(group, column, form):
        values = [row[column] for row in group if row[column] is not None]
        return form.format(median(values)) if values else "-"

    print(f"{'tool':<10} {'size':>4} {'threads':>7} {'runs':>4} {'seconds':>9} {'training':>9} "
          f"{'peak MB':>8} {'WS353':>6} {'RW':>6}  time/acevec (min..max)")
    for (size, threads, tool), group in groups.items():
        acevec = {row["round"]: row["seconds"] for row in groups.get((size, threads, "acevec"), [])}
        ratios = [row["seconds"] / acevec[row["round"]] for row in group if row["round"] in acevec]
        ratio = f"{median(ratios):.2f} ({min(ratios):.2f}..{max(ratios):.2f})" if ratios else "-"
        print(f"{tool:<10} {size:>4} {threads:>7} {len(group):>4} "
              f"{middle(group, 'seconds', '{:.2f}'):>9} "
              f"{middle(group, 'training_seconds', '{:.2f}'):>9} "
              f"{middle(group, 'peak_mb', '{:.0f}'):>8} {middle(group, 'ws353', '{:.1f}'):>6} "
              f"{middle(group, 'rw', '{:.1f}'):>6}  {'' if tool == 'acevec' else ratio}")


def numbers(text):
    """Parse `1,2,3`, each at least 1 (for argparse)."""
    values = [int(part) for part in text.split(",")]
    if min(values) < 1:
        raise ValueError(text)
    return values


def tool_names(text):
    """Parse `acevec,fasttext` (for argparse)."""
    names = text.split(",")
    if not set(names) <= {"acevec", "fasttext", "gensim"}:
        raise ValueError(text)
    return list(dict.fromkeys(names))


def count(text):
    """Parse a number that is at least 1 (for argparse)."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--corpus", metavar="FILE", help="text or .gz; default: $ACEVEC_CORPUS, else the English "
        "Wikipedia sample if it is there, else WordNet's glosses")
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
    add("--wordsim", metavar="DIR", help="directory of ws353.tsv and rw.tsv; default: "
        "../shared/data/wordsim or data/wordsim if present")
    add("--out", metavar="FILE", default=os.path.join(ROOT, "eval", "results", "bench-word.tsv"),
        help="table of all runs (eval/results/bench-word.tsv)")
    return parser.parse_args()


def main():
    options = parse_arguments()
    programs = find_programs(options.tools)
    seeds = options.seeds or list(range(1, options.rounds + 1))
    sets = options.wordsim
    if not sets:
        places = (os.path.join(ROOT, os.pardir, "shared", "data", "wordsim"),
                  os.path.join(ROOT, "data", "wordsim"))
        sets = next((place for place in places if os.path.isdir(place)), None)
    if not sets or not any(os.path.exists(os.path.join(sets, name + ".tsv")) for name in SETS):
        say(f"found no {' or '.join(name + '.tsv' for name in SETS)}, so quality is left out; "
            "run data/get-wordsim.sh or give --wordsim DIR")
        sets = None

    rows = []
    with tempfile.TemporaryDirectory(prefix="acevec-bench-") as scratch:
        corpus = find_corpus(options.corpus, scratch)
        plain = unpacked(corpus, scratch)
        if plain != corpus and "acevec" in programs:
            programs["acevec.gz"] = programs["acevec"]
        name = "data/wordnet-glosses" if corpus.startswith(scratch) else corpus
        print(f"corpus: {name} ({os.path.getsize(plain) / 1e6:.1f} MB of text)", flush=True)
        turns = [(size, threads, turn, tool) for size in options.sizes
                 for threads in options.threads for turn in range(options.rounds)
                 for tool in programs]
        os.makedirs(os.path.dirname(os.path.abspath(options.out)), exist_ok=True)
        with open(options.out, "w", encoding="utf-8", buffering=1) as table:
            print(*COLUMNS, sep="\t", file=table)
            try:
                for size, threads, turn, tool in turns:
                    row = one_run(tool, programs[tool], corpus if tool == "acevec.gz" else plain,
                                  scratch, size, threads, options.iter, turn + 1,
                                  seeds[turn % len(seeds)], sets)
                    rows.append(row)
                    print(*map(cell, row.values()), sep="\t", file=table)
                    print(f"{len(rows)}/{len(turns)}: {tool}, size {size}, threads {threads}: "
                          f"{row['seconds']:.2f} s", file=sys.stderr, flush=True)
            finally:  # also when interrupted or when a tool fails: what is done is shown
                summarise(rows)
                print(f"{len(rows)} runs in {os.path.relpath(options.out)}", flush=True)
    return 0


if __name__ == "__main__":
    run(main)
