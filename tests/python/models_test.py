#!/usr/bin/env python3
"""What python/ takes as input, and the models of graphs, hierarchies, items, sentences and points."""

import inspect
import itertools
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import types
import unittest
import warnings

from package import ONE, SENTENCES, TEXT, TRIPLES, WORDS, Module, interpreter, run

import acevec
from acevec import _program
import backend
import numpy as np

USE = """
import acevec
import numpy as np
from typing_extensions import assert_type

model: acevec.Vectors = acevec.train([["a", "b"]], size=3, min_count=None, cbow=1, loss="nce", progress=print)
near: list[tuple[str, float]] = model.most_similar("a", topn=3)
row: np.ndarray = model[["a", "b"]]
number: float = model.loss + model.wv.similarity("a", "b") + model.vector_size
answers: list[tuple[str, float]] = acevec.kg([("a", "r", "b")]).predict("a", "r", "?")
assert_type(acevec.load("v.bin"), acevec.Vectors)
shares: list[float] = acevec.Graph("kg.bin").score([("a", "r", "b")])
array: np.ndarray = acevec.sentence("corpus.txt", init=model).encode("a b")
text: str = acevec.phrases(train="corpus.txt", output="p.txt") + acevec.__version__
"""


class Inputs(Module):
    def test_lines_and_paths(self):
        """A string with white space is a line, in a list too; others are paths."""
        expected = acevec.train("corpus.txt", **ONE)
        for given in (TEXT.splitlines(), tuple(TEXT.splitlines()), TEXT, ["corpus.txt"], pathlib.Path("corpus.txt"),
                      np.array(TEXT.splitlines()), open("corpus.txt", encoding="utf-8"), (words for words in SENTENCES)):
            model = acevec.train(given, **ONE)
            np.testing.assert_array_equal(model.matrix, expected.matrix)
        lines = [f"the king and the queen of the old town {i}" for i in range(30_000)]
        self.assertEqual(len(acevec.train(lines, iter=1, size=2, **ONE)), 30_007)
        self.assertEqual(len(acevec.train(["a b c"] * 50, **ONE)), 3)
        with self.assertRaisesRegex(FileNotFoundError, "my text.txt"):  # not a text that names a file
            acevec.train(["corpus.txt", "my text.txt"], **ONE)
        with self.assertRaisesRegex(ValueError, "^train is a dict; give a list"):
            acevec.train({"a": "b"}, **ONE)
        with self.assertRaisesRegex(ValueError, "^train= is given twice"):
            acevec.train([["a", "b"]] * 50, train="corpus.txt", **ONE)

    def test_numbers_are_tokens(self):
        for given in ([[1, 2, 3], [2, 3, 4]] * 50, np.array([[1, 2, 3], [2, 3, 4]] * 50)):
            self.assertEqual(sorted(acevec.train(given, **ONE).words), ["1", "2", "3", "4"])
        self.assertEqual(sorted(acevec.train([["x", 1.5]] * 50, **ONE).words), ["1.5", "x"])
        for bad in ([[b"x"]], [["x", None]], [["x", float("nan")]], [[["x"]]], [1, [2]], [b"x y"]):
            with self.assertRaisesRegex(ValueError, "neither"):
                acevec.train(bad, **ONE)
        for options in ({"corpus": lambda: SENTENCES}, {"corpus": "corpus.txt", "init": print}):
            with self.assertRaisesRegex(ValueError, "neither a path .*; call it$"):
                acevec.train(**options, **ONE)

    def test_errors_name_rows(self):
        """Counted from 0, as in the list. The error of an iterable stays as it is."""
        model = acevec.sentence(["a b", "c d"] * 9, encoder="bag", iter=1)
        graph = acevec.kg(TRIPLES, iter=1)
        for call, said in (
                (lambda: acevec.train([["a", "b"]] * 999 + [["a", None]], **ONE), r"^train\[999\]: None is neither a string nor a number$"),
                (lambda: acevec.train([["a", "b c"]], **ONE), r"^train\[0\]: 'b c' has white space inside"),
                (lambda: acevec.kg([*TRIPLES, ("a", "b", float("nan"))]), r"^train\[200\]: nan is neither"),
                (lambda: graph.predict([("place 1", "r1", "?"), ("place 1", None, "?")]), r"^triples\[1\]: None is neither"),
                (lambda: model.encode(["a", "b", None]), r"^input\[2\]: None is neither a line of text nor a list$"),
                (lambda: model.search("a", ["a", None]), r"^texts\[1\]: None is neither"),
                (lambda: acevec.sentence(["a", "b"], labels=["x", None]), r"^labels\[1\]: None is neither"),
                (lambda: acevec.sentence(["a", None], labels=["x", "y"]), r"^labels\[1\]: the text None is neither"),
                (lambda: acevec.sentence(["a", "b"], labels=np.eye(2)), "^labels has 2 dimensions; give a label, or a list"),
                (lambda: acevec.metric(np.eye(3), [1, None, 2]), r"^labels\[1\]: None is neither"),
                (lambda: acevec.metric(np.eye(3), [1, np.nan, 2]), r"^labels\[1\]: nan is neither"),
                (lambda: acevec.Vectors(["a", None], np.eye(2)), r"^words\[1\]: None is neither"),
                (lambda: acevec.train(map(int, ["x"])), "^invalid literal for int"),
                (lambda: acevec.sentence(labels=map(int, ["x"])), "^invalid literal for int")):
            with self.assertRaisesRegex(ValueError, said):
                call()

    def test_empty(self):
        for call in (lambda: acevec.train([], **ONE), lambda: acevec.train(iter(()), **ONE),
                     lambda: acevec.train([[]], **ONE), lambda: acevec.train([[], [""]], **ONE),
                     lambda: acevec.train(["", " "], **ONE), lambda: acevec.train(np.array([]), **ONE),
                     lambda: acevec.kg([]), lambda: acevec.order(iter(())), lambda: acevec.sentence([], encoder="bag"),
                     lambda: acevec.metric([], []), lambda: acevec.metric(np.zeros((0, 3)), []),
                     lambda: acevec.kg(TRIPLES, valid=[]), lambda: acevec.run("text", "-", input=[])):
            with self.assertRaisesRegex(ValueError, "empty|contains no"):
                call()
        self.assertEqual(os.listdir(), ["corpus.txt"])

    @unittest.skipUnless(interpreter.find("pandas") == sys.executable, "pandas is not installed")
    def test_pandas(self):
        import pandas
        graph = acevec.kg(pandas.DataFrame(TRIPLES), iter=2, threads=1, debug=0)
        asked = ("place 1", "r1", "?")
        self.assertEqual(graph.predict(*asked), acevec.kg(TRIPLES, iter=2, threads=1, debug=0).predict(*asked))
        self.assertEqual(graph.predict(pandas.DataFrame([asked])), [graph.predict(*asked)])
        self.assertEqual(len(acevec.train(pandas.Series(["a b c"] * 50), **ONE)), 3)
        titled = pandas.DataFrame([(tail, 1, head, relation) for head, relation, tail in TRIPLES],
                                  columns=["Tail", "count", "head", "relation"])
        for table, columns in (titled, None), (titled.rename(columns={"head": "von"}), "von,relation,Tail"):
            with warnings.catch_warnings(record=True) as notes:
                warnings.simplefilter("always")
                self.assertEqual(acevec.kg(table, columns=columns, iter=1).relations, graph.relations)
            self.assertFalse([note for note in notes if "titles" in str(note.message)])
            self.assertEqual(graph.score(table, columns=columns), graph.score(TRIPLES))
            self.assertEqual(graph.evaluate(table, columns=columns), graph.evaluate(TRIPLES))
            asked_of = table[:1].assign(Tail="?")
            self.assertEqual(graph.predict(asked_of, columns=columns), [graph.predict(*TRIPLES[0][:2], "?")])
        self.assertEqual(graph.score([(r, t, h) for h, r, t in TRIPLES], columns="3,1,2"), graph.score(TRIPLES))
        letters = pandas.DataFrame(TRIPLES, columns=["s", "p", "o"])
        for use in acevec.kg, graph.score, graph.evaluate:
            with self.assertRaisesRegex(ValueError, r"^the table has no column 'x'; its titles are \['s', 'p', 'o'\]$"):
                use(letters, columns=["s", "p", "x"])
        blanks = letters.rename(columns={"s": "the city"})
        self.assertEqual(acevec.kg(blanks, columns=["the city", "p", "o"], iter=1).relations, graph.relations)
        for names in zip(*_program.TITLES):  # that the program knows too
            table = pandas.DataFrame(TRIPLES, columns=names)[[*reversed(names)]]
            self.assertEqual(acevec.kg(table, iter=1).relations, graph.relations)
        placed = pandas.DataFrame([(tail, 1, head, relation) for head, relation, tail in TRIPLES])
        self.assertEqual(acevec.kg(placed, columns="3,4,1", iter=1).relations, graph.relations)
        self.assertEqual(acevec.kg(placed[[3, 0, 2, 1]], columns="3,1,2", iter=1).relations, graph.relations)
        right = pandas.DataFrame(TRIPLES, columns=["head", "relation", "tail"])[["tail", "relation", "head"]]
        self.assertEqual(graph.score(right), graph.score(TRIPLES))
        self.assertEqual(graph.predict(right[:1].assign(tail="?")), graph.predict([(*TRIPLES[0][:2], "?")]))
        self.assertEqual(graph.evaluate(right), graph.evaluate(TRIPLES))
        for use in acevec.kg, graph.score, graph.evaluate:
            with self.assertRaisesRegex(ValueError, "do not tell which column is the relation; rename it"):
                use(right.rename(columns={"relation": "kind"}))
        other = pandas.DataFrame(TRIPLES, columns=["city", "how", "land"])
        with self.assertRaisesRegex(ValueError, r"columns \['land', 'how', 'city'\], and that of train has \['city', "):
            acevec.kg(other, valid=other[["land", "how", "city"]])
        texts = pandas.DataFrame({"text": ["a b"] * 9})
        model = acevec.sentence(["a b", "c d"] * 9, encoder="bag", iter=1)
        for use in model.encode, model.index, lambda table: model.search("a", table), lambda table: model.evaluate(table, labels=[1] * 9):
            with self.assertRaisesRegex(ValueError, "the text is a table; give a column"):
                use(texts)
        with self.assertRaisesRegex(ValueError, "the first column is 'parent'"):
            acevec.order(pandas.DataFrame({"parent": ["a"], "child": ["b"]}))
        with self.assertRaisesRegex(ValueError, "^output has to be the file of the result"):
            acevec.sentence(pandas.Series(["a b"]), pandas.Series([1]))
        for train in acevec.train, acevec.sentence, lambda table: acevec.sentence(table, labels=[1] * 9):
            with self.assertRaisesRegex(ValueError, "the text is a table; give a column"):
                train(texts)

    def test_types(self):
        mypy = interpreter.find("mypy", "numpy")
        if not mypy:
            self.skipTest("mypy is not installed")
        shutil.copytree(os.environ["PYTHONPATH"], "python")
        self.write("python/acevec/__init__.pyi", backend.stubs(os.environ["ACEVEC"]))
        self.write("use.py", USE)
        self.write("wrong.py", USE + """near = model.most_similar('a', topn='many')
model.nothing
acevec.train("corpus.txt", sise=100)
acevec.train("corpus.txt", size="big")
acevec.train("corpus.txt", loss="none")
acevec.load("v.bin").most_similar("a", topn="many")
""")
        check = [mypy, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", self.directory]
        path = {**os.environ, "MYPYPATH": self.path("python")}
        for arguments, status in ((["-p", "acevec"], 0), (["use.py"], 0), (["wrong.py"], 1)):
            done = subprocess.run([*check, *arguments], check=False, stdout=subprocess.PIPE, env=path, encoding="utf-8")
            self.assertEqual(done.returncode, status, done.stdout)
        self.assertEqual(done.stdout.count(": error: "), 6, done.stdout)


class Models(Module):
    def test_graph(self):
        graph = acevec.kg(TRIPLES, "kg.bin", valid=TRIPLES[:20], test=iter(TRIPLES[20:40]), iter=5, threads=1, debug=0)
        self.assertGreater(graph.loss, 0)
        self.assertEqual(graph.info["settings"]["iter"], 5)
        asked = [("place 1", "r1", "?"), ("nobody", "r1", "?"), ("?", "r1", "place 1"), ("place 1", "?", "place 2")]
        found = graph.predict(asked, top=2)
        self.assertEqual([len(answers) for answers in found], [2, 0, 2, 2])
        self.assertEqual(graph.predict([asked[1], ("place 1", "r8", "?")]), [[], []])
        for question, answers in zip(asked, found):
            if answers:
                lines = [line.split("\t") for line in run("kg", "predict", "kg.bin", *question, "-top", "2", "-format", "tsv").splitlines()]
                self.assertEqual(answers, [(line[question.index("?")], float(line[4])) for line in lines])
                self.assertEqual(acevec.Graph("kg.bin").predict(*question, top=2), answers)
        self.assertEqual(graph.predict(asked[0], top=2), found[0])
        scores = graph.evaluate(iter(TRIPLES[20:40]), valid=TRIPLES[:20])["filtered"]
        self.assertEqual(scores["triples"], 20)
        self.assertAlmostEqual(scores["MRR"], graph.info["test"]["mrr"], 4)
        self.assertEqual(acevec.kg_eval(graph, test=TRIPLES[20:40], valid=TRIPLES[:20])["filtered"], scores)
        self.assertEqual(graph.predict(iter(asked[:1]), top=2), found[:1])
        for bad, error, said in ((("nobody", "r1", "?"), KeyError, "nobody"), (("Place 1", "r1", "?"), KeyError, "place 1"),
                                 (("place 1", "r1", None), ValueError, "neither"),
                                 (("place 1", "r1"), ValueError, "not a question"),
                                 (("place 1", "r1", "place 2"), ValueError, "not a question")):
            with self.assertRaisesRegex(error, said):
                graph.predict(bad)
        self.assertEqual((graph.predict([]), graph.score([])), ([], []))
        with self.assertRaisesRegex(KeyError, 'no relation "r8"'):
            graph.predict("place 1", "r8", "?")
        for ask in graph.predict, graph.score:
            with self.assertRaisesRegex(ValueError, r"^triples\[0\]: None is neither"):
                ask(None)
        for call, name in ((lambda: graph.predict(asked, format="text"), "format"), (lambda: graph.evaluate(TRIPLES, test="x.tsv"), "test")):
            with self.assertRaisesRegex(ValueError, f"^{name}= cannot be given; the method sets it$"):
                call()
        with self.assertRaisesRegex(ValueError, "^test has no triple whose names the model knows"):
            graph.evaluate([("a", "b", "c")])
        self.assertEqual(graph.predict(asked[0], topn=2), found[0])
        self.assertEqual(sorted(graph.entities), sorted({name for head, _, tail in TRIPLES for name in (head, tail)}))
        for one in (graph, acevec.kg(TRIPLES, score="transe", iter=1)):
            self.assertEqual(sorted(one.relations), ["r0", "r1", "r2"])
        self.assertEqual((len(graph), "place 1" in graph, "r1" in graph), (len(graph.entities), True, False))
        numbers = acevec.kg([(1, 2, 3)], iter=1)
        self.assertEqual((1 in numbers, np.int64(3) in numbers, "1" in numbers, 2 in numbers, None in numbers), (True, True, True, False, False))
        with self.assertRaises(FileNotFoundError):
            acevec.Graph("none.bin")
        self.assertEqual(repr(acevec.load("kg.bin")), f"<acevec.Graph: {len(graph):,} entities, 3 relations, size 1000>")
        self.assertEqual(acevec.load("kg.bin").predict(asked[0], topn=2), found[0])
        with self.assertRaisesRegex(ValueError, "it is a model of acevec.kg; open it with acevec.Graph$"):
            acevec.Vectors.evaluate("kg.bin", [("a", "b", 1)])

    def test_vectors_and_scores_of_a_graph(self):
        graph = acevec.kg(TRIPLES, iter=5, threads=1)
        run("kg", "export", graph.path, "-output-entities", "v.npy")
        row = graph.entities.index("place 3")
        np.testing.assert_array_equal(graph["place 3"], np.load("v.npy")[row])
        np.testing.assert_array_equal(graph[["place 3", "place 1"]][0], graph["place 3"])
        self.assertEqual((list(graph), graph.vector_size), (graph.entities, len(graph["place 3"])))
        self.assertEqual(len(graph.vectors.most_similar("place 3", topn=2)), 2)
        asked = [("place 1", "r1", "place 8"), ("place 2", "r2", "place 9")]
        lines = run("kg", "predict", graph.path, "-score-file", "-",
                    input="".join("\t".join(triple) + "\n" for triple in asked)).splitlines()
        self.assertEqual(graph.score(asked), [float(line.split("\t")[3]) for line in lines])
        self.assertEqual(graph.score(*asked[0]), graph.score(asked)[0])
        for bad in (("nowhere", "r1", "place 8"), ("place 1", "r8", "place 8"), ("r1", "r1", "r1")):
            with self.assertRaises(KeyError):
                graph.score([asked[0], bad])
        with self.assertRaises(KeyError):
            graph["nowhere"]  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(ValueError, "is not a triple"):
            graph.score("place 1", "r1")

    def test_short_texts_of_models(self):
        vectors = acevec.train("corpus.txt", size=10, **ONE)
        labelled = acevec.sentence(["fine king", "dull man"] * 9, labels=["good", "bad"] * 9, size=7)
        points = np.random.default_rng(1).standard_normal((60, 4))
        for model, text in (
                (vectors, f"Vectors: {len(WORDS)} words, size 10"),
                (acevec.sentence("corpus.txt", init=vectors), f"Sentences: {len(WORDS)} words, size 10"),
                (labelled, "Sentences: 4 words, 2 labels, size 7"),
                (acevec.kg(TRIPLES, size=6, iter=1), "Graph: 30 entities, 3 relations, size 6"),
                (acevec.metric(points, np.arange(60) % 3, iter=1, size=5), "Encoder: size 5")):
            self.assertEqual(repr(model), f"<acevec.{text}>")
            names = [name for name, _ in inspect.getmembers(model) if not name.startswith("_")]
            self.assertFalse({"parts", "command", "size_at", "is_of"} & {*names})
            self.assertEqual("loss" in names, "training" in model.info)
        self.assertEqual(labelled.labels, ["good", "bad"])
        self.assertEqual(labelled.encode([]).shape, (0, 7))

    def test_models_without_output(self):
        graph = acevec.kg(TRIPLES, iter=2, threads=1, debug=0)
        found, path, data = graph.predict("place 1", "r1", "?"), graph.path, pickle.dumps(graph)
        del graph
        self.assertFalse(os.path.exists(path))
        again = pickle.loads(data)
        self.assertEqual(again.predict("place 1", "r1", "?"), found)
        again.save("kg.bin")
        self.assertEqual(acevec.Graph("kg.bin").predict("place 1", "r1", "?"), found)
        self.assertEqual(acevec.Graph("kg.bin").info, again.info)
        data = pickle.dumps(acevec.Graph("kg.bin"))  # which does not need the file
        os.rename("kg.bin", "moved.bin")
        self.assertEqual(pickle.loads(data).predict("place 1", "r1", "?"), found)
        os.rename("moved.bin", "kg.bin")
        for train in (acevec.kg, acevec.order, acevec.sentence, acevec.metric, acevec.train):
            with self.assertRaisesRegex(ValueError, "^resume= needs output="):
                train(resume="run.ck")
        del again
        self.assertEqual(sorted(os.listdir()), ["corpus.txt", "kg.bin", "kg.bin.json"])

    def test_order(self):
        pairs = [("big dog", "dog"), ("dog", "animal"), ("cat", "animal"), ("animal", "being")]
        model = acevec.order(pairs, "order.bin", start="nested", iter=30, debug=0)
        for kinds in (model, acevec.load("order.bin")):
            one, other = kinds.query(["big dog", "cat"])
            self.assertEqual((kinds.query("big dog"), kinds.query("big\tdog")), (one, one))
            self.assertEqual({*acevec.order_query(kinds, truth=pairs)}, {"concepts", "precision", "recall"})
            numbers = acevec.order([(1, 2), (2, 3)], debug=0)
            self.assertEqual(numbers.query(1), numbers.query("1"))
            lines = [line.split("\t") for line in run("order", "query", "order.bin", "big dog", "-format", "tsv").splitlines()]
            self.assertEqual(one, [(line[2], float(line[3])) for line in lines])
            self.assertTrue({word for word, _ in one} >= {"animal", "being"} <= {word for word, _ in other})
            self.assertEqual(kinds.query("cat", topn=1), kinds.query("cat")[:1])
            self.assertEqual(("big dog" in kinds, "dogs" in kinds, len(kinds)), (True, False, 5))
            with self.assertRaisesRegex(KeyError, "dogs.*dog"):
                kinds.query("dogs")
            self.assertEqual((kinds.query(["dogs"]), kinds.query(["dogs", "cat"])), ([[]], [[], other]))
            with self.assertRaisesRegex(ValueError, "^None is neither a string nor a number$"):
                kinds.query(None)

    def test_items(self):
        odd = acevec.train([["a\u00a0b", "\u3000", "c"]] * 40, preset="items", threads=1)
        self.assertEqual([len(odd.next_items([item], top=1)) for item in odd.words], [1, 1, 1])
        sessions = [["milk", "bread", "butter"], ["milk", "bread"], [1, 2, 3]] * 40
        model = acevec.train(sessions, preset="items", threads=1, debug=0)
        acevec.train(sessions, "items.bin", output_context="items-context.bin", preset="items", threads=1, debug=0)
        model.save("saved.tsv")
        acevec.load("saved.tsv").save("again.bin")
        model.save("other.bin")
        acevec.Vectors(["milk", "bread"], [[1, 0], [0, 1]]).save("other.bin")  # what is beside it is of other vectors
        self.assertEqual((acevec.load("other.bin").context, acevec.load("other.bin").info), (None, {}))
        with self.assertRaisesRegex(acevec.Error, "^no context vectors beside other.bin; .* or give context=FILE"):
            acevec.next("other.bin", "milk")
        self.assertEqual(acevec.load("again.bin").info, model.info)
        for items in (model, acevec.load("items.bin"), acevec.load("again.bin"), pickle.loads(pickle.dumps(model))):
            lines = [line.split("\t") for line in run("next", "items.bin", "milk", "bread", "-format", "tsv").splitlines()]
            self.assertEqual(items.next_items([]), [])
            with self.assertRaisesRegex(ValueError, r"^set\[0\] is not two words and a number"):
                items.evaluate([["milk", "bread"]])
            found = items.next_items(["milk", "bread"])
            self.assertEqual([item for item, _ in found], [line[2] for line in lines])
            self.assertEqual(items.next_items([["milk", "bread"], [1, 2], ["milk", "bread"]])[::2], [found, found])
            self.assertEqual(items.next_items(["milk", "bread"], topn=2), found[:2])
            # Unknown items do not count; there is no answer to them alone.
            self.assertEqual(items.next_items(["zebra", "milk", "bread"]), found)
            self.assertEqual(items.next_items([["zebra"], ["milk", "bread"]]), [[], found])
            self.assertEqual((items.next_items([["zebra"]]), items.next_items([["zebra"], []])), ([[]], [[], []]))
            for unknown in ["zebra"], "zebra lion", " zebra":
                with self.assertRaisesRegex(KeyError, "no vector for 'zebra'"):
                    items.next_items(unknown)
            with self.assertRaisesRegex(ValueError, "^None is neither a string nor a number$"):
                items.next_items(None)
            self.assertEqual((items.next_items("milk\tbread"), items.next_items("milk \x1b bread")), (found, found))
            asked = [["milk", "bread"], ["milk", "butter", "bread"], [2, 1, 3], ["zebra", "milk"]]
            ranks = []
            for *history, answer in asked[:3]:
                scores = items.next_items(history, top=6)
                ranks.append([item for item, _ in scores].index(str(answer)))
            for top in (1, 3):
                hits = [rank for rank in ranks if rank < top]
                scores = acevec.next(items, test=asked, top=top)
                self.assertEqual(list(scores), ["lines", f"HR@{top}", f"NDCG@{top}", "MRR"])
                np.testing.assert_allclose(list(scores.values()), [3, 100 * len(hits) / 3, sum(
                    100 / np.log2(rank + 2) for rank in hits) / 3, sum(100 / (rank + 1) for rank in ranks) / 3], atol=0.005)

    def test_sentences(self):
        vectors = acevec.train("corpus.txt", size=10, **ONE)
        texts = [*TEXT.splitlines()[:50], "two\nlines\tof king", "", "zebra"]
        for model in (acevec.sentence("corpus.txt", "s.model", init=vectors, threads=1, debug=0), acevec.Sentences("s.model"),
                      acevec.sentence(SENTENCES, init=vectors, threads=1, debug=0)):
            rows = model.encode(texts)
            self.assertEqual(rows.shape, (len(texts), 10))
            np.testing.assert_array_equal(rows[-2:], 0)
            np.testing.assert_allclose(model.encode(texts[3]), rows[3], rtol=1e-5)
            np.testing.assert_array_equal(model.encode([texts[0].split(), texts[1]]), model.encode(texts[:2]))
            self.assertTrue(model.encode("a\u00a0b").any())  # one word, as in a file
            with self.assertRaisesRegex(ValueError, "None is neither"):
                model.encode(["king", None])
            units = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
            self.assertAlmostEqual(model.similarity(texts[0], texts[1]), float(units[0] @ units[1]), 5)
            best = np.argsort(-units @ units[0])[:3]
            for given in (texts, model.index(texts)):
                found = model.search(texts[0], given, top=3)
                self.assertEqual([text for text, _ in found], [texts[row] for row in best])
                both = model.search(iter(texts[:2]), given, topn=3)
                self.assertEqual(len(both), 2)
                for one, query in zip(both, texts):
                    self.assertEqual([text for text, _ in one], [text for text, _ in model.search(query, given, 3)])
            for given in (texts[0], rows[0]):
                np.testing.assert_allclose(model.similarity(texts[:3], given), units[:3] @ units[0], atol=1e-5)
            np.testing.assert_allclose(model.encode(texts, normalize_embeddings=True), units, atol=1e-6)
        self.assertIn("a\u00a0b", acevec.sentence(SENTENCES, encoder="bag", iter=1).words)
        self.assertEqual(model.search("zebra", texts), [])
        self.assertEqual(model.search(texts[0], ["", "zebra"]), [])
        self.assertEqual([len(found) for found in model.search(["zebra", texts[0]], texts, top=3)], [0, 3])
        scores = model.evaluate([(texts[0], texts[0], 5), (texts[1], texts[2], 1), (texts[3], texts[4], 1.5)])
        self.assertEqual(scores["pairs"]["pairs"], 3)
        pairs = acevec.sentence(pairs=[(line, line[::-1]) for line in TEXT.splitlines()], init=vectors, iter=1, debug=0)
        self.assertEqual(pairs.encode("king").shape, (10 + 400,))  # lexical dimensions
        with self.assertRaisesRegex(ValueError, "acevec.sentence_retrieve"):
            pairs.evaluate([("king", "queen")])
        scores = acevec.sentence_retrieve(model, pairs=[(line, line) for line in dict.fromkeys(texts[:20])])
        self.assertEqual(list(scores), ["queries", "texts", "MRR@10", "recall@10", "recall@100", "nDCG@10"])
        self.assertEqual((scores["queries"], scores["MRR@10"]), (20, 100))

    def test_labels_of_texts(self):
        rows = [("sweet", "sugar and honey"), ("very sour", "lemon and vinegar")] * 20
        model, lines = (acevec.sentence(labels=[(label, text.replace(" ", blank)) for label, text in rows],
                                        iter=20, threads=1, debug=0) for blank in (" ", "\n"))
        self.assertEqual(lines.predict("honey"), model.predict("honey"))
        texts = ["honey", "a sour lemon\nand vinegar", "", "zebra"]
        found = model.predict(texts, top=2)
        self.assertEqual([len(labels) for labels in found], [2] * 4)
        self.assertEqual([labels[0][0] for labels in found[:2]], ["sweet", "very sour"])
        for labels in found:
            self.assertAlmostEqual(sum(probability for _, probability in labels), 1, 5)
        self.assertEqual((model.predict("honey"), model.predict("honey", topn=2)), (found[0][:1], found[0]))
        blank = acevec.sentence(labels=["__label__a\u00a0b honey", "__label__c lemon"] * 9)
        self.assertEqual({label for label, _ in blank.predict("honey", top=2)}, {"a\u00a0b", "c"})
        self.assertEqual(acevec.sentence("a\u2028b\nc\n" * 9, labels=["x", "y"] * 9).labels, ["x", "y"])  # two lines
        inside = acevec.sentence(["a __label__x pie", "__label__y stew"] * 9, labels=["sweet", "hot"] * 9)
        self.assertEqual((inside.labels, sorted(inside.words)), (["sweet", "hot"], ["a", "pie", "stew"]))
        self.assertEqual(model.predict(iter(texts)), [labels[:1] for labels in found])
        for ask, name in (model.predict, "probabilities"), (model.encode, "output"):
            with self.assertRaisesRegex(ValueError, f"^{name}= cannot be given; the method sets it$"):
                ask("honey", **{name: 1})
        self.write("test.txt", "__label__sweet honey\n__label__sweet lemon\n")
        for asked in "test.txt", iter([("sweet", "honey"), ("sweet", "lemon")]):
            self.assertEqual(model.evaluate(asked), {"N": 2, "P@1": 0.5, "R@1": 0.5})
        self.assertEqual(model.evaluate(rows[:1] + rows[1:2], top=2), {"N": 2, "P@2": 0.5, "R@2": 1})
        self.assertEqual(model.evaluate(["honey", "lemon"], labels=["sweet", "sweet"]), {"N": 2, "P@1": 0.5, "R@1": 0.5})
        with self.assertRaisesRegex(ValueError, "^there are 1 texts, but 2 labels"):
            model.evaluate(["honey"], labels=["sweet", "sweet"])
        with self.assertRaisesRegex(ValueError, "^'test.txt' is not a list of texts; give one"):
            model.evaluate("test.txt", labels=["sweet"] * 8)
        self.assertEqual((model.predict([]), len(model.encode([]))), ([], 0))
        self.assertEqual(model.evaluate([(["sweet", "very sour"], "honey")]), {"N": 1, "P@1": 1, "R@1": 0.5})
        self.assertEqual(model.evaluate(rows[:2], by_label=True)["labels"]["very sour"],
                         {"texts": 1, "precision": 1, "recall": 1, "F1": 1})
        with self.assertRaisesRegex(AttributeError, "^acevec.Sentences has no test_label; use evaluate"):
            model.test_label  # pylint: disable=pointless-statement
        found = acevec.sentence_test(model, "test.txt", by_label=True)
        self.assertEqual((found["N"], found["labels"]["__label__sweet"]["recall"]), (2, 0.5))
        self.assertEqual(acevec.sentence_test(model, [("sweet", "honey")])["N"], 1)
        found = acevec.sentence_test(model, input=["__label__sweet honey"], by_label=True)
        self.assertTrue(np.isnan(found["labels"]["__label__very_sour"]["precision"]))
        tokens = acevec.sentence([text.split() for _, text in rows], labels=[label for label, _ in rows], iter=20, threads=1)
        self.assertEqual(tokens.predict([["honey"]]), model.predict(["honey"]))
        texts, labels = [text for _, text in rows], [int(label == "sweet") for label, _ in rows]
        given = {"iter": 20, "threads": 1}
        for one in (acevec.sentence(texts, labels=np.array(labels), **given), acevec.sentence(texts, labels=[[label] for label in labels], **given),
                    acevec.sentence(labels=iter([("__label__" + label.split()[-1], text) for label, text in rows]), output="l.model", **given),
                    acevec.Sentences("l.model"), acevec.sentence(labels=[f"__label__{label.split()[-1]} {text}" for label, text in rows], **given)):
            self.assertIn(one.predict("honey")[0][0], (1, "sweet", "__label__sweet"))
            self.assertIn(pickle.loads(pickle.dumps(one)).predict("lemon")[0][0], (0, "very sour", "__label__sour", "sour"))
        with self.assertRaisesRegex(ValueError, "there are 40 texts, but 3 labels"):
            acevec.sentence(texts, labels=labels[:3])
        for path in "texts.txt", pathlib.Path("texts.txt"):
            with self.assertRaisesRegex(ValueError, "texts.txt.* is not a list of texts; give one"):
                acevec.sentence(path, labels=["sweet"])
        self.assertIn(acevec.sentence("\n".join(texts), labels=labels, **given).predict("honey")[0][0], (0, 1))
        for bad in labels, [row[:1] for row in rows]:
            with self.assertRaisesRegex(ValueError, "is not a pair of a label and a text"):
                acevec.sentence(labels=bad)
        # Labels stay labels if they are longer than texts, or more.
        for label in ("dessert, vegetarian", "main course, meat"), range(10), ("a b", "__label__c d", 1):
            label = list(label)
            for one in (acevec.sentence(["pie", "stew"] * 60, labels=label * (120 // len(label)), **given),
                        acevec.sentence(labels=list(zip(label * (120 // len(label)), ["pie", "stew"] * 60)), **given)):
                self.assertEqual({found for found, _ in one.predict("pie", top=10)}, set(label))
        for both in [("sour pie", "sour_pie"), ("1", 1)]:
            with self.assertRaisesRegex(ValueError, "the labels .* and .* would both be __label__"):
                acevec.sentence(["pie", "stew"] * 9, labels=list(both) * 9, **given)
        with self.assertRaisesRegex(ValueError, "are they swapped"):  # 50 labels for two texts
            acevec.sentence(labels=[(f"text {i % 50}", "sweet" if i % 2 else "hot") for i in range(200)], **given)
        with self.assertRaisesRegex(ValueError, "are they swapped\\? Pairs are .label, text.$"):
            acevec.sentence(labels=[(f"text {i}", "sweet" if i % 2 else "hot") for i in range(9)], **given)
        for swapped in (dict(corpus=["sweet", "hot"] * 9, labels=["a honey pie", "a hot stew"] * 9),
                        dict(labels=[("a honey pie", "sweet"), ("a hot stew", "hot")] * 9)):
            with self.assertRaisesRegex(ValueError, "are they swapped"):
                acevec.sentence(**swapped, **given)
        topics = acevec.sentence(["honey pie", "hot stew"] * 9, labels=["sweet", "hot"] * 9, **given)
        with self.assertRaisesRegex(ValueError, "the texts are labels of the model"):
            topics.evaluate([("honey", "sweet")])
        for one_string in (lambda: topics.index("corpus.txt"), lambda: topics.search("honey", "corpus.txt")):
            with self.assertRaisesRegex(ValueError, "'corpus.txt' is not a list of texts; give one"):
                one_string()
        with self.assertRaisesRegex(ValueError, "is not a model of acevec.kg; acevec.load opens"):
            acevec.Graph(topics.path)
        with self.assertRaisesRegex(ValueError, "are they swapped"):
            acevec.sentence(labels=[(f"text {i}", i % 2) for i in range(9)], **given)
        topics.save("topics.model")
        saved = acevec.Sentences("topics.model")
        saved.save("topics.model")
        self.assertEqual(saved.predict("honey"), topics.predict("honey"))
        topics.save("topics.model")
        with self.assertRaisesRegex(acevec.Error, "has been written again since the model was opened"):
            saved.predict("honey")
        whole = pathlib.Path("topics.model").read_bytes()
        for size in range(0, len(whole), len(whole) // 9):
            pathlib.Path("cut.model").write_bytes(whole[:size])
            with self.assertRaises(ValueError):
                acevec.Sentences("cut.model")
        acevec.kg(TRIPLES, "kg.model", size=2, iter=1)
        whole = pathlib.Path("kg.model").read_bytes()
        for size in range(len(whole)):  # within the names and between the parts, too
            pathlib.Path("cut.model").write_bytes(whole[:size])
            with self.assertRaises(ValueError):
                acevec.Graph("cut.model")
        both = acevec.sentence(["honey pie", "stew"] * 20, labels=[["sweet", "baked"], ("hot",)] * 20, **given)
        (one, share), (other, same), (_, rest) = both.predict("honey", top=3)
        self.assertEqual({one, other}, {"sweet", "baked"})
        self.assertAlmostEqual(share, same, 3)
        self.assertGreater(same, rest)
        with self.assertRaises(acevec.Error):
            acevec.sentence("corpus.txt", init=acevec.train("corpus.txt", **ONE), debug=0).predict("honey")

    def test_points(self):
        points = np.random.default_rng(1).standard_normal((200, 6)).astype(np.float32)
        labels = np.arange(200) % 4
        np.save("x.npy", points)
        np.save("y.npy", labels)
        run("metric", "-train", "x.npy", "-labels", "y.npy", "-output", "m.model", "-hidden", "8", "-iter", "2", "-threads", "1", "-debug", "0")
        run("metric", "encode", "m.model", "-points", "x.npy", "-output", "v.npy")
        options = {"hidden": 8, "iter": 2, "threads": 1, "debug": 0}
        for x, y in ((points, labels), (points.tolist(), labels.tolist()), ("x.npy", labels), (points, "y.npy")):
            np.testing.assert_array_equal(acevec.metric(x, y, **options).encode(x), np.load("v.npy"))
        for bad, why in (([None, 1] * 100, "None is neither"), (np.eye(4)[labels], "^labels has 2 dimensions; give one label for each point$")):
            with self.assertRaisesRegex(ValueError, why):
                acevec.metric(points, bad, **options)
        encoder = acevec.metric(points, labels > 1, **options)
        for one in (points[0], points[0].tolist()):
            np.testing.assert_array_equal(encoder.encode(one), encoder.encode(points[:3])[0])
        named = acevec.metric(points, [f"class {label}" for label in labels], valid=points, valid_labels=[f"class {label}" for label in labels], **options)
        self.assertEqual(named.encode(points[:3]).shape, (3, 32))
        scores = acevec.metric_eval(named, train=points, labels=labels, test=points[:50], test_labels=labels[:50])
        self.assertEqual(named.evaluate(points, labels, points[:50], labels[:50]), scores)
        named.save("named.model")
        self.assertIsInstance(acevec.load("named.model"), acevec.Encoder)
        np.save("y50.npy", labels[:50])
        np.save("x50.npy", points[:50])
        printed = run("metric", "eval", "named.model", "-train", "x.npy", "-labels", "y.npy", "-test", "x50.npy", "-test-labels", "y50.npy")
        self.assertEqual(["\t".join(scores), list(scores.values())], [printed.splitlines()[0], list(map(float, printed.splitlines()[1].split()))])

    @unittest.skipUnless(interpreter.find("sklearn") == sys.executable, "scikit-learn is not installed")
    def test_scikit_learn(self):
        import scipy.sparse
        from acevec.sklearn import MetricTransformer, SentenceClassifier, SentenceTransformer
        from sklearn.base import clone
        from sklearn.exceptions import NotFittedError
        from sklearn.neighbors import KNeighborsClassifier
        from sklearn.pipeline import make_pipeline
        self.assertIs(acevec.__getattr__("sklearn").SentenceClassifier, SentenceClassifier)
        labels = np.arange(200) % 4
        points = np.random.default_rng(1).standard_normal((200, 6)) + 5 * labels[:, None]
        steps = make_pipeline(MetricTransformer(hidden=8, iter=5, threads=1, debug=0), KNeighborsClassifier())
        steps.set_params(metrictransformer__size=3)
        steps = pickle.loads(pickle.dumps(clone(steps).fit(points, labels)))
        self.assertEqual(steps[0].transform(points).shape, (200, 3))
        self.assertGreater(steps.score(points, labels), 0.6)
        texts = TEXT.splitlines()
        with self.assertRaisesRegex(NotFittedError, "not fitted yet"):
            SentenceTransformer(debug=0).transform(texts)
        rows = SentenceTransformer(init=acevec.train("corpus.txt", **ONE), debug=0).fit_transform(texts)
        self.assertEqual(rows.shape, (len(texts), 100))
        for words in ["king", "queen"], ["king", self.write("queen.txt", "a fine king\n")]:  # texts, not paths
            made = SentenceTransformer(encoder="bag", min_count=1, iter=1).fit(words * 9)
            self.assertEqual(sorted(made.model_.words), sorted(words))
        with self.assertRaisesRegex(ValueError, "^X is empty; give at least one line$"):
            SentenceTransformer().fit([])
        self.assertEqual(steps[0].get_feature_names_out().tolist(), [f"metrictransformer{i}" for i in range(3)])
        texts, labels = ["fine king", "dull man", "fine queen"] * 20, ["very good", "bad", "very good"] * 20
        model = pickle.loads(pickle.dumps(clone(SentenceClassifier(iter=9, threads=1)).fit(texts, labels)))
        self.assertEqual(model.predict(["fine", "dull"]).tolist(), ["very good", "bad"])
        self.assertEqual(model.score(texts, labels), 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # also for a note of what it does not know
            np.testing.assert_allclose(model.predict_proba(["dull man", "unknown"]).sum(1), 1, atol=1e-4)
            self.assertEqual(made.transform(["unknown king", "unknown"]).shape, (2, len(made.get_feature_names_out())))
        with self.assertWarnsRegex(acevec.Note, "invalid UTF-8"):
            model.predict(["fine \udcff"])
        with self.assertRaisesRegex(ValueError, "^X is empty; give at least one line$"):
            SentenceClassifier().fit([], [])
        with self.assertRaisesRegex(ValueError, "^y has lists of labels; give one label for each text$"):
            SentenceClassifier().fit(texts, [["good", "old"], ["bad"], ["good"]] * 20)
        with self.assertRaisesRegex(ValueError, "'fine' is not a list of texts; give one"):
            model.predict("fine")
        with self.assertRaisesRegex(ValueError, "the text is a table; give a column"):
            model.predict(types.SimpleNamespace(itertuples=None))  # as of pandas
        with self.assertRaisesRegex(ValueError, "train= is a sparse matrix"):
            MetricTransformer().fit(scipy.sparse.csr_matrix(points), np.arange(200) % 4)
        self.assertEqual(model.predict_proba([]).shape, (0, 2))
        self.assertEqual(model.fit(X=texts, y=labels).predict([]).shape, (0,))
        with self.assertRaises(NotFittedError):
            SentenceClassifier().predict(texts)


if __name__ == "__main__":
    unittest.main()
