#!/usr/bin/env python3
"""Compare acevec's time, memory and quality with other tools' at equal settings.

The tools are fasttext and gensim of Debian; word2vec.c, on the PATH; and pWord2Vec (IntelLabs; negatives
shared in a window, products of matrices), given by --pword2vec. Since June 2017 word2vec.c never resets `eof`: a
thread that reaches the end of the file, such as the only one, ends each later epoch after a word. This
mends it, in the folder of its sources:

    sed -i 's/^ *last_word_count = 0;$/& eof = 0;/' word2vec.c && make word2vec

In pWord2Vec's, with libopenblas-dev:

    printf '#include <cblas.h>\n#include <immintrin.h>\n#define mkl_set_num_threads openblas_set_num_threads\n' >mkl.h
    g++ -std=c++11 -Ofast -march=native -fopenmp -DUSE_MKL -I. pWord2Vec.cpp -o pWord2Vec -lopenblas

OpenBLAS itself has one thread in each of pWord2Vec's (OPENBLAS_NUM_THREADS=1 unless it is set). Set
OPENBLAS_CORETYPE=SkylakeX where the processor has AVX-512: OpenBLAS 0.3.21 takes AVX2 on some that do, and
pWord2Vec then needs twice the time.

Window 5, negative 5, sample 1e-4, minimum count 5; all tools read the same plain text. --model says
what is trained: skip-gram, skip-gram with n-grams of 3 to 6 characters in 2,000,000 buckets, where
every tool writes its binary model, or CBOW. The rate is 0.025, with n-grams and for CBOW each tool's
own default (acevec's 0.025 and 0.1, fasttext's and word2vec.c's 0.05, gensim's 0.025) unless --alpha
says another, or --rates usual each tool's default. word2vec.c and pWord2Vec have no n-grams and no seeds.
The tools take turns (acevec, fasttext, acevec, ...),
so that a change in the machine's speed meets all of them, and a ratio is the median over the turns
of the other tool's time divided by acevec's, for the whole process and for training alone. Before each
run the script waits, at most for --wait seconds, until other programs keep less than a tenth of the processors
busy; column busy has the share. Turn n has seed n with every tool. A gzipped corpus is unpacked first; one more row, acevec.gz, is then
acevec reading the gzipped file itself.

Quality is Spearman's rho x100 over the pairs whose words both have vectors, for RW also over all
pairs (eval/tools/wordsim.py, of models `acevec similarity`), mean and standard deviation over the
turns, and the mean of the seven sets where all are there; with the same corpus and minimum count the tools cover the same pairs. fasttext's training time is computed from the words per second that it prints. Nothing here
passes or fails: times are printed, never judged.
"""

import os
import re
import shutil
import tempfile
from statistics import fmean, median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from lib import acevec, grid, interpreter, stats, tables, texts
from lib.cli import Parser, count, numbers, run, say

RUN = ("tool", "model", "alpha", "size", "threads", "iter", "round", "seed")
# The mean is over these.
SETS = ("ws353", "rw", "mturk287", "men", "mturk771", "simlex999", "simverb3500")
QUALITY = (*SETS, "mean", "rw_all")
COLUMNS = (*RUN, "busy", *acevec.Spent._fields, "reading_seconds", "training_seconds",
           *QUALITY)

ALPHAS = {"skipgram": dict.fromkeys(("acevec", "fasttext", "gensim", "word2vec", "pword2vec"), 0.025),
          "subwords": {"acevec": 0.025, "fasttext": 0.05, "gensim": 0.025},
          "cbow": {"acevec": 0.1, "fasttext": 0.05, "gensim": 0.025, "word2vec": 0.05}}
USUAL_ALPHAS = {"skipgram": {**ALPHAS["skipgram"], "fasttext": 0.05}, "subwords": ALPHAS["subwords"],
                "cbow": {**ALPHAS["cbow"], "acevec": 0.025}}
SUBWORDS = {"minn": 3, "maxn": 6, "bucket": 2000000}

# gensim is a library; this is the program it is measured by, which reports in acevec's words.
# Arguments as in gensim_command.
GENSIM = """
import sys, time
from gensim.models import FastText, Word2Vec
from gensim.models.fasttext import save_facebook_model
from gensim.models.word2vec import LineSentence
corpus, output, model, alpha, size, threads, epochs, seed = sys.argv[1:]
settings = dict(sg=int(model != "cbow"), vector_size=int(size), window=5, negative=5, sample=1e-4,
                min_count=5, alpha=float(alpha), workers=int(threads), epochs=int(epochs),
                seed=int(seed))
if model == "subwords":
    trained = FastText(min_n=3, max_n=6, bucket=2000000, **settings)
else:
    trained = Word2Vec(**settings)
start = time.perf_counter()
trained.build_vocab(LineSentence(corpus))
read = time.perf_counter()
print("read %d tokens in %.3f s" % (trained.corpus_total_words, read - start), file=sys.stderr)
trained.train(LineSentence(corpus), total_examples=trained.corpus_count, epochs=trained.epochs,
              total_words=trained.corpus_total_words)
print("trained in %.3f s" % (time.perf_counter() - read), file=sys.stderr)
if model == "subwords":
    save_facebook_model(trained, output + ".model")
trained.wv.save_word2vec_format(output + ".bin", binary=True)
"""


def acevec_command(program, corpus, output, run_of):
    """Return (command, paths of the vectors and the model that it will write; no model: None)."""
    vectors = output + ".bin"
    settings = {name: run_of[name] for name in ("alpha", "size", "threads", "iter", "seed")}
    if run_of["model"] == "cbow":
        settings["cbow"] = 1
    command = acevec.training_command(program, corpus, vectors, settings)
    if run_of["model"] != "subwords":
        return command, vectors, None
    for name, value in SUBWORDS.items():
        command += ["-" + name, str(value)]
    return [*command, "-output-model", output + ".model"], vectors, output + ".model"


def fasttext_command(program, corpus, output, run_of):
    """Return what acevec_command returns."""
    is_subwords = run_of["model"] == "subwords"
    command = [program, "cbow" if run_of["model"] == "cbow" else "skipgram", "-input", corpus,
               "-output", output, "-dim", run_of["size"], "-ws", 5, "-neg", 5, "-t", "1e-4",
               "-epoch", run_of["iter"], "-minCount", 5, "-lr", run_of["alpha"], "-thread",
               run_of["threads"], "-seed", run_of["seed"]]
    for name, value in (SUBWORDS if is_subwords else {"minn": 0, "maxn": 0, "bucket": 1}).items():
        command += ["-" + name, value]
    return [*map(str, command)], output + ".vec", output + ".bin" if is_subwords else None


def gensim_command(program, corpus, output, run_of):
    """Return what acevec_command returns; program is a Python with gensim."""
    names = ("model", "alpha", "size", "threads", "iter", "seed")
    return ([program, "-c", GENSIM, corpus, output, *(str(run_of[name]) for name in names)],
            output + ".bin", output + ".model" if run_of["model"] == "subwords" else None)


def word2vec_command(program, corpus, output, run_of):
    """Return what acevec_command returns."""
    command = [program, "-train", corpus, "-output", output + ".bin", "-binary", 1, "-cbow",
               int(run_of["model"] == "cbow"), "-size", run_of["size"], "-window", 5, "-negative", 5,
               "-hs", 0, "-sample", "1e-4", "-min-count", 5, "-iter", run_of["iter"], "-alpha",
               run_of["alpha"], "-threads", run_of["threads"]]
    return [*map(str, command)], output + ".bin", None


def pword2vec_command(program, corpus, output, run_of):
    """Return what acevec_command returns. Its options are word2vec.c's, but for -cbow and -hs."""
    command, vectors, model = word2vec_command(program, corpus, output, run_of)
    for name in ("-cbow", "-hs"):
        at = command.index(name)
        del command[at:at + 2]
    return command, vectors, model


COMMANDS = {"acevec": acevec_command, "acevec.gz": acevec_command, "fasttext": fasttext_command,
            "gensim": gensim_command, "word2vec": word2vec_command, "pword2vec": pword2vec_command}
INSTALL = {"fasttext": "Debian: fasttext", "gensim": "Debian: python3-gensim",
           "word2vec": "from its sources, mended as --help says, onto the PATH",
           "pword2vec": "from its sources, as --help says, and give its path by --pword2vec"}


def fasttext_training_seconds(log, threads, iterations, corpus_size):
    """Return the time that fasttext trained, from the rate it prints last; None if it does not.

    corpus_size: what texts.size_of returns. To fasttext a line end is one more word.
    """
    rates = re.findall(r"words/sec/thread: +([1-9][0-9]*)", log)
    return sum(corpus_size) * iterations / (int(rates[-1]) * threads) if rates else None


def train(program, corpus, corpus_size, scratch, run_of, sets, wait):
    """Train once and score the vectors, which are not kept; return the row's other columns.

    A value that is not known (fasttext's reading time, quality without sets) is None.
    """
    tool = run_of["tool"]
    busy = acevec.wait_until_quiet(patience=wait)
    with tempfile.TemporaryDirectory(dir=scratch) as own:
        output, log = os.path.join(own, "vectors"), os.path.join(own, "log")
        command, vectors, model = COMMANDS[tool](program, corpus, output, run_of)
        spent = acevec.measure(command, log)
        said = acevec.read_log(log)
        rho = acevec.quality(vectors, sets)
        rho["mean"] = fmean(rho[name] for name in SETS) if rho.keys() >= set(SETS) else None
        rho["rw_all"] = acevec.quality_of_all(model or vectors, sets).get("rw")
    report = acevec.report(said)
    training = (fasttext_training_seconds(said, run_of["threads"], run_of["iter"], corpus_size)
                if tool == "fasttext" else report["training_seconds"])
    return {"busy": busy, **spent._asdict(), "reading_seconds": report["reading_seconds"],
            "training_seconds": training,
            **{name: rho.get(name) for name in QUALITY}}


def find_programs(tools, pword2vec):
    """Return {tool: program}; a tool other than acevec that is missing is left out with a line.

    pword2vec: that program's path, or None.
    """
    programs = {}
    for tool in tools:
        if tool == "acevec":
            programs[tool] = acevec.find_acevec()
        elif tool == "gensim":
            programs[tool] = interpreter.find("gensim")
        else:
            programs[tool] = shutil.which(pword2vec or "" if tool == "pword2vec" else tool)
        if not programs[tool]:
            say(f"found no {tool}, so it is left out; install it ({INSTALL[tool]}) to compare")
            del programs[tool]
    return programs


def summarise(rows, tokens):
    """Print a line for each tool, size, threads and epochs; tokens: in the corpus."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in RUN[:6]), []).append(row)

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

    def ratio(group, column):
        """Against acevec's run of the same turn, at the same rate where it has one."""
        first = group[0]
        own = {row["round"]: row[column]
               for row in sorted(rows, key=lambda row: row["alpha"] == first["alpha"])
               if row["tool"] == "acevec"
               and all(row[name] == first[name] for name in ("model", "size", "threads", "iter"))}
        ratios = [row[column] / own[row["round"]] for row in group
                  if row[column] and own.get(row["round"])]
        return f"{median(ratios):.2f} ({min(ratios):.1f}..{max(ratios):.1f})" if ratios else "-"

    if rows:
        print("tool      model    alpha size thr iter runs seconds training read Mtok/s peak MiB      "
              "WS353         RW     MTurk287        MEN   MTurk771     SimLex    SimVerb       Mean   RW (all)  "
              "time/acevec's (min..max)  training/acevec's")
    for (tool, model, alpha, size, threads, epochs), group in groups.items():
        ratios = "" if tool == "acevec" else (f"{ratio(group, 'seconds'):25} "
                                              f"{ratio(group, 'training_seconds')}")
        print(f"{tool:9} {model:8} {alpha:>5} {size:>4} {threads:>3} {epochs:>4} {len(group):>4} "
              f"{middle(group, 'seconds', '{:.2f}'):>7} "
              f"{middle(group, 'training_seconds', '{:.2f}'):>8} "
              f"{middle(group, 'reading_seconds', '{:.1f}', tokens / 1e6):>11} "
              f"{middle(group, 'peak_mib', '{:.0f}'):>8} "
              + " ".join(f"{spread(group, name):>10}" for name in QUALITY)
              + f"  {ratios}".rstrip())


def names_of(known):
    """Return what parses some of the known names, `acevec,fasttext` (for argparse)."""
    def names(text):
        given = text.split(",")
        if not set(given) <= set(known):
            raise ValueError(text)
        return list(dict.fromkeys(given))
    return names


def rates(text):
    """Parse `0.025,0.05` (for argparse)."""
    return [float(rate) for rate in text.split(",")]


def parse_arguments():
    parser = Parser(description=__doc__)
    texts.add_corpus_option(parser)
    add = parser.add_argument
    add("--sizes", type=numbers, default=[100, 300], metavar="N,..",
        help="vector sizes (100,300)")
    add("--threads", type=numbers, default=[1, 2], metavar="N,..",
        help="numbers of threads (1,2)")
    add("--rounds", type=count, default=3, metavar="N", help="turns of each tool (3)")
    add("--models", type=names_of(ALPHAS), default=["skipgram"], metavar="NAME,..",
        help="of skipgram,subwords,cbow (skipgram)")
    add("--alpha", type=rates, metavar="RATE,..", help="learning rates, of every tool")
    add("--tools", type=names_of(ALPHAS["skipgram"]), default=["acevec", "fasttext"], metavar="NAME,..",
        help="of acevec,fasttext,gensim,word2vec,pword2vec, in the order of their turns (acevec,fasttext)")
    add("--pword2vec", metavar="PROGRAM", help="the program of that tool")
    add("--rates", choices=("same", "usual"), default="same",
        help="learning rates: 0.025 for all with skip-gram, or the default of each tool (same)")
    add("--seeds", type=numbers, metavar="N,..",
        help="seeds of the rounds, taken in a circle (1,2,3,...)")
    add("--iter", type=numbers, default=[1], metavar="N,..", help="passes over the corpus (1)")
    add("--wait", type=int, default=120, metavar="N", help="seconds that a run waits for a quiet machine (120)")
    texts.add_wordsim_option(parser)
    add("--out", metavar="FILE", default=os.path.join(texts.RESULTS, "bench-word.tsv"),
        help="table of all runs (eval/results/bench-word.tsv)")
    return parser.parse_args()


def plan(options, tools):
    """The runs in their order, in which the tools take turns."""
    alphas = USUAL_ALPHAS if options.rates == "usual" else ALPHAS
    seeds = options.seeds or list(range(1, options.rounds + 1))
    return [dict(zip(RUN, (tool, model, alpha, size, threads, epochs, turn + 1,
                           seeds[turn % len(seeds)])))
            for size in options.sizes for threads in options.threads for epochs in options.iter
            for turn in range(options.rounds) for model in options.models
            for tool in tools if tool.split(".")[0] in ALPHAS[model]
            for alpha in options.alpha or [alphas[model][tool.split(".")[0]]]]


def main():
    options = parse_arguments()
    programs = find_programs(options.tools, options.pword2vec)
    sets = texts.find_sets(options.wordsim, SETS)

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
                                     corpus_size, scratch, run_of, sets, options.wait), table)
        finally:  # also when interrupted or when a tool fails: what is done is shown
            rows = tables.read(options.out)
            summarise(rows, corpus_size[0])
            print(f"{len(rows)} runs in {os.path.relpath(options.out)}", flush=True)
    return 0


if __name__ == "__main__":
    run(main)
