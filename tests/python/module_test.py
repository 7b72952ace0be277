#!/usr/bin/env python3
"""The module of python/: training, failures, and the functions of commands."""

import contextlib
import inspect
import io
import itertools
import json
import keyword
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

from package import ONE, SENTENCES, TEXT, TRIPLES, WORDS, ACEVEC, Module, children, run

import acevec
import numpy as np


class Training(Module):
    def test_bytes_are_those_of_the_command_line(self):
        run("-train", "corpus.txt", "-output", "v.bin", "-threads", "1", "-min-count", "1", "-debug", "0", "-sample", "0")
        acevec.train("corpus.txt", "path.bin", sample=0, **ONE)
        acevec.train(["corpus.txt"], "paths.bin", sample=0, **ONE)
        acevec.train(SENTENCES, "lists.bin", sample=0, **ONE)
        acevec.train((tuple(words) for words in SENTENCES), "generator.bin", sample=0, **ONE)
        acevec.train(iter(TEXT.splitlines(keepends=True)), "lines.bin", sample=0, **ONE)
        acevec.train(train="corpus.txt", output="option.bin", sample=0.0, init=None, **ONE)
        acevec.run("-train", "-", "-output=run.bin", input=SENTENCES, sample=0, **ONE)
        for name in ("path", "paths", "lists", "generator", "lines", "option", "run"):
            self.assertEqual(self.read(f"{name}.bin"), self.read("v.bin"), name)

    def test_result_without_output(self):
        model = acevec.train(SENTENCES, **ONE)
        written = acevec.train(SENTENCES, "v.bin", **ONE)
        self.assertEqual(sorted(model.words), sorted(WORDS))
        self.assertEqual(model.words, written.words)
        np.testing.assert_array_equal(model.matrix, written.matrix)
        self.assertEqual(len(model.evaluate(self.write("set.tsv", "king\tqueen\t1\nman\twoman\t2\n"))), 1)
        del model, written
        self.assertEqual(sorted(os.listdir()), ["corpus.txt", "set.tsv", "v.bin", "v.bin.json"])

    def test_memory_is_constant(self):
        code = """
import acevec, itertools, resource
def peak(sentences):
    acevec.train(itertools.repeat(["some", "words", "of", "a", "sentence", "x"], sentences), iter=1, debug=0)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
first = peak(10_000)
print(peak(1_000_000) - first)
"""
        done = self.python(code)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(int(done.stdout), 4096)  # KiB

    def test_odd_sentences(self):
        def words(sentences):
            return sorted(acevec.train(sentences, **ONE).words)
        self.assertEqual(words([[], ["x", "y"], ["", "x"]] * 50), ["x", "y"])
        self.assertEqual(words(np.array([["x", "y"]] * 50)), ["x", "y"])
        self.assertEqual(words([["x", "\udcff"]] * 50), ["x", "\ufffd\ufffd\ufffd"])
        self.assertEqual(words(iter(["x y\r\n", "", "z"] * 50)), ["x", "y", "z"])
        self.assertEqual(words([["x" * 1000, "y"]] * 3000), ["x" * 1000, "y"])
        for token in ("a b", "a\tb", "a\nb", "a\0"):
            with self.assertRaisesRegex(ValueError, "white space inside"):
                acevec.train([["fine", "x"]] * 10 + [[token, "x"]], **ONE)

    def test_progress(self):
        calls = []
        acevec.train(itertools.repeat(WORDS, 20_000), iter=2, threads=1, progress=lambda *call: calls.append(call))
        shares = [share for share, _ in calls]
        self.assertEqual(shares, sorted(shares))
        self.assertEqual(calls[-1], (1.0, "done"))
        self.assertTrue(all("\x1b" not in text and "\r" not in text for _, text in calls))


    def test_quiet(self):
        """Unless debug is given, also with progress."""
        code = """
import acevec
for options in ({}, {"debug": 0}, {"debug": 1}):
    acevec.train([["a", "b", "c"]] * 99, min_count=1, iter=1, sample=0, progress=lambda share, text: print(share, text), **options)
acevec.train([["a", "b"]] * 99, sample=0)
"""
        done = self.python(code)
        self.assertEqual(done.stdout.count("1.0 done\n"), 3)
        self.assertEqual(done.stderr.count("\ntrained in "), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("acevec 0."), done.stderr)
        self.assertIn("  min_count=1 max_vocab=0 format=\"text\"", done.stderr)

    def test_notes_are_warnings(self):
        """Each once, of the line that calls, whichever function it calls."""
        texts = self.write("odd.txt", b"a b\xff\n" * 99)
        said = r"99 tokens contained invalid UTF-8"
        for call in (lambda: acevec.train(texts, "v.bin", sample=0, **ONE), lambda: acevec.run(train=texts, output="v.bin", sample=0),
                     lambda: acevec.train(texts, sample=0, progress=lambda *_: None), lambda: acevec.phrases(texts)):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                call()
            self.assertEqual([(str(one.message).partition(";")[0], one.category, one.filename) for one in found],
                             [(said, acevec.Note, __file__)])
        self.assertTrue(issubclass(acevec.Note, UserWarning))
        code = f"import acevec; acevec.train({texts!r}, min_count=1, sample=0, debug=1)"
        self.assertEqual(self.python(code).stderr.count(said), 1)
        with self.assertWarnsRegex(acevec.Note, "^skipped 1 repeated line of train;"):
            acevec.kg([("a", "r", "b")] * 2, iter=1)
        with self.assertWarnsRegex(acevec.Note, "^1 implied pair is learned too; closure=0 leaves it out$"):
            acevec.order([("dog", "canine"), ("canine", "animal")], iter=1)
        model = acevec.sentence(["fine king", "dull man"] * 9, labels=["good", "bad"] * 9)
        with self.assertWarnsRegex(acevec.Note, "^1 line has no word that the model knows"):
            model.predict(["fine", "zebra"])
        vectors = acevec.train([["king", "man"]] * 50, preset="items")
        for call, note in ((lambda: model.encode(["a fine zebra"]), "left out 2 tokens that the model does not know$"),
                           (lambda: acevec.nn(vectors, "king", "zzz"), 'no vector for "zzz"$'),
                           (lambda: acevec.next(vectors, "king", "zzz"), 'no vector for 1 item, such as "zzz"$'),
                           (lambda: acevec.kg_eval(acevec.kg([("a", "r", "b")], iter=1), test=[("a", "r", "b"), ("a", "r", "c")]),
                            'left out 1 triple of test with a name that the model does not know, such as "c"$')):
            with self.assertWarnsRegex(acevec.Note, "^" + note):
                call()

    def test_records_name_what_python_gave(self):
        valid = acevec.kg(TRIPLES, "kg.bin", valid=iter(TRIPLES[:9]), iter=1)
        self.assertEqual(valid.info["settings"]["train"], "<train>")
        self.assertRegex(valid.info["command"], "^acevec kg -train <train> -valid <valid> -output kg.bin ")
        self.assertEqual(json.loads(self.read("kg.bin.json")), valid.info)
        blank = self.path("a folder")
        os.mkdir(blank)
        os.environ["TMPDIR"] = blank
        init = acevec.Vectors(["king", "queen", "man"], [[1, 2], [2, 0], [0, 1]])
        for model in (acevec.train(SENTENCES, init=init, size=2, **ONE), acevec.sentence(SENTENCES, init=init),
                      acevec.sentence(labels=[("good", "fine king"), ("bad", "dull man")] * 9),
                      acevec.metric(np.eye(30), [f"class {i % 3}" for i in range(30)], iter=1)):
            self.assertNotIn("python-", json.dumps(model.info))
            self.assertNotIn(" - ", model.info["command"])
            self.assertEqual(model.info["settings"]["output"], "<output>")
        shutil.copy("corpus.txt", "a - b.txt")
        whole = acevec.train("a - b.txt", "v.bin", init=init, size=2, **ONE).info
        self.assertEqual((whole["settings"]["train"], whole["settings"]["init"]), ("a - b.txt", "<init>"))
        self.assertIn(" -train 'a - b.txt' -output v.bin ", whole["command"])
        self.assertNotIn("save-vocab", whole["command"])
        acevec.train(SENTENCES, log="log.tsv", iter=1, **ONE)
        self.assertRegex(self.read("log.tsv"), b"\t<output>\t")


class Failures(Module):
    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "^unknown option sizze=; did you mean size=\\?$"):
            acevec.train("corpus.txt", sizze=3)
        for options, said in (({"Size": 5}, "^unknown option Size=; did you mean size="), ({"wordNgrams": 2}, "^unknown option wordNgrams="),
                              ({"size": {}}, "^size= cannot be {}$"), ({"vocab": "x"}, "^unknown option vocab=; acevec calls it read_vocab=$"),
                              ({"help": 1}, "^unknown option help="), ({"h": 1}, "^unknown option h="), ({"version": 1}, "^unknown option version="),
                              ({"size": 0}, 'option size= cannot be "0"'), ({"vector_size": 9}, "acevec calls it size=$"),
                              ({"min_count": -1}, "^option min_count= cannot be"), ({"ace_lambda": 0.5}, "without ace=1;"),
                              ({"noise_budget": 0.5}, 'without noise="qcem"')):
            with self.assertRaisesRegex(ValueError, said):
                acevec.train("corpus.txt", **options)
        for call, said in ((lambda: acevec.kg([("a", "b")]), r"^train\[0\] has 2 columns"),
                           (lambda: acevec.sentence(pairs=[("a", "b"), ("c",)]), r"^pairs\[1\] is not a pair"),
                           (lambda: acevec.kg(TRIPLES, model="TransE"), '^unknown option model=; .* kg has score="transe"'),
                           (lambda: acevec.kg(TRIPLES, embedding_dim=3), "^unknown option embedding_dim=; acevec calls it size=$"),
                           (lambda: acevec.order_query(acevec.Vectors(["a"], [[1]]), "a", truth=[("a", "b")]), "leave out the arguments$"),
                           (lambda: acevec.convert(acevec.Vectors(["a"], [[1]]), "v.bin", type="float16"), "without a path that ends in .npy"),
                           (lambda: acevec.metric(np.eye(3), [1, 2]), "^train has 3 points, but labels has 2 labels"),
                           (lambda: acevec.metric(np.eye(3), ["a", "b"]), "^train has 3 points, but labels has 2 labels"),
                           (lambda: acevec.train(SENTENCES, init=acevec.Vectors(["a"], [[1, 2]]), size=3), "^init has vectors of size 2"),
                           (lambda: acevec.train(SENTENCES, init=acevec.kg(TRIPLES, iter=1)), "^cannot use init: it is a model of acevec.kg"),
                           (lambda: acevec.run("convert", acevec.kg(TRIPLES, iter=1), "x.npy"), "^cannot use the model: it is a model of acevec.kg"),
                           (lambda: acevec.train(SENTENCES, input="corpus.txt"), "^unknown option input=; the first argument is"),
                           (lambda: acevec.train(SENTENCES, resume="run.ck"), "^resume= needs output="),
                           (lambda: acevec.train(SENTENCES, checkpoint="run.ck"), "^checkpoint= needs output="),
                           (lambda: acevec.kg(TRIPLES, save_every="10%"), "^save_every= needs output="),
                           (lambda: acevec.train(SENTENCES, model="skipgram"), "^unknown option model=; without it train is skip-gram"),
                           (lambda: acevec.train(SENTENCES, compute_loss=True), "^unknown option compute_loss=; .* model.loss$"),
                           (lambda: acevec.train(SENTENCES, "v.ft"), "^output= is a file of vectors; v.ft is written by output_model="),
                           (lambda: acevec.Vectors(["a"], [[1]]).save("v.ft"), "^the model has no n-grams .* maxn=6"),
                           (lambda: acevec.train(SENTENCES, progress=True), "^progress= is a function .*, not True$"),
                           (lambda: acevec.train(SENTENCES, init={"a": [1, 2]}), "^init= is a file of vectors or a model"),
                           (lambda: acevec.sentence(SENTENCES, init=np.eye(3)), "^init= is a file of vectors or a model"),
                           (lambda: acevec.train(SENTENCES, callbacks=[print]), "^unknown option callbacks=; progress= is called"),
                           (lambda: acevec.train(SENTENCES, trim_rule=print), "^unknown option trim_rule=; min_count= and"),
                           (lambda: acevec.train(SENTENCES, n_jobs=2), "^unknown option n_jobs=; acevec calls it threads=$"),
                           (lambda: acevec.train(SENTENCES, valid="v.txt"), r"^unknown option valid=; help\(acevec.train\) lists all$"),
                           (lambda: acevec.sentence_encode("m.bin", batch=2), r"^unknown option batch=; help\(acevec.sentence_encode\) lists"),
                           (lambda: acevec.train("corpus.txt", log=True), "^log= is a file, not True$"),
                           (lambda: acevec.metric(np.full((9, 2), np.nan), range(9)), "has a non-finite number; give an array of numbers, a row"),
                           (lambda: acevec.metric(np.array([["a", "b"]]), [1]), "^could not convert string to float: '"),
                           (lambda: acevec.nn(acevec.Vectors(["a"], [[1]])), "^no words; give some$"),
                           (lambda: acevec.train(), "^no text; the first argument is the text$"),
                           (lambda: acevec.train(SENTENCES, 100), "^output has to be the file of the result, not 100")):
            with self.assertRaisesRegex(ValueError, said):
                call()
        with self.assertRaisesRegex(FileNotFoundError, "a string is a path, so give texts in a list, as lines or as"):
            acevec.train("a line of text")
        with self.assertRaisesRegex(acevec.Error, "as by iconv -f latin1 -t UTF-8$"):
            acevec.train(self.write("bad.txt", b"caf\xe9 th\xe9\n" * 99))
        os.remove("bad.txt")
        with self.assertRaisesRegex(acevec.Error, "train one with acevec.sentence labels=FILE"):
            acevec.sentence(SENTENCES, init=acevec.train(SENTENCES, **ONE)).predict("king")
        with self.assertRaisesRegex(AttributeError, "^acevec has no trian; did you mean train\\?$"):
            acevec.trian
        with self.assertRaisesRegex(acevec.Error, "lower min_count=$"):
            acevec.train(SENTENCES, min_count=10_000)
        with self.assertRaisesRegex(ValueError, "^there is no command \"nothing\""):
            acevec.run("nothing")
        with self.assertRaisesRegex(ValueError, "output has to be the file"):
            acevec.train("corpus.txt", "-")
        for options in {"corpus": "none.txt"}, {"corpus": "corpus.txt", "init": "none.txt"}:
            with self.assertRaises(FileNotFoundError) as missing:
                acevec.train(**options)
            self.assertEqual((str(missing.exception), missing.exception.filename, missing.exception.errno),
                             ("[Errno 2] No such file or directory: 'none.txt'", "none.txt", 2))
        with self.assertRaisesRegex(acevec.Error, "^cannot write none/v.bin"):
            acevec.train(SENTENCES, "none/v.bin", **ONE)
        with self.assertRaisesRegex(acevec.Error, "^no context vectors beside the model; train with"):
            acevec.next(acevec.Vectors(["a"], [[1]]), "a")
        with self.assertRaisesRegex(acevec.Error, "^cannot write none/v.bin"):
            acevec.Vectors(["a"], [[1]]).save("none/v.bin")
        with self.assertRaises(AttributeError):
            acevec.nonsense  # pylint: disable=pointless-statement
        with self.assertRaises(FileNotFoundError):
            acevec.load("none.bin")
        self.assertEqual(os.listdir(), ["corpus.txt"])

    def test_exceptions_pass(self):
        def sentences():
            yield from SENTENCES * 100
            raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            acevec.train(sentences(), "v.bin", **ONE)
        for debug in (None, 0, 1):  # on a text without end, which is counted under a call after another
            with self.assertRaises(ZeroDivisionError):
                acevec.train(itertools.repeat(WORDS), "v.bin", progress=lambda *_: 1 / 0, debug=debug)
        self.assertEqual(os.listdir(), ["corpus.txt"])
        self.assertEqual(children(), [])

    def test_exception_of_the_last_progress(self):
        """It comes when the output is there, complete."""
        def progress(share, text):
            if text == "done":
                raise KeyError(share)
        with self.assertRaisesRegex(KeyError, "1.0"):
            acevec.train(SENTENCES, "v.bin", progress=progress, **ONE)
        acevec.train(SENTENCES, "whole.bin", **ONE)
        self.assertEqual(self.read("v.bin"), self.read("whole.bin"))
        self.assertEqual(children(), [])

    def test_program_fails_while_an_iterable_waits(self):
        """At once, not when the iterable has something, in its own code or in a wait of the system."""
        reader, writer = os.pipe()
        self.addCleanup(os.close, writer)
        before = signal.getsignal(signal.SIGCHLD)

        def waits():
            with open(reader, "rb") as stream:
                try:
                    yield stream.read().decode()
                except Exception:  # pylint: disable=broad-except
                    self.fail("the iterable is not to handle this")
        for sentences in (waits(), iter(lambda: time.sleep(0.01) or " ", "")):
            with self.assertRaisesRegex(ValueError, "^option size= cannot be"):
                acevec.train(sentences, size=-1)
        self.assertEqual(signal.getsignal(signal.SIGCHLD), before)
        calls = []
        signal.signal(signal.SIGCHLD, lambda *_: calls.append(1))
        self.addCleanup(signal.signal, signal.SIGCHLD, before)

        def others():  # children of the iterable end, and its handler of them is called
            yield from SENTENCES
            subprocess.run(["true"], check=True)
            yield from SENTENCES
        acevec.train(others(), **ONE)
        self.assertGreater(len(calls), 0)

    def test_no_program_and_no_file_handles(self):
        code = """
import acevec, os, resource, sys
acevec.load  # and what it imports
try:
    if sys.argv[1:]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), 64))
    acevec.run("--version", progress=print)
except acevec.Error as error:
    print("Error:", error)
"""
        said = self.python(code, env={**os.environ, "ACEVEC": "/nonexistent"})
        self.assertEqual((said.stdout, said.stderr), ("Error: cannot run /nonexistent: No such file or directory; install the package "
                                                      "that `make wheel` writes, or give the program's path in $ACEVEC\n", ""))
        messages = set()
        for handles in range(8, 16):  # enough for the modules, not for all pipes
            done = subprocess.run([sys.executable, "-c", code, str(handles)], check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8")
            self.assertEqual((done.returncode, done.stderr), (0, ""), handles)
            messages.add(done.stdout.partition(":")[0])
        self.assertIn("Error", messages)

    def test_killed_program(self):
        def kill(*_):
            os.kill(children()[0], signal.SIGKILL)

        def sentences():
            yield from SENTENCES * 100
            kill()
            yield from itertools.repeat(WORDS)
        with self.assertRaisesRegex(acevec.Error, "^acevec was ended by SIGKILL$"):
            acevec.train(sentences(), "v.bin", **ONE)
        with self.assertRaisesRegex(acevec.Error, "^acevec was ended by SIGKILL$"):
            acevec.train(itertools.repeat(WORDS, 1000), "v.bin", iter=100_000, threads=1, progress=kill)

    def test_killed_python(self):
        """When Python is killed the program ends: a part of a text is not taken for all of it."""
        self.write("v.bin", "old")
        for killer in ("""
def sentences():
    yield from itertools.repeat(["a", "b", "c"], 200_000)
    os.kill(os.getpid(), 9)
acevec.train(sentences(), "v.bin", min_count=1, threads=1, debug=0)
""", """
def kill(*_):
    os.kill(os.getpid(), 9)
acevec.train(itertools.repeat(["a", "b"], 1000), "v.bin", min_count=1, threads=1, iter=100_000, progress=kill)
"""):
            killed = self.python("import acevec, itertools, os" + killer)
            self.assertEqual(killed.returncode, -signal.SIGKILL)
            while os.path.exists("v.bin.acevec-lock"):  # until the program has ended
                time.sleep(0.01)
            self.assertEqual(self.read("v.bin"), b"old")
            self.assertFalse(os.path.exists("v.bin.json"))

    def test_interrupt_and_resume(self):
        """Ctrl-C reaches Python and the program at once; the checkpoint is saved and the run resumed.

        A snapshot into a pipe, which holds less, holds the run until the program has been told to end.
        """
        options = "min_count=1, threads=1, iter=20, size=1000, sample=0"
        code = f"""
import acevec, os, signal, subprocess, threading
os.mkfifo("v-0002.bin")
def interrupt():
    global snapshot
    snapshot = open("v-0002.bin", "rb")  # the run has come to it
    os.killpg(0, signal.SIGINT)
terminate = subprocess.Popen.terminate
def tell(child):
    terminate(child)
    threading.Thread(target=snapshot.read).start()
subprocess.Popen.terminate = tell
threading.Thread(target=interrupt).start()
try:
    acevec.train("corpus.txt", "v.bin", checkpoint="run.ck", progress=lambda *_: None, save_every="30%", {options})
except KeyboardInterrupt:
    print(os.path.exists("run.ck"), os.path.exists("v.bin"))
    acevec.train(output="v.bin", resume="run.ck", debug=0)
"""
        acevec.train("corpus.txt", "whole.bin", iter=20, size=1000, sample=0, **ONE)
        done = self.python(code, start_new_session=True)
        self.assertEqual((done.returncode, done.stdout), (0, "True False\n"), done.stderr)
        self.assertRegex(done.stderr, r"(?m)^acevec: stopped at [^;]*; go on with resume=\"run.ck\" and the same output=$")
        self.assertEqual(self.read("v.bin"), self.read("whole.bin"))

    def test_threads(self):
        models = []
        threads = [threading.Thread(target=lambda: models.append(acevec.train(SENTENCES, **ONE))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(models), 3)
        np.testing.assert_array_equal(models[0].matrix, models[2].matrix)
        said = self.python("""
from concurrent.futures import ThreadPoolExecutor
import acevec
with ThreadPoolExecutor(4) as pool:  # of which each is the first to ask for the function
    print(len({*pool.map(lambda _: acevec.order, range(4))}))
""")
        self.assertEqual((said.stdout, said.stderr), ("1\n", ""))

    def test_without_standard_streams(self):
        code = "import acevec; acevec.train([['a', 'b']] * 99, 'v.bin', min_count=1)"
        done = subprocess.run(["sh", "-c", '"$0" -c "$1" <&- >&- 2>&-', sys.executable, code], check=False)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(os.path.exists("v.bin"))

    def test_nothing_is_left(self):
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            acevec.train(SENTENCES, progress=lambda *_: None, **ONE)
            with self.assertRaises(FileNotFoundError):
                acevec.train("none.txt")
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)
        self.assertEqual(os.listdir(), ["corpus.txt"])
        self.assertEqual(children(), [])

    def test_the_program_itself(self):
        command = [sys.executable, "-m", "acevec"]
        self.assertEqual(subprocess.run([*command, "--version"], check=True, stdout=subprocess.PIPE).stdout,
                         subprocess.run([ACEVEC, "--version"], check=True, stdout=subprocess.PIPE).stdout)
        with subprocess.Popen([*command, "text", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write(b"one\n")
            process.stdin.close()
            self.assertEqual(process.stdout.read(), b"one\n")
        self.assertEqual(process.returncode, 0)
        loaded = self.python("import sys, acevec; print('numpy' in sys.modules, 'json' in sys.modules)")
        self.assertEqual(loaded.stdout, "False False\n")
        # The signals that Python ignores are the program's again.
        status = self.python("""
import os, sys
os.environ["ACEVEC"] = "/bin/cat"
sys.argv = ["acevec", "/proc/self/status"]
import acevec.__main__""").stdout
        ignored = int(status.split("SigIgn:\t")[1].split()[0], 16)
        self.assertEqual(ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1), 0)


class Commands(Module):
    def test_every_command_is_a_function_with_its_options(self):
        commands = json.loads(run("--options", "json"))["commands"]
        self.assertGreater(len(commands), 15)
        for command in commands:
            function = getattr(acevec, command["name"].replace(" ", "_") or "train")
            parameters = inspect.signature(function).parameters
            for option in command["options"]:
                name = option["name"].replace("-", "_") + "_" * keyword.iskeyword(option["name"])
                self.assertIn(f"\n    {name}: ", function.__doc__)
                self.assertIn(name, parameters)
        self.assertEqual(inspect.signature(acevec.train).parameters["size"].default, 100)
        for name in "size", "batch", "rate", "ace":  # which have others with pairs=
            self.assertIsNone(inspect.signature(acevec.sentence).parameters[name].default)
        self.assertLessEqual({*acevec.__all__, "program", "phrases", "metric_eval"}, {*dir(acevec)})

    def test_a_graph_from_tuples(self):
        self.write("train.tsv", "".join("\t".join(triple) + "\n" for triple in TRIPLES))
        run("kg", "-train", "train.tsv", "-output", "a.bin", "-iter", "5", "-threads", "1", "-debug", "0")
        graph = acevec.kg(train=TRIPLES, output="b.bin", iter=5, threads=1, debug=0)
        self.assertEqual(self.read("a.bin"), self.read("b.bin"))
        self.assertEqual(graph.info["settings"]["iter"], 5)
        self.assertGreater(graph.loss, 0)
        asked = ("place 1", "r1", "?")
        self.assertEqual(acevec.kg_predict("b.bin", *asked), run("kg", "predict", "a.bin", *asked))

    def test_other_tasks(self):
        edges = [(f"n{i}", f"n{j}") for i in range(40) for j in (i // 2 + 50, 90 + i % 3)]
        self.assertIn("training", acevec.order(train=edges, output="order.npy", iter=2, debug=0).info)
        self.assertEqual(acevec.load("order.npy")["n1"].shape, (50,))
        acevec.sentence("corpus.txt", "s.bin", encoder="bag", iter=1, min_count=1, debug=0)
        found = acevec.sentence_similarity("s.bin", input=[("king queen", "man"), ("king", "king")])
        self.assertEqual(len(found.splitlines()), 2)
        texts = [("__label__good", "a fine film"), ("__label__bad", "a dull film"), ("__label__good", "fine work")]
        acevec.sentence(labels=texts, output="labels.bin", rate=0.05, iter=50, debug=0)
        asked = acevec.sentence_predict("labels.bin", "-", input=["what a dull evening", "fine"])
        self.assertEqual(asked, "__label__bad\n__label__good\n")
        with self.assertRaises(ValueError):
            acevec.metric()

    def test_standard_input_and_output(self):
        acevec.train("corpus.txt", "v.bin", **ONE)
        self.assertEqual(acevec.nn("v.bin", input=["king", "queen"]), run("nn", "v.bin", "king", "queen"))
        self.assertEqual(acevec.run("nn", "v.bin", "king", top=3).count("\n"), 3)
        for one in (acevec.text("-", input=TEXT.splitlines()), acevec.text(TEXT.splitlines()), acevec.text("corpus.txt")):
            self.assertEqual(one, TEXT)
        self.assertEqual(acevec.noise([("a", 5)]), "a\t5\t1\n")
        self.assertEqual(acevec.phrases([["new", "york"]] * 50 + [["a", "b", "c"]] * 50, min_count=5, threshold=0).count("new_york"), 50)

    def test_paths_with_blanks(self):
        os.makedirs("a folder", exist_ok=True)
        paths = [self.write(f"a folder/{name}.txt", "king queen\n" * 9) for name in "xy"]
        self.assertEqual(sorted(acevec.train(paths, **ONE).words), ["king", "queen"])
        with self.assertRaisesRegex(FileNotFoundError, r"directory: 'my other.txt.gz'$"):
            acevec.train(["my other.txt.gz", "my text.csv"])
        shutil.copy("corpus.txt", "a,b.txt")
        self.assertIn("king", acevec.train(["a,b.txt"], **ONE))
        with self.assertRaisesRegex(ValueError, "^'a,b.txt' has a comma, which divides it in a list; rename it$"):
            acevec.train(["a,b.txt", "corpus.txt"])
        for call, name in ((lambda: acevec.sentence(paths), "train"), (lambda: acevec.kg(paths), "train"),
                           (lambda: acevec.train("corpus.txt", log=paths), "log")):
            with self.assertRaisesRegex(ValueError, f"^{name}= is one file, not 2$"):
                call()
        with self.assertRaisesRegex(FileNotFoundError, r"give texts of one word as \[\["):
            acevec.sentence(["good", "bad"], encoder="bag")
        with self.assertRaisesRegex(FileNotFoundError, "give texts of one word as .*'w0'"):  # at once, however many
            acevec.train([f"w{i}" for i in range(100_000)])

    def test_lists_as_arguments(self):
        model = acevec.train("corpus.txt", "v.bin", **ONE)
        self.assertEqual(acevec.nn("v.bin", ["king", "queen"]), run("nn", "v.bin", "king", "queen"))
        phrases = dict(min_count=2, threshold=0)
        self.assertEqual(acevec.phrases("corpus.txt", "phrases.txt", **phrases), "")
        self.assertEqual(pathlib.Path("phrases.txt").read_text(), acevec.phrases("corpus.txt", **phrases))
        items = acevec.train([["58", "4", "2"], ["1", "58", "4"]] * 30, preset="items", threads=1)
        self.assertEqual(acevec.next(items, ["58", 4]), acevec.next(items, "58", "4"))
        self.assertEqual(acevec.next(items, [["58", "4"], ["1"]], top=1).count("\n"), 2)
        self.assertEqual(acevec.similarity(model, [("king", "queen"), ("king", "man")]).count("\n"), 2)
        graph = acevec.kg(TRIPLES, iter=1)
        for asked in ("place 1", "r1", "?"), [("place 1", "r1", "?")]:
            self.assertEqual(acevec.kg_predict(graph, asked), acevec.kg_predict(graph, "place 1", "r1", "?"))
        texts = acevec.sentence("corpus.txt", init=model)
        self.assertEqual(acevec.sentence_encode(texts, ["king"]), acevec.sentence_encode(texts, input=["king"]))
        points = acevec.metric(np.eye(9), [0, 1, 2] * 3, iter=1)
        self.assertEqual(acevec.metric_encode(points, np.eye(9)), acevec.metric_encode(points, points=np.eye(9)))


if __name__ == "__main__":
    unittest.main()
