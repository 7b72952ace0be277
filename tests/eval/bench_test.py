#!/usr/bin/env python3
"""Smoke tests of the benchmarks on tiny texts: that they run, count right and write what they say.

ACEVEC is the program to run, build/acevec when not given. No test looks at a time.
"""

import collections
import gzip
import json
import os
import re
import subprocess
import unittest

from files import ACEVEC, EVAL, PNG, Files, run_script

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib", skip=True)

from bench import scaling, word
from lib import acevec, tables, texts


class Bench(Files):
    def program(self, name, script):
        path = self.write(name, b"#!/bin/sh\n" + script.encode())
        os.chmod(path, 0o755)
        return path

    def run_bench(self, script, *arguments, **environment):
        return run_script(f"bench/{script}", *arguments, **environment)

    def good(self, script, *arguments, **environment):
        done = self.run_bench(script, *arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def bad(self, status, pattern, script, *arguments, **environment):
        """The script must end with the status and one line, which has the pattern."""
        done = self.run_bench(script, *arguments, **environment)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertRegex(done.stderr, rf"\A{os.path.basename(script)}: (?=.*(?:{pattern})).*; .*\n\Z")

    def zipf(self, types=200, tokens=8000):
        text = self.good("zipf.py", types, tokens).stdout.encode()
        return self.write("text.txt", text)

    def check_header(self, table, script):
        with open(table, encoding="utf-8") as stream:
            header = stream.read()
        self.assertRegex(header, rf"\A# made by: eval/bench/{script}.*\n"
                                 r"# cpu: .+, cores: \d+, .*date: \d{4}-\d\d-\d\d\n")
        self.assertNotIn(self.directory, header)


class Common(Bench):
    def test_report(self):
        log = ("read 3,380,180 tokens, 59,683 lines in 0.17 s; kept 29,043 words (of 95,868), "
               "3,272,130 tokens\nnote: treated 2 NUL bytes as white space\n"
               "memory: about 50 MiB, 22,009 MiB available\n"
               "trained in 0.78 s, 4,220,236 tokens/s; mean loss of the last epoch 2.8\n")
        self.assertEqual(acevec.report(log), {
            "tokens": 3380180, "reading_seconds": 0.17, "kept_words": 29043,
            "kept_tokens": 3272130, "training_seconds": 0.78, "predicted_mib": 50})
        self.assertEqual(set(acevec.report("").values()), {None})

    def test_size_of(self):
        for data in (b"", b"a", b" a\tb\r\n\nc", b"ab " * 50000, b"x" * (1 << 17) + b" y\n",
                     b" " * (1 << 16) + b"a", b"a" * (1 << 16) + b" b"):
            text = self.write("text", data)
            self.assertEqual(texts.size_of(text), (len(data.split()), data.count(b"\n")))


class Zipf(Bench):
    def test_every_word_occurs(self):
        tokens = self.good("zipf.py", 5000, 8000).stdout.split()
        self.assertEqual((len(set(tokens)), len(tokens)), (5000, 8000))
        self.bad(2, "more types", "zipf.py", 5000, 4000)


class Word(Bench):
    def test_acevec(self):
        with open(self.zipf(), "rb") as stream:
            corpus = self.write("packed.gz", gzip.compress(stream.read()))
        words = self.good("zipf.py", 200, 400).stdout.split()
        pairs = "".join(f"{a}\t{b}\t{i % 7}\n" for i, (a, b) in enumerate(zip(words, words[1:])))
        self.write("ws353.tsv", pairs.encode())
        table = self.path("table.tsv")
        done = self.good("word.py", "--corpus", corpus, "--wait", "0", "--sizes", "8,16", "--threads", "1",
                         "--rounds", "2", "--tools", "acevec", "--wordsim", self.directory,
                         f"--out={table}")
        self.check_header(table, "word.py")
        rows = tables.read(table)
        self.assertEqual([(row["tool"], row["size"], row["round"], row["seed"]) for row in rows],
                         [(tool, size, turn, turn) for size in (8, 16) for turn in (1, 2)
                          for tool in ("acevec", "acevec.gz")])
        for row in rows:
            for column in ("seconds", "reading_seconds", "training_seconds", "peak_mib", "ws353"):
                self.assertIsNotNone(row[column], (column, row))
            self.assertIsNone(row["rw"])
        # One thread, one seed: the same vectors from either file, and other ones from other seeds.
        self.assertEqual(rows[0]["ws353"], rows[1]["ws353"])
        self.assertNotEqual(rows[0]["ws353"], rows[2]["ws353"])
        self.assertRegex(done.stdout, r"\nacevec +skipgram 0\.025 +16 +1 +1 +2 ")

    def test_models(self):
        words = self.good("zipf.py", 200, 400).stdout.split()
        self.write("rw.tsv", "".join(f"{a}\t{b}\t{i % 7}\n" for i, (a, b)
                                     in enumerate(zip(words, words[1:]))).encode())
        table = self.path("table.tsv")
        self.good("word.py", "--corpus", self.zipf(), "--sizes", "8", "--threads", "1", "--rounds",
                  "1", "--tools", "acevec", "--models", "cbow,subwords", "--alpha", "0.05,0.1", "--wait", "0",
                  "--wordsim", self.directory, "--out", table)
        rows = tables.read(table)
        self.assertEqual([(row["model"], row["alpha"]) for row in rows],
                         [(model, alpha) for model in ("cbow", "subwords")
                          for alpha in (0.05, 0.1)])
        self.assertEqual(len({row["rw"] for row in rows}), 4)
        for row in rows:
            self.assertIsNotNone(row["rw_all"], row)

    def test_fasttext(self):
        # Stands in for fasttext: leaves its arguments where they can be seen.
        self.program("fasttext", f"echo \"$@\" >> '{self.path('calls')}'; "
                     r"printf '\rwords/sec/thread:      0 \rwords/sec/thread:    4000 lr: 0\n' >&2")
        table = self.path("table.tsv")
        self.good("word.py", "--corpus", self.zipf(), "--wait", "0", "--sizes", "8", "--threads", "2",
                  "--rounds", "2", "--out", table, "--wordsim", self.directory,
                  PATH=self.directory + os.pathsep + os.environ["PATH"])
        rows = tables.read(table)
        self.assertEqual([row["tool"] for row in rows], ["acevec", "fasttext"] * 2)
        # 8000 words and 200 line ends at 4000 a second on each of two threads.
        self.assertEqual(rows[1]["training_seconds"], 1.025)
        with open(self.path("calls"), encoding="utf-8") as stream:
            self.assertEqual(re.findall(r"-seed (\d+)", stream.read()), ["1", "2"])
        done = self.good("word.py", "--corpus", self.zipf(), "--wait", "0", "--sizes", "8", "--threads", "2",
                         "--rounds", "1", "--iter", "1,3", "--out", table, "--wordsim", self.directory,
                         PATH=self.directory + os.pathsep + os.environ["PATH"])
        self.assertEqual([(row["tool"], row["iter"], row["training_seconds"]) for row in tables.read(table)
                          if row["tool"] == "fasttext"], [("fasttext", 1, 1.025), ("fasttext", 3, 3.075)])
        for epochs in (1, 3):  # each has a line and a ratio of its own
            self.assertRegex(done.stdout, rf"\nfasttext +skipgram 0\.025 +8 +2 +{epochs} +1 .*\(.*\.\..*\)")
        self.good("word.py", "--corpus", self.zipf(), "--wait", "0", "--sizes", "8", "--threads", "2",
                  "--rounds", "1", "--models", "cbow,subwords", "--tools", "fasttext", "--out",
                  table, "--wordsim", self.directory,
                  PATH=self.directory + os.pathsep + os.environ["PATH"])
        with open(self.path("calls"), encoding="utf-8") as stream:
            cbow, subwords = stream.read().splitlines()[4:]
        self.assertIn("cbow -input", cbow)
        self.assertIn("-lr 0.05 -thread 2 -seed 1 -minn 0 -maxn 0 -bucket 1", cbow)
        self.assertIn("skipgram -input", subwords)
        self.assertIn("-minn 3 -maxn 6 -bucket 2000000", subwords)

    def test_fasttext_training_seconds(self):
        self.assertIsNone(word.fasttext_training_seconds("no rate", 1, 1, (10, 1)))

    def test_pword2vec(self):
        program = self.program("p", f"echo \"$@\" > '{self.path('calls')}'")
        table = self.path("table.tsv")
        self.good("word.py", "--corpus", self.zipf(), "--sizes", "8", "--threads", "2", "--rounds", "1", "--tools",
                  "pword2vec", "--pword2vec", program, "--wait", "0", "--out", table, "--wordsim", self.directory)
        row, = tables.read(table)
        self.assertTrue(0 <= row["busy"] <= 1)
        with open(self.path("calls"), encoding="utf-8") as stream:
            self.assertRegex(stream.read(), r"^-train \S+ -output \S+\.bin -binary 1 -size 8 -window 5 "
                             r"-negative 5 -sample 1e-4 -min-count 5 -iter 1 -alpha 0.025 -threads 2$")

    def test_errors(self):
        none = self.path("none")
        self.bad(2, "--tools", "word.py", "--tools", "glove")
        self.bad(2, "--sizes", "word.py", "--sizes", "0")
        self.bad(1, "no program", "word.py", ACEVEC=none)


class Scaling(Bench):
    def test_quick(self):
        table = self.path("scaling.tsv")
        done = self.good("scaling.py", "--quick", "--corpus", self.zipf(), "--out", table)
        self.check_header(table, "scaling.py")
        rows = tables.read(table)
        values = {}
        for row in rows:
            values.setdefault(row["axis"], []).append(row["value"])
            for column in ("seconds", "reading_seconds", "training_seconds", "kept_tokens",
                           "peak_mib", "predicted_mib"):
                self.assertIsNotNone(row[column], (column, row))
        self.assertEqual(values["threads"], scaling.powers_of_two(os.cpu_count()))
        self.assertEqual(values["vocabulary"], [1000, 4000, 16000])
        self.assertEqual(values["size"], [50, 100])
        self.assertEqual(values["tokens"][-1], 8000)
        for axis in values:
            self.assertRegex(done.stdout, rf"\n{axis}: time grows with exponent -?[\d.]+")
        with open(self.path("scaling.png"), "rb") as stream:
            self.assertEqual(stream.read(len(PNG)), PNG)

    def test_plot_of_a_table(self):
        lines = ["\t".join(scaling.COLUMNS)]
        for axis in ("threads", "vocabulary", "size", "tokens"):
            lines += [f"{axis}\t{value}\t{turn}\t{value}.5\t\t\t10\t{value * 100}\t{value * 90}"
                      for turn in (1, 2) for value in (1, 2, 4)]
        table = self.write("table.tsv", "\n".join(lines).encode())
        self.good("plot_scaling.py", table, self.path("plot.png"))
        self.assertTrue(os.path.exists(self.path("plot.png")))
        self.bad(1, "not a table", "plot_scaling.py", self.write("other.tsv", b"a\tb\n1\t2\n"))

    def test_plot_of_processes(self):
        lines = ["processes\tace\tepochs\toptions\tseed\tws353\trw"]
        lines += [f"{count}\t{ace}\t5\t\t{seed}\t{60 + seed}\t40"
                  for count in (1, 4) for ace in (0, 1) for seed in (1, 2)]
        lines.append("8\t0\t5\t-exchange-alpha 4\t1\t50\t30")
        table = self.write("quality.tsv", "\n".join(lines).encode())
        self.good("plot_cluster.py", table, self.path("plot.png"))
        with open(self.path("plot.png"), "rb") as stream:
            self.assertEqual(stream.read(len(PNG)), PNG)
        self.bad(1, "cluster.py quality", "plot_cluster.py", self.path("none.tsv"))

    def test_exponent(self):
        points = [{"value": x, "y": 3 * x ** 1.5, "none": None} for x in (1, 2, 5, 40)]
        self.assertAlmostEqual(scaling.exponent(points, "y"), 1.5)
        self.assertIsNone(scaling.exponent(points, "none"))
        self.assertIsNone(scaling.exponent(points[:1], "y"))

    def test_copy_part(self):
        line = b"one line\n"
        source = self.write("source", line * 9000)  # more than a block
        for part, lines in ((0.25, 2250), (0.5, 4500), (0.1234, 1111)):
            with open(scaling.copy_part(source, part, self.path("part")), "rb") as stream:
                copy = stream.read()
            self.assertEqual(copy.replace(line, b""), b"")
            self.assertIn(copy.count(line) - lines, (0, 1))
        with open(scaling.copy_part(source, 2, self.path("part")), "rb") as stream:
            self.assertEqual(stream.read().replace(b"\n\n", b"\n"), line * 18000)


class Counting(Bench):
    def test_few_words(self):
        # Not in this process, whose memory would be counted too.
        done = subprocess.run([os.path.join(EVAL, "bench", "counting.py"), "--words", "200000",
                               "--mib", "48", "--threads", "2"], stdout=subprocess.PIPE,
                              encoding="utf-8", env={**os.environ, "ACEVEC": ACEVEC}, check=True)
        self.assertRegex(done.stdout, r"(?m)^-max-memory 48M: \d+ MiB at most, \d+ s, 220,000 tokens$")
        self.assertRegex(done.stdout, r"(?m)^no limit: \d+ MiB at most, \d+ s, 220,000 tokens$")

    def test_the_text_has_the_words_that_it_says(self):
        words = self.good("counting.py", "--write", "--words", 2000).stdout.split()
        counts = collections.Counter(words)
        kinds = collections.Counter((word.rstrip("0123456789"), n) for word, n in counts.items())
        self.assertEqual(kinds, {("word", 1): 2000, ("five", 5): 20, ("four", 4): 25})


class Turns(Bench):
    def test_every_command_runs_to_its_end_in_each_round(self):
        ends = [self.path("one"), self.path("two")]
        done = self.good("turns.py", "--rounds", 3, "--milliseconds", 1,
                         *(f"sh -c 'sleep 0.02; echo end >>{end}'" for end in ends))
        for end in ends:
            with open(end, encoding="utf-8") as stream:
                self.assertEqual(stream.read(), "end\n" * 3)
        self.assertRegex(done.stdout, r"\A(seconds \d+\.\d\d \d+\.\d\d\n){3}ratio   1\.000 \d")

    def test_failures(self):
        self.bad(1, "`false` ended with status 1; run it by hand", "turns.py", "true", "false")
        self.bad(1, "nosuch: No such file or directory", "turns.py", "sleep 600", "nosuch")


class Kernels(Bench):
    def binary(self, benchmarks):
        data = {"context": {"openblas_core": "Some"}, "benchmarks": benchmarks}
        return self.program("bench", f"cat <<'END'\n{json.dumps(data)}\nEND\n")

    def test_table(self):
        def entry(name, index, **counters):
            return {"name": name, "family_index": index, "run_type": "iteration", **counters}
        binary = self.binary([
            entry("score/AVX2/100", 2, **{"GFLOP/s": 10.0, "items_per_second": 2e9}),
            entry("score/AVX2/100", 2, **{"GFLOP/s": 50.0, "items_per_second": 2e9}),
            entry("score/AVX2/100", 2, **{"GFLOP/s": 60.0, "items_per_second": 2e9}),
            entry("sgemm_1024", 0, **{"GFLOP/s": 200.0}),
            entry("copy_64_mib", 1, **{"GB/s": 20.0}),
            entry("move/SSE4/300", 3, **{"GB/s": 5.0, "items_per_second": 1e6}),
            entry("read_text_1_thread/real_time", 4, items_per_second=3e7),
            entry("bfloat16_peak", 5, **{"GFLOP/s": 400.0}),
            entry("train_block_bf16/AVX2/100", 6, **{"GFLOP/s": 100.0}, items_per_second=2.5e6,
                  flops_per_token=20000.0, bytes_per_token=1000.0),
            {**entry("score/AVX2/100_mean", 2, **{"GFLOP/s": 1.0}), "run_type": "aggregate"}])
        table = self.path("table.tsv")
        done = self.good("kernels.py", binary, "--out", table)
        self.check_header(table, "kernels.py")
        self.assertEqual([tuple(row.values()) for row in tables.read(table)], [
            ("sgemm_1024", None, None, None, 200, "GFLOP/s", 100, None, None),
            ("copy_64_mib", None, None, None, 20, "GB/s", 100, None, None),
            ("score", "AVX2", 100, 0.5, 50, "GFLOP/s", 25, None, None),
            ("move", "SSE4", 300, 1000, 5, "GB/s", 25, None, None),
            ("read_text_1_thread", None, None, 33.333, 30, "M tokens/s", None, None, None),
            ("bfloat16_peak", None, None, None, 400, "GFLOP/s", 100, None, None),
            ("train_block_bf16", "AVX2", 100, 400, 100, "GFLOP/s", 25, 20000, 1000)])
        self.assertRegex(done.stdout, r"score +AVX2 +100 +0\.5 +50\.0 GFLOP/s +25\n")
        # 20,000 flops take 50 ns and 1,000 bytes as long, of 400.
        self.assertRegex(done.stdout, r"bf16 +AVX2 +100 +20000 +1000 +400\.0 +50\.0 +50\.0 +12\n")

    def test_errors(self):
        table = self.path("table.tsv")
        for pattern, program in (
                ("build it", self.path("none")),
                ("broke", self.program("broken", "echo it broke >&2; exit 3")),
                ("sgemm_1024", self.binary([{"name": "copy_64_mib", "GB/s": 20.0}]))):
            self.bad(1, pattern, "kernels.py", program, "--out", table)
            self.assertFalse(os.path.exists(table))


class Noise(Bench):
    def test_table(self):
        def entry(name, index, nanoseconds, classes):
            return {"name": name, "family_index": index, "run_type": "iteration",
                    "cpu_time": nanoseconds, "classes": classes}
        data = {"benchmarks": [
            entry("draw/zipf/-noise power", 1, 9.0, 5.0),
            entry("solve/zipf/-noise qcem -noise-budget 0.5", 0, 2e6, 5.0),
            entry("solve/zipf/-noise qcem -noise-budget 0.5", 0, 8e6, 5.0),
            entry("solve/zipf/-noise qcem -noise-budget 0.5", 0, 3e6, 5.0)]}
        table = self.path("table.tsv")
        done = self.good("noise.py", self.program("bench", f"cat <<'END'\n{json.dumps(data)}\nEND\n"),
                         "--out", table)
        self.check_header(table, "noise.py")
        self.assertEqual([tuple(row.values()) for row in tables.read(table)], [
            ("solve", "zipf", "-noise qcem -noise-budget 0.5", 5, 3, "ms"),
            ("draw", "zipf", "-noise power", 5, 9, "ns")])
        self.assertRegex(done.stdout, r"solve +zipf +-noise qcem -noise-budget 0\.5 +5 +3\.0 ms\n")
        self.bad(1, "make none", "noise.py", self.path("none"), "--out", table)


if __name__ == "__main__":
    unittest.main()
