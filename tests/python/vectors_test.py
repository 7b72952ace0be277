#!/usr/bin/env python3
"""Vectors of python/: queries, files, words of n-grams, and what goes to other packages."""

import collections
import os
import pickle
import shutil
import subprocess
import sys
import types
import unittest

from package import ONE, SENTENCES, WORDS, Module, interpreter, run

import acevec
import numpy as np


class Queries(Module):
    def setUp(self):
        super().setUp()
        self.model = acevec.train("corpus.txt", "v.bin", size=20, sample=0, **ONE)

    def test_words_and_rows(self):
        self.assertEqual(len(self.model), len(WORDS))
        self.assertIn("żółw", self.model)
        self.assertNotIn("zebra", self.model)
        row = self.model.words.index("king")
        np.testing.assert_array_equal(self.model["king"], self.model.matrix[row])
        self.assertEqual(self.model[["king", "日本"]].shape, (2, 20))
        self.assertEqual(self.model.matrix.dtype, np.float32)
        for unknown in ("zebra", ["king", "zebra"]):
            with self.assertRaises(KeyError):
                self.model[unknown]  # pylint: disable=pointless-statement
            with self.assertRaises(KeyError):
                self.model.most_similar(unknown)

    def check_nearest(self, found, *words):
        lines = run("nn", "v.bin", "-format", "tsv", "--", *words).splitlines()
        expected = [line.split("\t")[2:] for line in lines]
        self.assertEqual([word for word, _ in found], [word for word, _ in expected])
        np.testing.assert_allclose([cosine for _, cosine in found], [float(cosine) for _, cosine in expected],
                                   atol=2e-6)

    def test_nearest_as_the_program(self):
        self.check_nearest(self.model.most_similar("king"), "king")
        self.check_nearest(self.model.most_similar(["king", "woman"]), "king", "+", "woman")
        self.check_nearest(self.model.most_similar(["king", "woman"], "queen"), "king", "-", "queen", "+", "woman")
        self.check_nearest(self.model.most_similar(["king", "-man"]), "king", "+", "-man")  # a word of the file
        self.assertEqual(len(self.model.most_similar("king", topn=3)), 3)
        self.assertEqual(len(self.model.most_similar("king", topn=1000)), len(WORDS) - 1)
        self.assertEqual(self.model.most_similar("king", topn=0), [])
        cosine = run("similarity", "v.bin", "king", "queen", "-format", "tsv").split("\t")[2]
        self.assertAlmostEqual(self.model.similarity("king", "queen"), float(cosine), places=5)

    def test_zero_vectors(self):
        model = acevec.load(self.write("zero.txt", "3 2\na 0 0\nb 1 0\nc 1 1\n"))
        self.assertEqual([word for word, _ in model.most_similar("b")], ["c", "a"])
        with self.assertRaisesRegex(ValueError, "sum is zero"):
            model.most_similar("a")

    def test_formats(self):
        for name in ("v.txt", "v.npy", "v.tsv", "v.glove"):
            self.model.save(name)
            again = acevec.load(name)
            self.assertEqual(again.words, self.model.words, name)
            np.testing.assert_array_equal(again.matrix, self.model.matrix)
        subprocess.run(["gzip", "v.txt"], check=True)
        self.assertEqual(acevec.load("v.txt.gz").words, self.model.words)
        self.assertEqual(acevec.load("v.bin", limit=5).words, self.model.words[:5])
        self.model.save("half.npy", type="float16")
        half = acevec.load("half.npy")
        self.assertEqual(half.matrix.dtype, np.float16)
        self.assertAlmostEqual(half.similarity("king", "queen"), self.model.similarity("king", "queen"), places=2)
        acevec.train("corpus.txt", maxn=3, bucket=100, output_model="v.ft", size=5, **ONE)
        self.assertEqual(sorted(acevec.load("v.ft").words), sorted(WORDS))
        self.assertIsInstance(acevec.load("v.npy").matrix, np.memmap)
        self.model.save("-v.bin")
        self.assertEqual(acevec.load("-v.bin").words, self.model.words)

    def test_damaged_files(self):
        self.model.save("v.npy")
        for name, size in (("v.npy", 500), ("v.bin", 500)):
            self.write("cut" + name[1:], self.read(name)[:size])
        self.write("cut.words", self.read("v.words"))
        with self.assertRaises(ValueError):
            acevec.load("cut.npy")
        with self.assertRaises(acevec.Error):
            acevec.load("cut.bin")
        self.write("v.words", "one\ntwo\n")
        with self.assertRaisesRegex(ValueError, "for 2 words"):
            acevec.load("v.npy")

    def test_evaluate(self):
        pairs = self.write("pairs.tsv", "king\tqueen\t9\nking\tman\t1\nwoman\tqueen\t7\nzebra\tking\t1\n")
        scores = self.model.evaluate(pairs)["pairs"]
        self.assertEqual((scores["pairs"], scores["covered"]), (4, 3))
        self.assertEqual(list(scores), ["pairs", "covered", "rho_covered", "rho_all"])
        self.assertEqual(acevec.similarity("v.bin", set=pairs), {"pairs": scores})
        self.assertEqual(acevec.similarity("v.bin", "king", "queen"), run("similarity", "v.bin", "king", "queen"))
        self.assertTrue(acevec.similarity("v.bin", set=pairs, format="text").startswith("set "))
        questions = self.write("questions.txt", ": gram1\nking queen man woman\n")
        self.assertEqual(self.model.evaluate(questions)["gram1"]["questions"], 1)
        with self.assertRaises(acevec.Error):
            self.model.evaluate(self.write("none.tsv", "zebra\tlion\t1\n"))

    def test_no_process_for_a_query(self):
        """In a process that has no program."""
        self.model.save("v.npy")
        done = self.python("""
import acevec
model = acevec.load("v.npy")
model.most_similar("king"), model.similarity("king", "man"), model.doesnt_match(["king", "man"]), model["king"]
""", env={**os.environ, "ACEVEC": "/nonexistent"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_cosines(self):
        king, queen = self.model["king"], self.model["queen"]
        cosine = king @ queen / np.linalg.norm(king) / np.linalg.norm(queen)
        for one, other in ("king", "queen"), ("king", queen), (king, queen):
            self.assertAlmostEqual(self.model.similarity(one, other), cosine, 5)

    def test_sums(self):
        """By numpy: vectors of length 1 are added; given vectors count as they are."""
        units = self.model.matrix / np.linalg.norm(self.model.matrix, axis=1, keepdims=True)
        at = self.model.words.index
        given = np.linspace(-1, 1, 20)
        king, woman, man = (units[at(word)] for word in ("king", "woman", "man"))
        for positive, negative, total, asked in (
                (["king", "woman"], ["man"], king + woman - man, ["king", "woman", "man"]),
                ("king", "man", king - man, ["king", "man"]), (given, [], given, []), ([], "man", -man, ["man"]),
                ([given, "king"], given / 2, given / 2 + king, ["king"])):
            cosines = units @ total / np.linalg.norm(total)
            order = [row for row in np.argsort(-cosines) if self.model.words[row] not in asked][:4]
            found = self.model.most_similar(positive, negative, topn=4)
            self.assertEqual([word for word, _ in found], [self.model.words[row] for row in order])
            np.testing.assert_allclose([cosine for _, cosine in found], cosines[order], atol=1e-5)
        with self.assertRaisesRegex(ValueError, "no word or vector"):
            self.model.most_similar()
        weighted = [word for word, _ in self.model.most_similar([("king", 2.0), ("woman", -0.5), given], topn=4)]
        near = [word for word, _ in self.model.most_similar(2 * king - woman / 2 + given) if word not in ("king", "woman")]
        self.assertEqual(weighted, near[:4])
        frequent = [answer for answer in self.model.most_similar("king", topn=99) if answer[0] in self.model.words[:9]]
        self.assertEqual(self.model.most_similar("king", restrict_vocab=9, topn=20), frequent)
        for nowhere in np.zeros(20), np.full(20, np.nan), ["king", ("king", -1)]:
            with self.assertRaisesRegex(ValueError, "zero or not finite"):
                self.model.most_similar(nowhere)
        self.assertEqual(self.model.most_similar("king", None, 3), self.model.most_similar("king", topn=3))
        for topn in None, 1.5, "3":
            with self.assertRaisesRegex(ValueError, rf"topn={topn!r} is not a number of answers; topn=len\(model\)"):
                self.model.most_similar("king", topn=topn)
        with self.assertRaisesRegex(ValueError, r"^\('king', 'x'\) is not a word or vector and its weight$"):
            self.model.most_similar([("king", "x")])
        with self.assertRaisesRegex(ValueError, "^b'king' is neither a string nor a number$"):
            self.model.most_similar(b"king")
        for vector in self.model["king"].tolist(), [1] * 20:
            self.assertEqual(self.model.similar_by_vector(vector, 3), self.model.similar_by_vector(np.array(vector, float), 3))
        for call in (lambda: acevec.load(None), lambda: self.model.save(None), lambda: acevec.Graph(None)):
            with self.assertRaisesRegex(ValueError, "^None is neither a path nor another string"):
                call()
        with self.assertRaisesRegex(ValueError, r"^words\[0\]: None is neither a string nor a number$"):
            acevec.Vectors(None, None)
        for call in (lambda: self.model.most_similar([]), lambda: self.model.most_similar("king", topn=-1),
                     lambda: self.model.doesnt_match(["zebra"]), lambda: self.model.doesnt_match("king"),
                     lambda: acevec.Vectors(["a", "a"], np.eye(2)),
                     lambda: self.model.n_similarity([], ["king"])):
            self.assertRaises(ValueError, call)
        with self.assertRaisesRegex(ValueError, r"shape \(3,\), and those of words \(20,\)"):
            self.model.most_similar(np.ones(3))
        with self.assertRaisesRegex(KeyError, "no vector for 'KING'; similar spellings: king"):
            self.model.most_similar("KING")

    def test_as_a_container(self):
        self.assertEqual(repr(self.model), f"<acevec.Vectors: {len(WORDS)} words, size 20>")
        self.assertEqual(list(self.model), self.model.words)
        self.assertEqual(self.model[[]].shape, (0, 20))
        self.assertIn("king", self.model)
        self.assertNotIn("zebra", self.model)
        self.assertEqual(acevec.__version__, run("--version").split()[1])
        self.assertGreater(self.model.loss, 0)
        self.assertEqual(self.model.info["settings"]["size"], 20)
        with self.assertRaisesRegex(AttributeError, "^acevec.Vectors has no loss; use a result of training"):
            acevec.Vectors(["a"], np.ones((1, 2))).loss  # pylint: disable=expression-not-assigned
        self.assertEqual((None in self.model, float("nan") in self.model, ["king"] in self.model), (False, False, False))
        self.assertEqual(acevec.train([[1, 2], [2, 3]] * 50, **ONE)[[1, np.int64(2)]].shape, (2, 100))

    def test_vectors_of_words_are_copies(self):
        model = acevec.Vectors(["a", "b"], np.eye(2, dtype=np.float32))
        vector = model["a"]
        vector += 5
        self.assertEqual(model["a"].tolist(), [1, 0])
        self.assertEqual((model[[]].shape, model[[]].dtype), ((0, 2), np.float32))

    def test_names_of_gensim(self):
        self.assertIs(self.model.wv, self.model)
        self.assertIs(self.model.vectors, self.model.matrix)
        self.assertEqual((self.model.index_to_key, self.model.vector_size), (self.model.words, 20))
        self.assertEqual(self.model.index_to_key[self.model.key_to_index["king"]], "king")
        np.testing.assert_array_equal(self.model.get_vector("king"), self.model["king"])
        for name, way in (("save_word2vec_format", "save"), ("train", r"acevec.train\(text, init=model\)"),
                          ("get_vecattr", "count"), ("get_nearest_neighbors", "most_similar"),
                          ("predict", r"acevec.sentence\(labels"), ("fill_norms", "get_vector"), ("get_subwords", r"model\[word\]"),
                          ("most_similar_to_given", "to_gensim"), ("words_closer_than", "to_gensim"), ("vectors_for_all", "to_gensim"),
                          ("rank_by_centrality", "to_gensim"), ("similar_by_key", "most_similar"), ("add_vector", "acevec.Vectors"),
                          ("get_mean_vector", r"the mean of get_vector\(word, norm=True\)")):
            with self.assertRaisesRegex(AttributeError, f"^acevec.Vectors has no {name}; use {way}"):
                getattr(self.model, name)
        with self.assertRaisesRegex(AttributeError, "^acevec has no Word2Vec; use acevec.train$"):
            acevec.Word2Vec  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(AttributeError, r"^acevec has no train_supervised; use acevec.sentence\(labels=...\)$"):
            acevec.train_supervised  # pylint: disable=pointless-statement
        for name in "nothing", "unknown":  # which is near to a private name
            with self.assertRaisesRegex(AttributeError, f"^acevec.Vectors has no {name}$"):
                getattr(self.model, name)

    def test_of_words_and_lists(self):
        model = acevec.Vectors([3, "b"], [[1, 0], [1, 1]])
        self.assertEqual(model.words, ["3", "b"])
        self.assertAlmostEqual(model.most_similar(3)[0][1], 0.5 ** 0.5)
        self.assertAlmostEqual(model.n_similarity("b", [3, "b"]), 3 / 10 ** 0.5)

    def test_counts(self):
        counts = collections.Counter(word for words in SENTENCES for word in words)
        model = acevec.train(SENTENCES, save_vocab="vocab.txt", **ONE)
        written = acevec.train(SENTENCES, "w.bin", **ONE)
        stays = acevec.train("corpus.txt", "k.bin", checkpoint="k.ck", save_vocab="k.txt", **ONE)
        for counted in (model, written, stays, acevec.load("w.bin", vocab="vocab.txt")):
            self.assertEqual({word: counted.count(word) for word in counted}, counts)
        for without in acevec.load("w.bin"), acevec.train("corpus.txt", "w.bin", checkpoint="w.ck", **ONE):
            with self.assertRaisesRegex(ValueError, r"^the counts are not known; train with save_vocab=FILE, then load\(..., vocab=FILE\)"):
                without.count("king")
        with self.assertRaises(KeyError):
            model.count("zebra")
        for blank in "\u00a0\u3000\u2028\x1c\x85":  # words to the program, white space to Python
            self.assertEqual(acevec.train([["king", blank, "queen"]] * 30, **ONE).count(blank), 30)

    @unittest.skipUnless(interpreter.find("gensim") == sys.executable, "gensim is not installed")
    def test_gensim(self):
        vectors = acevec.train("corpus.txt", size=20, sample=0, **ONE).to_gensim()
        for found, expected in (
                (self.model.most_similar("king", topn=3), vectors.most_similar("king", topn=3)),
                (self.model.most_similar(["king", "woman"], ["man"]), vectors.most_similar(["king", "woman"], ["man"])),
                (self.model.most_similar(self.model["king"]), vectors.most_similar(self.model["king"]))):
            self.assertEqual([word for word, _ in found], [word for word, _ in expected])
            np.testing.assert_allclose([cosine for _, cosine in found], [cosine for _, cosine in expected], atol=1e-5)
        self.assertEqual([word for word, _ in self.model.most_similar("king", top=3)], [word for word, _ in vectors.similar_by_word("king", 3)])
        self.assertEqual(self.model.wv.similar_by_vector(self.model["king"], 3), self.model.most_similar(self.model["king"], topn=3))
        np.testing.assert_allclose(self.model.get_vector("king", norm=True), vectors.get_vector("king", norm=True), rtol=1e-5)
        acevec.train("corpus.txt", "b.bin", init=self.model, size=20, **ONE)
        for given in (vectors, types.SimpleNamespace(wv=vectors)):  # as Word2Vec has them
            acevec.train("corpus.txt", "a.bin", init=given, size=20, **ONE)
            self.assertEqual(self.read("a.bin"), self.read("b.bin"))
        for name in ("index_to_key", "key_to_index", "vector_size"):
            self.assertEqual(getattr(self.model, name), getattr(vectors, name), name)
        words = ["king", "queen", "man", "w1"]
        self.assertEqual(self.model.doesnt_match(words), vectors.doesnt_match(words))
        self.assertAlmostEqual(self.model.n_similarity(words[:2], words[2:]), vectors.n_similarity(words[:2], words[2:]), 5)
        self.assertEqual(vectors.get_vecattr("king", "count"), sum(words.count("king") for words in SENTENCES))

    def test_stands_for_a_file(self):
        run("-train", "corpus.txt", "-init", "v.bin", "-output", "a.bin", "-min-count", "1", "-threads", "1", "-size", "20", "-debug", "0")
        acevec.train("corpus.txt", "b.bin", init=self.model, size=20, **ONE)
        self.assertEqual(self.read("a.bin"), self.read("b.bin"))
        self.assertEqual(acevec.run("nn", self.model, "king"), run("nn", "v.bin", "king"))
        # The object has its vectors, whatever becomes of the file.
        before = acevec.run("nn", self.model, "king")
        acevec.train("corpus.txt", "v.bin", size=5, **ONE)
        self.model.save("again.bin")
        self.assertEqual(run("nn", "again.bin", "king"), before)


class Subwords(Module):
    def setUp(self):
        super().setUp()
        self.model = acevec.train("corpus.txt", maxn=4, bucket=500, size=10, output_model="v.ft", **ONE)

    def test_unseen_words_as_the_program(self):
        unseen = ["kings", "zolwica", "żółwica", "日本語", "x", "kingqueenkingqueen"]
        for model in (self.model, acevec.load("v.ft"), acevec.train("corpus.txt", "o.bin", maxn=4, bucket=500, size=10, output_model="o.ft", **ONE), acevec.train("corpus.txt", maxn=4, bucket=500, size=10, **ONE)):
            for word in unseen:
                line = subprocess.run([os.environ["ACEVEC"], "vectors", "v.ft", word], check=False,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8").stdout
                self.assertEqual(word in model, bool(line), word)
                if line:
                    np.testing.assert_allclose(model[word], np.array(line.split()[1:], float), rtol=1e-5, atol=1e-9)
            self.assertNotIn("a b", model)
            self.assertEqual(model.most_similar("kings")[0][0], acevec.run("nn", "v.ft", "kings", "-format=tsv").split("\t")[2])
            self.assertEqual(model.count("king"), sum(words.count("king") for words in SENTENCES))
            np.testing.assert_allclose(model["king"], self.model["king"], rtol=1e-5, atol=1e-7)

    def test_saved(self):
        self.model.save("again.ft")
        self.assertEqual(self.read("again.ft"), self.read("v.ft"))
        self.assertNotIn("kings", acevec.load("v.ft", limit=5))
        again = pickle.loads(pickle.dumps(self.model))
        np.testing.assert_array_equal(again["kings"], self.model["kings"])

    def test_words_of_init_and_context(self):
        """A file for the program has all words, and the context vectors of items."""
        init = acevec.Vectors(["zebra", "king"], np.eye(2))
        model = acevec.train(SENTENCES, "w.bin", maxn=4, bucket=500, size=2, init=init, output_model="w.ft", **ONE)
        with self.assertWarnsRegex(acevec.Note, "^again.bin has no n-grams for unseen words"):
            model.save("again.bin")
        self.assertEqual(acevec.load("again.bin").words, model.words)
        self.assertEqual((model.count("zebra"), "kings" in model, "zebra" in model), (0, True, True))
        with self.assertRaisesRegex(KeyError, "n-grams of the run are in a file only if output_model="):
            acevec.load("w.bin")["kings"]
        items = acevec.train(SENTENCES, preset="items", maxn=4, bucket=500, threads=1)
        self.assertEqual(len(items.next_items(["king"], top=2)), 2)

    def test_words_only(self):
        """A model without n-grams."""
        acevec.train("corpus.txt", "w.bin", output_model="w.ft", size=10, **ONE)
        model = acevec.load("w.ft")
        self.assertNotIn("kings", model)
        self.assertEqual(model.count("king"), self.model.count("king"))


class Odd(Module):
    """Files of others, copies, forks."""

    def test_a_word_twice(self):
        self.write("twice.words", "a\nb\na\n")
        np.save("twice.npy", np.eye(3, dtype=np.float32))
        model = acevec.load("twice.npy")
        self.write("twice.txt", "3 1\na 1\nb 2\na 3\n")
        for again in model, acevec.load(model), acevec.load("twice.txt"):
            self.assertEqual(again.key_to_index, {"a": 0, "b": 1})
        np.testing.assert_array_equal(model[["a", "b"]], np.eye(3)[:2])

    def test_invalid_utf8(self):
        self.write("bad.bin", b"2 1\ncaf\xe9 \0\0\x80?\nx \0\0\0@\n")
        model = acevec.load("bad.bin")
        self.assertEqual(model.words, ["caf\ufffd", "x"])
        self.assertEqual(model["caf\ufffd"], 1)

    def test_not_finite(self):
        self.write("bad.words", "a\nb\n")
        for bad in (np.nan, np.inf, -np.inf):
            np.save("bad.npy", np.array([[1, 2], [3, bad]], np.float32))
            with self.assertRaisesRegex(ValueError, "'b' has a non-finite number"):
                acevec.load("bad.npy")
        with self.assertRaisesRegex(acevec.Error, "non-finite"):
            acevec.load(self.write("bad.txt", "1 2\na nan 1\n"))
        self.write("damaged.npy", self.read("bad.npy")[:90])
        with self.assertRaisesRegex(ValueError, "^damaged.npy is damaged, or no array of numbers: "):
            acevec.load("damaged.npy")
        np.save("alone.npy", np.eye(2))
        with self.assertRaisesRegex(FileNotFoundError, "the words of alone.npy are missing; give them, .*: 'alone.words'$"):
            acevec.load("alone.npy")
        np.save("bad.npy", np.array([[1, 2], [3e30, 4e30]], np.float32))  # large ones are vectors
        self.assertAlmostEqual(acevec.load("bad.npy").similarity("b", "b"), 1, 5)

    def test_pickle(self):
        model = acevec.train("corpus.txt", size=20, **ONE)
        data, found, path = pickle.dumps(model), model.most_similar("king"), os.fspath(model)
        del model
        self.assertFalse(os.path.exists(path))
        again = pickle.loads(data)
        self.assertEqual(again.most_similar("king"), found)
        self.assertEqual(again.count("king"), sum(words.count("king") for words in SENTENCES))
        again.save("again.bin")

    @unittest.skipUnless(interpreter.find("joblib") == sys.executable, "joblib is not installed")
    def test_joblib(self):
        """Which gives mapped files to its workers by name."""
        done = self.python("""
import acevec, joblib
models = [acevec.train("corpus.txt", min_count=1, sample=0, maxn=3, bucket=100, size=5) for _ in range(2)]
models[0].save("v.bin")
models += [acevec.load("v.bin"), acevec.load(acevec.load("v.bin"))]
found = joblib.Parallel(n_jobs=2)(joblib.delayed(lambda model: model.most_similar("king"))(model) for model in models)
print([model.most_similar("king") for model in models] == found)
""")
        self.assertEqual(done.stdout, "True\n", done.stderr)

    def test_fork(self):
        """A forked child that ends leaves the files of its parent."""
        done = self.python("""
import acevec, os, sys
model = acevec.train("corpus.txt", debug=0)
graph = acevec.kg([("a", "r", "b")], size=4, iter=1, debug=0)
path = os.fspath(model)
if os.fork() == 0:
    model.similarity("king", "queen")
    sys.exit()
os.wait()
print(os.path.exists(path), graph.predict("a", "r", "?", top=1)[0][0] in "ab")
""")
        self.assertEqual(done.stdout, "True True\n", done.stderr)
        self.assertEqual(os.listdir(), ["corpus.txt"])


if __name__ == "__main__":
    unittest.main()
