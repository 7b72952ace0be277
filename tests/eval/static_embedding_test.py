#!/usr/bin/env python3
"""acevec sentence export: its files, read as sentence-transformers, Model2Vec and tokenizers say that they
read them, give the words that acevec makes of a text, and its cosines.

ACEVEC is the program to run, build/acevec when not given.
"""

import json
import os
import re
import struct
import subprocess
import unicodedata
import unittest

from files import ACEVEC, Files

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", skip=True)

import numpy as np

LINES = ["The red cat don't see 3.14 or 1,000 dogs.", "RED_cat, red-cat: 'cats' and dogs' 2.a a.2 x1's 1.'",
         "Don’t say ‘no’ … it’s 5.", "Ο ΟΔΥΣΣΕΥΣ της πόλης 3σ ΣΑΣ’ς «σ» σ", "İstanbul I\u0307zmir ISPARTA Straße",
         "soft\u00adhyphen e\u0301te\u0301 \u0301a na\u0308ive zero\u200bwidth", "a\u00a0b\tc © 5€ ½ x² ١٢,٥ Привет"]
# The members of Unicode's classes, which Python's patterns have no names for.
CLASSES = {name: "".join(re.escape(chr(code)) for code in [*range(0x3000), 0xfeff]
                         if unicodedata.category(chr(code))[0] == name) for name in "LMNPSZC"}


def pattern_of(regex):
    """Compile a pattern with \\p{..}, in brackets or outside."""
    def members(match):
        inside = re.sub(r"\\p\{(\w)\}", lambda name: CLASSES[name[1]], match[0])
        return inside if match[0][0] == "[" else f"[{inside}]"

    return re.compile(re.sub(r"\[[^]]*\]|\\p\{\w\}", members, regex))


class Tokenizer:
    """What the package tokenizers makes of such a file."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as stream:
            tree = json.load(stream)
        self.normalizers = (tree["normalizer"] or {"normalizers": []})["normalizers"]
        split = tree["pre_tokenizer"]
        assert (split["type"], split["behavior"], split["invert"]) == ("Split", "Removed", True)
        self.pattern = pattern_of(split["pattern"]["Regex"])
        assert tree["model"]["type"] == "WordLevel"
        self.vocabulary, self.unknown = tree["model"]["vocab"], tree["model"]["unk_token"]

    def words(self, text):
        for one in self.normalizers:
            if one["type"] == "NFC":
                text = unicodedata.normalize("NFC", text)
            elif one["type"] == "Lowercase":
                text = "".join(character.lower() for character in text)
            else:
                [(kind, pattern)] = one["pattern"].items()
                assert one["type"] == "Replace"
                pattern = pattern_of(pattern) if kind == "Regex" else re.compile(re.escape(pattern))
                text = pattern.sub(one["content"], text)
        return self.pattern.findall(text)

    def ids(self, text):
        return [self.vocabulary.get(word, self.vocabulary[self.unknown]) for word in self.words(text)]


def tensor_of(path):
    """Return the tensor "embeddings" of a file of safetensors."""
    with open(path, "rb") as stream:
        data = stream.read()
    size, = struct.unpack_from("<Q", data)
    head = json.loads(data[8:8 + size])["embeddings"]
    begin, end = head["data_offsets"]
    assert size % 8 == 0 and head["dtype"] == "F32" and len(data) == 8 + size + end
    return np.frombuffer(data[8 + size + begin:8 + size + end], "<f4").reshape(head["shape"])


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


class Export(Files):
    def run_acevec(self, *words, lines=()):
        done = subprocess.run([ACEVEC, *words], cwd=self.directory, check=False, input="".join(f"{line}\n" for line in lines),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def export(self, tokens):
        """Return the tokenizer and the rows of a mean model of the words of LINES."""
        text = self.run_acevec("text", "-", "-tokens", tokens, lines=LINES)
        words = sorted(set(text.split()) - {"cats"})
        rows = np.random.default_rng(1).normal(size=(len(words), 6))
        self.write("v.txt", f"{len(words)} 6\n" + "".join(
            f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, rows)))
        self.write("corpus", "".join(f"{line}\n" for line in LINES))
        self.run_acevec("sentence", "-init", "v.txt", "-train", "corpus", "-tokens", tokens, "-output", "model",
                        "-debug", "0")
        self.run_acevec("sentence", "export", "model", "folder")
        return Tokenizer(self.path("folder/tokenizer.json")), tensor_of(self.path("folder/model.safetensors"))

    def test_words_are_those_of_acevec(self):
        for tokens in ("words", "space"):
            tokenizer, rows = self.export(tokens)
            self.assertEqual(sorted(tokenizer.vocabulary.values()), list(range(len(rows))))
            for line in LINES:
                words = self.run_acevec("text", "-", "-tokens", tokens, lines=[line])
                self.assertEqual(tokenizer.words(line), re.split("[ \n]+", words.strip(" \n")))

    def test_cosines_are_those_of_acevec(self):
        for tokens in ("words", "space"):
            tokenizer, rows = self.export(tokens)
            self.assertFalse(rows[tokenizer.vocabulary["[UNK]"]].any())
            lines = [*LINES, "unheard of words", "the cats and the unheard of 3.14"]
            means = np.array([rows[tokenizer.ids(line)].mean(axis=0) for line in lines])
            text = self.run_acevec("sentence", "encode", "model", lines=lines)
            wanted = unit(np.array([line.split() for line in text.splitlines()], float))
            np.testing.assert_allclose(unit(means) @ unit(means).T, wanted @ wanted.T, atol=1e-4)

    def test_other_files(self):
        _, rows = self.export("words")
        tree = {}
        for name in ("config", "modules", "config_sentence_transformers"):
            with open(self.path(f"folder/{name}.json"), encoding="utf-8") as stream:
                tree[name] = json.load(stream)
        self.assertEqual(tree["config"]["hidden_dim"], rows.shape[1])
        self.assertIs(tree["config"]["normalize"], True)
        self.assertEqual(tree["config_sentence_transformers"], {"similarity_fn_name": "cosine"})
        for module in tree["modules"]:
            self.assertTrue(os.path.isdir(self.path(os.path.join("folder", module["path"]))))


if __name__ == "__main__":
    unittest.main()
