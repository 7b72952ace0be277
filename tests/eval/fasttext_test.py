#!/usr/bin/env python3
"""Tests that acevec, fastText and gensim get the same vectors from the same model file.

Of words of the vocabulary and of words that are not in it, from models that fastText and gensim
have trained. ACEVEC is the program to test, build/acevec when not given.
"""

import gzip
import os
import random
import shutil
import subprocess
import sys
import unittest

from files import ACEVEC, Files

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "gensim", skip=True)
    if not shutil.which("fasttext"):
        print("skipped: there is no program fasttext (Debian's package fasttext)")
        sys.exit(77)

import numpy as np
from gensim.models import FastText
from gensim.models.fasttext import load_facebook_vectors, save_facebook_model

SEEN = ["wolf", "wolves", "naïve", "straße", "жук", "日本語", "a", "\N{OWL}"]
UNSEEN = ["wolfish", "naïveté", "жуки", "日本", "werewolf", "Straßen"]
SIZE = 12


def lines(plain=40):
    """600 lists of the words above and some plain ones."""
    chance = random.Random(1)
    return [chance.choices(SEEN + [f"w{i}" for i in range(plain)], k=12) for _ in range(600)]


class Models(Files):
    def train(self, task, *options, plain=40):
        """Trains a model by fastText; returns its path."""
        labels = ["__label__x ", "__label__y "] if task == "supervised" else ["", ""]
        text = self.write("text", "".join(labels[i % 2] + " ".join(line) + "\n"
                                          for i, line in enumerate(lines(plain))))
        subprocess.run(["fasttext", task, "-input", text, "-output", self.path("m"), "-dim",
                        str(SIZE), "-epoch", "2", "-thread", "1", "-minCount", "1", *options],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self.path("m.bin")

    def ask(self, command, model, words, *options, status=0):
        done = subprocess.run([ACEVEC, command, model, *options], input="\n".join(words),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def vectors(self, model, words):
        rows = [line.split() for line in self.ask("vectors", model, words).stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], words)
        return np.array([row[1:] for row in rows], np.float32)

    def fasttexts(self, model, words):
        done = subprocess.run(["fasttext", "print-word-vectors", model], input="\n".join(words),
                              check=True, stdout=subprocess.PIPE, text=True)
        return np.array([line.split()[1:] for line in done.stdout.splitlines()], np.float32)

    def compare(self, model, words):
        ours = self.vectors(model, words)
        # fastText prints five digits.
        np.testing.assert_allclose(ours, self.fasttexts(model, words), rtol=1e-4, atol=1e-5)
        return ours

    def compare_with_gensim(self, model, words):
        theirs = load_facebook_vectors(model)
        ours = self.compare(model, words)
        np.testing.assert_allclose(ours, [theirs[word] for word in words], rtol=0, atol=1e-5)

    def test_skipgram_and_cbow(self):
        for task, *shape in (("skipgram", "3", "6", "2000"), ("skipgram", "1", "2", "50"),
                             ("cbow", "2", "2", "7")):
            options = [part for pair in zip(("-minn", "-maxn", "-bucket"), shape) for part in pair]
            self.compare_with_gensim(self.train(task, *options), SEEN + UNSEEN)

    def test_hierarchical_softmax(self):
        self.compare_with_gensim(self.train("skipgram", "-loss", "hs"), SEEN + UNSEEN)

    def test_without_ngrams(self):
        model = self.train("skipgram", "-maxn", "0")
        self.compare_with_gensim(model, SEEN)
        done = self.ask("vectors", model, UNSEEN, status=1)
        self.assertIn('has a vector: "wolfish"', done.stderr)

    def test_classifiers(self):
        # Their labels are no words, and gensim does not read them.
        for options in ([], ["-minn", "2", "-maxn", "4", "-bucket", "100"], ["-wordNgrams", "2"]):
            model = self.train("supervised", *options)
            self.compare(model, SEEN + (UNSEEN if "-minn" in options else []))
            self.assertNotIn("__label__", self.ask("convert", model, [], "-").stdout)

    def test_models_of_gensim(self):
        for size in (0, 1):
            model = FastText(sentences=lines(), vector_size=SIZE, min_count=1, epochs=1, sg=size,
                             bucket=300, min_n=3, max_n=5, workers=1)
            save_facebook_model(model, self.path("g.bin"))
            words = SEEN + UNSEEN
            np.testing.assert_allclose(self.compare(self.path("g.bin"), words),
                                       [model.wv[word] for word in words], rtol=0, atol=1e-5)

    def test_models_of_acevec(self):
        text = self.write("text", "".join(" ".join(line) + "\n" for line in lines()))
        for options in (["-minn", "3", "-maxn", "6", "-bucket", "500"], ["-cbow", "1"], []):
            subprocess.run([ACEVEC, "-train", text, "-output", self.path("v.npy"), "-output-model",
                            self.path("a.bin"), "-size", str(SIZE), "-min-count", "1", "-iter", "2",
                            "-threads", "1", "-debug", "0", *options], check=True)
            with open(self.path("v.words"), encoding="utf-8") as stream:
                words = stream.read().split()
            unseen = UNSEEN if "-maxn" in options else []
            self.compare_with_gensim(self.path("a.bin"), words + unseen)
            ours = self.vectors(self.path("a.bin"), words)
            np.testing.assert_allclose(ours, np.load(self.path("v.npy")), rtol=0,
                                       atol=1e-5)

    def test_gzip_and_standard_input(self):
        model = self.train("skipgram", "-bucket", "100")
        with open(model, "rb") as stream:
            packed = gzip.compress(stream.read())
        wanted = self.vectors(model, SEEN + UNSEEN)
        self.write("m.gz", packed)
        np.testing.assert_array_equal(self.vectors(self.path("m.gz"), SEEN + UNSEEN), wanted)
        done = subprocess.run([ACEVEC, "vectors", "-", *SEEN, *UNSEEN], input=packed, check=True,
                              stdout=subprocess.PIPE)
        rows = [line.split()[1:] for line in done.stdout.decode().splitlines()]
        np.testing.assert_array_equal(np.array(rows, np.float32), wanted)

    def test_convert_and_fine_tune(self):
        model = self.train("skipgram", "-bucket", "100")
        words = SEEN + [f"w{i}" for i in range(40)]
        self.ask("convert", model, [], self.path("v.npy"))
        with open(self.path("v.words"), encoding="utf-8") as stream:
            order = stream.read().split()
        self.assertEqual(set(order), set(words) | {"</s>"})
        np.testing.assert_array_equal(np.load(self.path("v.npy")), self.vectors(model, order))
        text = self.write("more", "wolf new wolf new\n" * 20)
        subprocess.run([ACEVEC, "-train", text, "-init", model, "-output", self.path("t.txt"),
                        "-min-count", "1", "-debug", "0"], check=True)
        with open(self.path("t.txt"), encoding="utf-8") as stream:
            tuned = {line.split()[0]: line.split()[1:] for line in list(stream)[1:]}
        self.assertEqual(set(tuned), set(order) | {"new"})
        np.testing.assert_allclose(np.array(tuned["жук"], np.float32),
                                   self.vectors(model, ["жук"])[0], rtol=0, atol=1e-6)

    def test_similarity_sets_cover_unseen_words(self):
        model = self.train("skipgram", "-bucket", "100")
        pairs = "".join(f"{a}\t{b}\t{i}\n" for i, (a, b) in enumerate(zip(SEEN, UNSEEN)))
        done = self.ask("similarity", model, [], "-set", self.write("set", pairs), "-format", "tsv")
        self.assertEqual(done.stdout.splitlines()[1].split("\t")[1:3], ["6", "6"])
        theirs = load_facebook_vectors(model)
        done = self.ask("similarity", model, ["wolf werewolf", "жуки жук"], "-format", "tsv")
        for line in done.stdout.splitlines():
            a, b, cosine = line.split("\t")
            self.assertAlmostEqual(float(cosine), float(theirs.similarity(a, b)), delta=1e-5)

    def test_neighbours_of_unseen_words_and_sums(self):
        model = self.train("skipgram", "-bucket", "100")
        theirs = load_facebook_vectors(model)
        # gensim adds vectors of length 1, too.
        for positive, negative, query in ((["wolfish"], [], "wolfish"),
                                          (["wolf", "жуки"], ["naïve"], "wolf + жуки - naïve")):
            wanted = theirs.most_similar(positive=positive, negative=negative, topn=20)
            done = self.ask("nn", model, [query], "-top", "20", "-format", "tsv")
            rows = [line.split("\t") for line in done.stdout.splitlines()]
            self.assertEqual({row[0] for row in rows}, {query})
            # gensim gives fastText's line end n-grams, which fastText does not.
            wanted = [pair for pair in wanted if pair[0] != "</s>"][:15]
            rows = [row for row in rows if row[2] != "</s>"][:15]
            self.assertEqual([row[2] for row in rows], [word for word, _ in wanted])
            np.testing.assert_allclose([float(row[3]) for row in rows],
                                       [cosine for _, cosine in wanted], atol=1e-5)


if __name__ == "__main__":
    unittest.main()
