"""What the program trains, as objects that stand for its files, and a function for each of its commands."""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import itertools
import json
import keyword
import os
import pathlib
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from acevec._program import (Error, Path, Progress, Rows, Temporary, filled, is_many, is_rows, run,  # noqa: F401
                             table, text_of, worded, write_file)

Word = Union[str, int]  # an integer stands for its digits, as in training
Query = Union[Word, np.ndarray]  # or a vector
Scores = dict[str, dict[str, float]]
PREFIX = "__label__"
CONTEXT = re.compile(r"((\.\w+)?(\.(gz|bz2|xz|zst))?)$")  # the ending, before which `next` has -context
# What does the same as a name of gensim or fastText that is not here.
INSTEAD = {
    "Word2Vec": "acevec.train", "FastText": "acevec.train(text, maxn=6)", "Doc2Vec": "acevec.sentence",
    "KeyedVectors": "acevec.load or acevec.Vectors", "PoincareModel": "acevec.order", "Phrases": "acevec.phrases",
    "train": "acevec.train(text, init=model)", "build_vocab": "acevec.train(text, init=model)",
    "distance": "1 - model.similarity", "has_index_for": "`word in model`", "vocab": "key_to_index",
    "evaluate_word_pairs": "evaluate", "evaluate_word_analogies": "evaluate", "get_vecattr": "count",
    "get_latest_training_loss": "loss", "wmdistance": "to_gensim()", "most_similar_cosmul": "to_gensim()",
    "rank": "to_gensim()", "distances": "to_gensim()", "closer_than": "to_gensim()", "index2word": "words",
    "get_mean_vector": "model[words].mean(0)", "get_normed_vectors": "to_gensim()",
    "save_word2vec_format": "save(path), whose ending decides the format",
    "train_unsupervised": "acevec.train", "train_supervised": "acevec.sentence(labels=...)", "get_words": "words",
    "load_model": "acevec.load, or acevec.Sentences for labels", "get_nearest_neighbors": "most_similar",
    "get_analogies": "most_similar([b, c], a)", "get_word_vector": "model[word]", "get_input_matrix": "matrix",
    "get_sentence_vector": "encode of acevec.sentence(init=model)", "get_dimension": "vector_size",
    "save_model": "save", "test": "evaluate", "test_label": "evaluate(..., by_label=True)"}
# Commands that print scores, and the option with which they do.
SCORED = {"analogy": "", "kg_eval": "", "metric_eval": "", "sentence_retrieve": "", "sentence_test": "",
          "next": "test", "similarity": "set", "sentence_similarity": "set"}


def load(path: Path, *, vocab: Path | None = None, **options: Any) -> Any:
    """Return the Vectors of a file, in any format that the program reads; or the Graph, Sentences or Encoder.

    An array (v.npy) is mapped to memory.
    vocab: a file of words and counts, as save_vocab= writes it, for Vectors.count.
    options: of `acevec convert`, such as limit=100000. Without them fastText's model has vectors of unseen words.
    """
    name, subwords = os.fspath(path), None
    with open(name, "rb") as stream, Temporary() as folder:
        head, array = stream.read(32), name
        for kind in (Graph, Sentences, Encoder):
            if kind.is_of(head):
                return kind(path, getattr(path, "_folder", None))
        if options or not head.startswith(b"\x93NUMPY"):
            array = folder.path("vectors.npy")
            run("convert", path if isinstance(path, os.PathLike) else pathlib.Path(path), array, **options)
        if head.startswith(b"\xba\x16\x4f\x2f") and not options:  # fastText's
            subwords = Subwords(np.memmap(name, mode="r"))
        matrix = np.load(array, mmap_mode="r")  # stays when the file is deleted
        model = Vectors(lines_in(os.path.splitext(array)[0] + ".words"), matrix, None, subwords, read_record(name))
    context = CONTEXT.sub(r"-context\1", name, 1)
    model.context = load(context) if os.path.exists(context) else None
    if vocab is not None:
        counts = dict(line.rsplit(maxsplit=1) for line in lines_in(vocab))
        model.counts = np.array([int(counts.get(word, 0)) for word in model.words])
    return model


def lines_in(path: Path) -> list[str]:
    return pathlib.Path(path).read_bytes().decode(errors="replace").removesuffix("\n").split("\n")


def missing(owner: str, name: str, others: Iterable[str]) -> AttributeError:
    near = [] if name in INSTEAD else difflib.get_close_matches(name, others, 1)
    advice = f"; use {INSTEAD[name]}" if name in INSTEAD else f"; did you mean {near[0]}?" if near else ""
    return AttributeError(f"{owner} has no {name}{advice}")


def read_record(path: str) -> dict[str, Any]:
    """Return the record that training writes beside its result; nothing if there is none."""
    with contextlib.suppress(OSError, ValueError), open(path + ".json", encoding="utf-8") as stream:
        return dict(json.load(stream))
    return {}


def write_record(path: Path, info: dict[str, Any]) -> None:
    """Write a record beside a file, in place of the one of what was there before."""
    pathlib.Path(os.fspath(path) + ".json").unlink(missing_ok=True)
    if info:
        write_file(os.fspath(path) + ".json", json.dumps(info, indent=2).encode())


def scores_of(text: str) -> dict[str, Any]:
    """Return a table, {row: {column: number}}, or {column: number} if it has one row, which has no name."""
    head, *rows = (line.split("\t") for line in text.splitlines())
    if head[0] == "N":  # two more such lines, and maybe a table
        scores: dict[str, Any] = {name: float(number) for name, number in [head, *rows[:2]]}
        return {**scores, "labels": scores_of("\n".join(text.splitlines()[3:]))} if rows[2:] else scores
    if head[0] in ("lines", "points", "queries"):
        return dict(zip(head, map(float, rows[0])))
    return {"pairs" if name == "-" else name: dict(zip(head[1:], map(float, numbers))) for name, *numbers in rows}


class Unknown(tuple[str, list[str]]):
    """A word without a vector, and others. Those of similar spelling are searched only for the message."""

    def __repr__(self) -> str:
        spellings = {word.lower(): word for word in reversed(self[1])}
        near = [spellings[word] for word in difflib.get_close_matches(self[0].lower(), list(spellings))]
        return f"no vector for {self[0]!r}" + "; similar spellings: " * bool(near) + ", ".join(near)


class Trained:
    """What has the record of a run. The error for a name of gensim or fastText says what to use instead."""

    info: dict[str, Any]
    loss = property(lambda self: float(self.info["training"]["loss"]))

    if not TYPE_CHECKING:  # a type checker is to know what is not there
        def __getattr__(self, name: str) -> Any:
            raise missing(f"acevec.{type(self).__name__}", name, dir(type(self)))


class Vectors(Trained):
    """Words and their vectors, which stand for a file: init=model. A number stands for its digits.

    words: in the order of the file; acevec writes the most frequent first. If a word is twice, its first row counts.
    matrix: of shape (words, size), float32 unless the file has others; row i is the vector of words[i], as trained.
    counts: how often each word is in the text, or None. info: the record of the run, or {}. loss: of the last epoch.
    """

    def __init__(self, words: Iterable[str], matrix: np.ndarray, counts: np.ndarray | None = None,
                 subwords: Subwords | None = None, info: dict[str, Any] | None = None) -> None:
        self.words, self.matrix = list(map(text_of, words)), np.asanyarray(matrix)
        if self.matrix.dtype.kind in "iub":
            self.matrix = self.matrix.astype(np.float32)
        self.subwords, self.counts, self.info = subwords, subwords.counts if subwords else counts, info or {}
        self.context: Vectors | None = None  # the context vectors of items
        self._folder: Temporary | None = None  # with these vectors, for the program
        if self.matrix.ndim != 2 or len(self.matrix) != len(self):
            raise ValueError(f"the matrix has the shape {self.matrix.shape} for {len(self)} words")
        self._rows = dict(zip(reversed(self.words), reversed(range(len(self)))))
        if len(self._rows) < len(self) and not isinstance(self.matrix, np.memmap):  # a file may have a word twice
            raise ValueError("words has a word twice")
        squares = np.einsum("ij,ij->i", self.matrix, self.matrix, dtype=np.float64)
        for row in np.flatnonzero(~np.isfinite(squares)):
            raise ValueError(f"the vector of {self.words[row]!r} has a non-finite number")
        self._lengths = np.where(squares > 0, np.sqrt(squares), 1)

    def __repr__(self) -> str:
        return f"<acevec.Vectors: {len(self):,} words, size {self.vector_size}>"

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: Any) -> bool:
        """Tell whether a word has a vector: its own, or one composed of n-grams."""
        return self._vector(word) is not None

    def _row(self, word: Any) -> int | None:
        text = text_of(word)
        return self._rows.get(text, self._rows.get(text.replace(" ", "_")))  # as phrases and concepts are stored

    def _vector(self, word: Any) -> np.ndarray | None:
        row = self._row(word)
        return self.matrix[row] if row is not None else self.subwords.compose(text_of(word)) if self.subwords else None

    def __getitem__(self, word: Word | Sequence[Word]) -> np.ndarray:
        """Return the vector of a word, of shape (size,), or of several words, a row each."""
        if isinstance(word, (list, tuple, np.ndarray)):
            return np.array([self[one] for one in word]).reshape(-1, self.vector_size)
        vector = self._vector(word)
        if vector is None:
            raise KeyError(Unknown((text_of(word), self.words[:50_000])))
        return np.asanyarray(vector)

    wv = property(lambda self: self)  # this and those below are names of gensim, for what is the same here
    vectors = property(lambda self: self.matrix)
    vector_size = property(lambda self: self.matrix.shape[1])
    index_to_key = property(lambda self: self.words)
    key_to_index = property(lambda self: self._rows)
    similar_by_word = similar_by_vector = lambda self, one, topn=10: self.most_similar(one, topn=topn)

    def get_vector(self, word: Word, norm: bool = False) -> np.ndarray:
        """Return the vector of a word, scaled to length 1 if norm."""
        return self._unit(word).astype(np.float32) if norm else self[word]

    def _unit(self, query: Query) -> np.ndarray:
        """Return the vector of a word, scaled to length 1, or a vector as it is."""
        vector = (query if isinstance(query, np.ndarray) else self[query]).astype(np.float64)
        if vector.shape != self.matrix.shape[1:]:
            raise ValueError(f"a vector has the shape {vector.shape}, and those of words {self.matrix.shape[1:]}")
        return vector if isinstance(query, np.ndarray) else vector / (np.linalg.norm(vector) or 1)

    def _cosines(self, query: np.ndarray) -> np.ndarray:
        query = (query / (np.linalg.norm(query) or 1)).astype(np.float32)
        return np.einsum("ij,j->i", self.matrix, query) / self._lengths

    def most_similar(self, positive: Query | Sequence[Query] = (), negative: Query | Sequence[Query] = (),
                     topn: int = 10, *, top: int | None = None, restrict_vocab: int | None = None) -> list[tuple[str, float]]:
        """Return the `topn` (or `top`) words nearest to a sum, and their cosines; words of the sum are no answers.

        Words' vectors are scaled to length 1 before they are added (positive) or subtracted; others count as they are.
        A pair (word, weight) is added with its weight. restrict_vocab: answers are of so many words from the first on.
        """
        pairs = [one if isinstance(one, tuple) else (one, sign)
                 for sign, queries in ((1, positive), (-1, negative)) for one in several(queries)]
        query: Any = sum(weight * self._unit(one) for one, weight in pairs)
        number: Any = topn if top is None else top
        if number is None or number < 0:
            raise ValueError(f"topn={number} is not a number of answers; topn=len(model) has all")
        if not 0 < np.linalg.norm(query) < np.inf:
            raise ValueError("there is no word or vector to be near to, or their sum is zero or not finite")
        cosines = self._cosines(query)
        cosines[list({self._row(one) for one, _ in pairs if not isinstance(one, np.ndarray)} - {None})] = -np.inf
        cosines = cosines[:restrict_vocab]
        number = min(number, np.isfinite(cosines).sum())
        best = np.argpartition(-cosines, max(number - 1, 0))[:number]
        return [(self.words[i], float(cosines[i])) for i in best[np.lexsort((best, -cosines[best]))]]

    def similarity(self, one: Word, other: Word) -> float:
        """Return the cosine of two words."""
        return float(self._unit(one) @ self._unit(other))

    def n_similarity(self, ones: Sequence[Word], others: Sequence[Word]) -> float:
        """Return the cosine of the means of two lists of words."""
        if not len(ones) or not len(others):
            raise ValueError("a list of words is empty; give at least one word in each")
        one, other = (self[several(words)].mean(0, np.float64) for words in (ones, others))
        return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) or 1))

    def doesnt_match(self, words: Sequence[Word]) -> Word:
        """Return the word that is farthest from the mean of all. Words without a vector are left out."""
        known = [word for word in words if word in self] if is_many(words) else []
        if not known:
            raise ValueError("give a list of words; at least one must have a vector")
        units = np.array([self._unit(word) for word in known])
        return known[(units @ units.mean(0)).argmin()]

    def count(self, word: Word) -> int:
        """Return how often a word is in the text. ValueError: the counts are not known."""
        if self.counts is None:
            raise ValueError("the counts are not known; train with save_vocab=FILE, and load with vocab=FILE")
        row, _ = self._row(word), self[word]  # KeyError
        return 0 if row is None else int(self.counts[row])

    def next_items(self, history: Sequence[Any], **options: Any) -> list[Any]:
        """Return [(item, score), ...], likely after items, the oldest first. options: of `acevec next`, as top=3."""
        history = several(history)
        one = not any(map(is_many, history))
        lines = [re.sub(r"[\t-\r]", " ", " ".join(map(text_of, several(items)))) for items in ([history] if one else history)]
        return self._answers(["next"], lines, one, options)

    def query(self, concept: str | Sequence[str], **options: Any) -> list[Any]:
        """Return [(concept, weighted penalty), ...], what is above a concept. options: of `acevec order query`."""
        lines = [re.sub(r"[\t-\r ]", "_", text_of(one)) for one in several(concept)]
        return self._answers(["order", "query"], lines, isinstance(concept, str), options)

    def _answers(self, words: list[Any], lines: list[str], one: bool, options: dict[str, Any]) -> list[Any]:
        answers: dict[str, list[Any]] = {line: [] for line in lines}
        for row in run(*words, self, input=answers, **dict(options, format="tsv")).split("\n")[:-1]:
            line, _, answer, number = row.split("\t")
            answers[line].append((answer, float(number)))
        return answers[lines[0]] if one else [*map(answers.get, lines)]

    def evaluate(self, pairs: Path | Iterable[Any]) -> Scores:
        """Return {set: {"rho_all": 61.2, ...}} for (word, word, score), a list or file, or scores of analogies."""
        questions = isinstance(pairs, (str, os.PathLike)) and pathlib.Path(pairs).read_bytes()[:1] == b":"
        return scores_of(run("analogy", self, pairs) if questions else run("similarity", self, set=pairs))

    def save(self, path: Path, **options: Any) -> None:
        """Write a file in the format of its ending: .bin, .txt, .vec, .npy, .tsv or .glove, or .ft with n-grams."""
        replaces = os.path.exists(path)
        if os.fspath(path).endswith(".ft") and self.subwords:
            write_file(path, self.subwords.data)
        else:
            run("convert", self, pathlib.Path(path), **options)
        write_record(path, self.info)
        context = pathlib.Path(CONTEXT.sub(r"-context\1", os.fspath(path), 1))
        if self.context:
            self.context.save(context, **options)
        elif replaces:  # its context vectors are of those that were there
            context.unlink(missing_ok=True)

    def __fspath__(self) -> str:
        if self._folder is None:  # written for the program
            self._folder = Temporary()
            if self.subwords:
                write_file(self._folder.path("vectors.ft"), self.subwords.data)
            for path, one in ((self._folder.path("vectors"), self), (self._folder.path("vectors-context"), self.context)):
                if one and not one.subwords:
                    np.save(path, np.ascontiguousarray(one.matrix))
                    write_file(path + ".words", ("\n".join(one.words) + "\n").encode(errors="surrogatepass"))
                    write_record(path + ".npy", one.info)
        return self._folder.path("vectors.ft" if self.subwords else "vectors.npy")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_folder": None}

    def to_gensim(self) -> Any:
        """Return the vectors as gensim's KeyedVectors, with their counts."""
        from gensim.models import KeyedVectors
        vectors = KeyedVectors(self.vector_size)
        vectors.add_vectors(self.words, np.asarray(self.matrix, np.float32))
        if self.counts is not None:
            vectors.expandos["count"] = self.counts.copy()
        return vectors


def several(queries: Any) -> list[Any]:
    """Return one or several words or vectors as a list."""
    vector = isinstance(queries, np.ndarray) and queries.ndim == 1 and queries.dtype.kind == "f"
    return [queries] if vector or isinstance(queries, (str, int, np.integer)) else list(queries)


class Subwords:
    """The bytes of fastText's model, which the program has checked. Its n-grams compose vectors of other words."""

    def __init__(self, data: np.ndarray) -> None:
        self.data = data
        head = list(map(int, np.frombuffer(data, "<i4", 18)))
        (version, size), task, (self.buckets, self.shortest, self.longest) = head[1:3], head[9], head[10:13]
        # Words, then labels: the bytes, a 0, the count, the kind.
        found = list(itertools.islice(re.compile(rb"[^\0]*\0(.{8}).", re.S).finditer(data.data, 92), head[16]))
        self.counts: np.ndarray = np.frombuffer(b"".join(entry[1] for entry in found[:head[17]]), "<i8")
        # Whether rows are quantized, two sizes, the rows of words, then those of n-grams.
        at = found[-1].end()
        if data[at] or (version == 11 and task == 3):  # classifiers of that version have no n-grams of characters
            self.buckets = self.longest = 0
        self.rows = np.frombuffer(data, "<f4", self.buckets * size, at + 17 + 4 * head[17] * size).reshape(-1, size)

    def __reduce__(self) -> tuple[Any, ...]:
        return Subwords, (np.array(self.data),)

    def compose(self, word: str) -> np.ndarray | None:
        """Return the mean of the rows of the substrings of <word>, without the marks by themselves; None for zeros."""
        marked, rows = f"<{word}>", []
        for begin, end in itertools.combinations(range(len(marked) + 1), 2):
            if max(self.shortest, 1) <= end - begin <= self.longest and (end - begin > 1 or 0 < begin < len(word) + 1):
                value = 2166136261  # FNV-1a, to which fastText adds bytes as signed numbers
                for byte in marked[begin:end].encode(errors="surrogatepass"):
                    value = (value ^ (byte | 0xffffff00 if byte > 127 else byte)) * 16777619 & 0xffffffff
                rows.append(value % self.buckets)
        vector = self.rows[rows].mean(0, np.float64).astype(np.float32) if rows and " " not in word else np.zeros(1)
        return vector if vector.any() else None


class Model(Trained):
    """A model, as acevec.Graph("kg.bin"); it stands for its file. folder: a temporary one, which has it."""

    command = ""  # whose models these are

    def __init__(self, path: Path, folder: Temporary | None = None) -> None:
        self._path, self._folder, self.info = os.path.abspath(path), folder, read_record(os.fspath(path))
        with open(path, "rb") as stream:
            if not self.is_of(stream.read(32)):
                raise ValueError(f"{path} is not a model of acevec {self.command}; acevec.load opens files of any kind")

    @classmethod
    def is_of(cls, head: bytes) -> bool:
        """Tell whether a file begins as models of this kind do: with a mark and the command that wrote it."""
        return head.startswith(b"\x89acevec\n") and head[17:].startswith(f"acevec {cls.command}".encode())

    def __fspath__(self) -> str:
        return self._folder.path("model") if self._folder else self._path

    path = property(__fspath__)

    def __repr__(self) -> str:
        return f"acevec.{type(self).__name__}({self.path!r})"

    def save(self, path: Path) -> None:
        """Copy the model and its record."""
        write_file(path, pathlib.Path(self.path).read_bytes())
        write_record(path, self.info)

    def _encoded(self, name: str, **options: Any) -> np.ndarray:
        with Temporary() as folder:
            run(name, "encode", self, **dict(options, output=folder.path("v.npy")))
            return np.asarray(np.load(folder.path("v.npy")))


class Graph(Model):
    """A model of a knowledge graph. len and `in` are of its entities."""

    command = "kg"

    @functools.cached_property
    def _names(self) -> dict[bytes, list[str]]:
        parts = {}
        with open(self.path, "rb") as stream:
            stream.seek(16)
            for _ in range(4):  # kind, shape, entities, relations: the lengths of name and value are before them
                name = stream.read(stream.read(1)[0])
                parts[name] = stream.read(int.from_bytes(stream.read(8), "little")).decode(errors="replace").split("\n")
        return parts

    entities = property(lambda self: self._names[b"entities"][:-1])
    relations = property(lambda self: self._names[b"relations"][:-1])

    def __len__(self) -> int:
        return len(self.entities)

    def __contains__(self, name: Any) -> bool:
        return name in self.entities

    def __repr__(self) -> str:
        return f"<acevec.Graph: {len(self):,} entities, {len(self.relations):,} relations>"

    def predict(self, *question: Any, **options: Any) -> list[Any]:
        """Return [(name, distance), ...], the likeliest first, for the "?" of predict("oslo", "capital_of", "?").

        predict([triple, ...]) returns a list for each, empty for an unknown name. options: of `acevec kg predict`.
        """
        given = list(filled(question[0] if len(question) == 1 else question, "input"))
        one = not all(map(is_many, given))
        asked = [tuple(map(text_of, triple)) for triple in ([given] if one else given)]
        for bad in (triple for triple in asked if len(triple) != 3 or triple.count("?") != 1):
            raise ValueError(f'{bad} is not a question; give head, relation and tail, with "?" in place of one of them')
        text = run("kg", "predict", self, input=asked, **dict(options, format="tsv"))
        found: list[Any] = [[] for _ in asked]
        at = -1
        for *row, place, distance in (line.split("\t") for line in text.split("\n")[:-1]):
            if place == "1":  # the next question whose names are known
                at = next(i for i in range(at + 1, len(asked)) if all(a in ("?", b) for a, b in zip(asked[i], row)))
            found[at].append((row[asked[at].index("?")], float(distance)))
        return found[0] if one else found

    def evaluate(self, triples: Path | Iterable[Sequence[Any]], **options: Any) -> Scores:
        """Return {"raw": {"MRR": ..., ...}, "filtered": ...} of true triples. options: of `acevec kg eval`."""
        return scores_of(run("kg", "eval", self, test=triples, **options))


class Sentences(Model):
    """A model of sentences. For a text, a string, methods return one result, and for an iterable one for each."""

    command = "sentence"

    def encode(self, texts: str | Iterable[str], normalize_embeddings: bool = False, **options: Any) -> np.ndarray:
        """Return a text's vector, scaled to length 1 if normalize_embeddings; zeros without a known word."""
        lines = listed(texts)
        all_rows = self._encoded("sentence", input=lines or [""], **options)[:len(lines)]
        rows = all_rows[0] if isinstance(texts, str) else all_rows
        return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-30) if normalize_embeddings else rows

    def predict(self, texts: str | Iterable[str], top: int = 1, **options: Any) -> list[Any]:
        """Return [(label, probability), ...], the `top` likeliest labels of a text, as acevec.sentence got them."""
        lines = listed(texts)
        if not lines:
            return []
        text = run("sentence", "predict", self, "-", input=lines, top=top, probabilities=True, **options)
        found: list[Any] = [[(self._label(label), float(share)) for label, share in zip(row[::2], row[1::2])]
                            for row in map(str.split, text.splitlines())]
        return found[0] if isinstance(texts, str) else found

    def _label(self, name: str) -> Any:
        return self.info.get("label_names", {}).get(name, name.removeprefix(PREFIX))

    def similarity(self, ones: Any, others: Any) -> Any:
        """Return the cosine of two texts or vectors, or those of each of several with each of others."""
        one, other = (each if isinstance(each, np.ndarray) else self.encode(each) for each in (ones, others))
        lengths = np.multiply.outer(np.linalg.norm(one, axis=-1), np.linalg.norm(other, axis=-1))
        return one @ other.T / np.maximum(lengths, 1e-30)

    def search(self, queries: str | Iterable[str], texts: Iterable[str] | Vectors, top: int = 10, **topn: int) -> list[Any]:
        """Return [(text, cosine), ...], nearest to a query that has a known word. texts: strings, or their `index`."""
        index = texts if isinstance(texts, Vectors) else self.index(texts)
        rows = np.atleast_2d(self.encode(queries))
        found: list[Any] = [index.most_similar(row, **{"topn": top, **topn}) if row.any() else [] for row in rows]
        return found[0] if isinstance(queries, str) else found

    def index(self, texts: Iterable[str]) -> Vectors:
        """Return the different texts with their vectors."""
        if not is_many(texts):
            raise ValueError(f"texts is one string, {texts!r:.60}; give a list of texts, such as the lines of a file")
        different = list(dict.fromkeys(text.rstrip("\r\n") for text in texts))
        return Vectors(different, self.encode(different))

    def evaluate(self, pairs: Any, labels: Any = None, **options: Any) -> dict[str, Any]:
        """Return {set: {"Pearson": ...}} for (text, text, score), or {"N": ..., "P@1": ...} for (label, text).

        labels: for each of `pairs`, which are then texts, a label or a list of labels, as in training.
        """
        if labels is not None:
            pairs = beside(labels, pairs)
        if not self.info.get("settings", {}).get("labels"):
            return scores_of(run("sentence", "similarity", self, set=pairs, **options))
        rows, names = labelled(pairs) if is_many(pairs) else ([], {})
        known = self.info.get("label_names", {})
        if names and not names.keys() & known.keys():
            if any(PREFIX + str(row[1]) in known for row in rows):
                raise ValueError("the texts are labels of the model, and the labels are not; pairs are (label, text)")
            refuse_swapped(rows, names)
        scores = scores_of(run("sentence", "test", self, "-" if rows else pairs, input=rows or None, **options))
        if "labels" in scores:
            scores["labels"] = {self._label(name): score for name, score in scores["labels"].items()}
        return scores


def labelled(rows: Iterable[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return (label, text) or (labels, text) as lines of the program, and each label by its name in them."""
    lines: list[Any] = []
    names: dict[str, Any] = {}
    for row in filled(rows, "labels"):
        if not isinstance(row, (str, os.PathLike)):
            if not is_many(row) or len(row) != 2:
                raise ValueError(f"{row!r} is not a pair of a label and a text")
            labels = [getattr(one, "item", lambda: one)() for one in (row[0] if is_many(row[0]) else row[:1])]
            marked = [PREFIX + "_".join(text_of(label).removeprefix(PREFIX).split()) for label in labels]
            names.update(zip(marked, labels))
            row = " ".join(marked), row[1]
        lines.append(row)
    return lines, names


def refuse_swapped(rows: list[Any], names: dict[str, Any]) -> None:
    """Refuse labels that seem to be the texts: nearly as many as the texts, which repeat, or long for single words."""
    texts = [row[1] for row in rows if isinstance(row, tuple)]
    different = {text for text in texts if isinstance(text, str)}
    if not different:
        return
    many = 2 * len(names) > max(len(texts), 4 * len(different))
    words = sum(len(name.split("_")) - 4 for name in names)  # of __label__a_fine_film
    long = words >= 3 * len(names) and all(len(text.split()) <= 1 for text in different)
    if many or long:
        raise ValueError(f"there are {len(names)} different labels, such as {next(iter(names)).removeprefix(PREFIX)!r:.60},"
                         f" for {len(different)} different texts; are they swapped? Pairs are (label, text)")


def beside(labels: Iterable[Any], corpus: Any) -> list[tuple[Any, Any]]:
    """Return (label, text) for each text of a corpus."""
    if not is_many(corpus) and not is_rows(corpus):
        raise ValueError(f"there are labels for the texts of {corpus!r}; give a list of texts, or as labels= "
                         "alone a file of lines in which __label__ marks labels")
    labels, texts = list(labels), list(filled(corpus, "corpus"))
    if len(texts) != len(labels):
        raise ValueError(f"there are {len(texts)} texts, but {len(labels)} labels; give one for each text")
    return list(zip(labels, texts))


def listed(texts: str | Iterable[Any]) -> list[Any]:
    """Return a list for each text, or as it is for tokens."""
    return [[text] if isinstance(text, str) else text for text in ([texts] if isinstance(texts, str) else texts)]


class Encoder(Model):
    """An encoder of points."""

    command = "metric"

    def encode(self, points: Any, **options: Any) -> np.ndarray:
        """Return the vectors of points, an array or a file, a row each. options: of `acevec metric encode`."""
        return self._encoded("metric", points=points, **options)

    def evaluate(self, points: Any, labels: Any, test: Any, test_labels: Any, **options: Any) -> dict[str, float]:
        """Return {"recall@1": ..., ...}: how well known points tell the classes of others, as `acevec metric eval`."""
        return scores_of(run("metric", "eval", self, train=points, labels=labels, test=test, test_labels=test_labels,
                             **options))


def train(corpus: Any = None, output: Path | None = None, **options: Any) -> Vectors:
    """Train word vectors, and return them. acevec.run says more of options, progress and what is raised.

    corpus: a path, a list of paths, or any other iterable of sentences, which is read once: lists of tokens, or lines
        of text, which have white space inside.
    output: a path, whose ending decides the format; resume= needs it. Without it the vectors are only in the result,
        with counts, with n-grams for unseen words if maxn= is given, and with contexts if preset="items".
    """
    folder, given = Temporary(), {name: value for name, value in options.items() if value is not None}
    if output is None:
        given = {"save_vocab": folder.path("vocab"), **given}
        if given.get("maxn"):
            given = {"output_model": folder.path("vectors.ft"), **given}

    def result(path: str) -> Vectors:
        model = load(given.get("output_model", path), vocab=given.get("save_vocab"))
        model.info = read_record(path)
        model.context = load(given["output_context"]) if "output_context" in given else model.context
        return model
    return trained(result, [], output, {"train": corpus, **given})


def order(pairs: Any = None, output: Path | None = None, **options: Any) -> Vectors:
    """Train vectors of a hierarchy, a path or (specific, general) pairs, as acevec.train does; they have `query`."""
    return trained(load, ["order"], output, {"train": pairs, **options})


def kg(triples: Any = None, output: Path | None = None, **options: Any) -> Graph:
    """Train a model of a knowledge graph, a path or (head, relation, tail) triples; valid= and test= likewise."""
    return trained(Graph, ["kg"], output, {"train": triples, **options})


def sentence(corpus: Any = None, output: Path | None = None, *, labels: Any = None, **options: Any) -> Sentences:
    """Make a model of sentences, and return it.

    corpus: as for acevec.train; or pairs=, an iterable of pairs of texts. init= is word vectors, or their file.
    labels: for each text of the corpus a label or a list of labels; or, without a corpus, pairs of that and a text,
        in this order; or a file or lines, whose labels begin with __label__.
    """
    names: dict[str, Any] = {}
    if is_many(labels):
        if corpus is not None:
            corpus, labels = None, beside(labels, corpus)
        labels, names = labelled(labels)
        refuse_swapped(labels, names)
    model = trained(Sentences, ["sentence"], output, {"train": corpus, "labels": labels, **options})
    if names:
        model.info["label_names"] = names
        write_record(model.path, model.info)
    return model


def metric(points: Any = None, labels: Any = None, output: Path | None = None, **options: Any) -> Encoder:
    """Train an encoder of points, a path or an array of rows, and of their labels, integers or strings."""
    return trained(Encoder, ["metric"], output, {"train": points, "labels": labels, **options})


def trained(result: Callable[..., Any], words: list[str], output: Path | None, options: dict[str, Any]) -> Any:
    """Run a training; return the result of its file, and of the folder that it is in if there is no `output`."""
    if output == "-" or not isinstance(output, (str, os.PathLike)) and (output is not None or options.get("resume")):
        raise ValueError(f"output has to be the file of the result, not {output!r:.60}; options have names, as in size=100"
                         " or labels=[...]; resume= needs output=")
    if "input" in options:
        raise ValueError("unknown option input=; the first argument is the text, or train=")
    folder, is_model = Temporary(), isinstance(result, type)  # else vectors, which do not need the file later
    path = folder.path("model" if is_model else "model.npy") if output is None else os.fspath(output)
    run(*words, **dict(options, output=path))
    return result(path, folder if output is None else None) if is_model else result(path)


@functools.lru_cache(maxsize=None)
def function(name: str) -> Callable[..., Any]:
    """Return the function of a command, with its options in its signature and in its help."""
    if name not in table():
        raise missing("acevec", name, table())
    words, scored = table()[name]["name"].split(), SCORED.get(name)
    writes_text = {"train", "output"} <= {row["name"] for row in table()[name]["options"]}  # from text, as phrases

    def other(*arguments: Any, input: Rows | None = None, **options: Any) -> str:
        """Return what the command prints, scores as numbers by name. Arguments are acevec.run's; a text may come first."""
        if arguments and (is_many(arguments[0]) or writes_text):
            arguments, options = arguments[1:], {"train": arguments[0], **options}
        if writes_text:
            options = {"output": "-", **options}
        text: Any = run(*words, *arguments, input=input, **options)
        scores = scored == "" or (scored and options.get(scored) is not None)
        return scores_of(text) if scores and options.get("format") != "text" else text

    made: Any = TRAINERS.get(name, other)
    given = inspect.signature(made)
    parameters = {**given.parameters, "progress": inspect.signature(run).parameters["progress"]}
    parameters.pop("options")
    described = {}
    for row in table()[name]["options"]:
        option = row["name"].replace("-", "_") + "_" * keyword.iskeyword(row["name"])
        kind = {"integer": "int", "real": "float", "flag": "bool | int", "output_file": "Path",
                "choice": f"Literal{row.get('choices')}"}.get(row["kind"], "Any")
        quiet = {"default": 0, "default_text": "0"} if option == "debug" else {}  # unlike the program
        row = {**row, **quiet}
        described[option] = row["help"] + f" (default: {row['default_text']})" * bool(row["default_text"])
        parameters.setdefault(option, inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=row["default"],
                                                        annotation=f"{kind} | None"))
    summary = "" if name in TRAINERS else worded(table()[name]["summary"], {}) + "\n"
    made.__doc__ = "\n".join([f"{summary}{inspect.getdoc(made)}\n\nOptions:", *(
        textwrap.fill(f"{option}: {worded(text, {})}", 100, initial_indent="    ", subsequent_indent="        ")
        for option, text in described.items())])
    made.__name__, made.__qualname__, made.__module__ = name, name, "acevec"
    returned = {None: given.return_annotation, "": "dict[str, Any]"}.get(scored, "Any")
    made.__signature__ = given.replace(parameters=[*parameters.values()], return_annotation=returned)
    return made


TRAINERS: dict[str, Any] = {"train": train, "order": order, "kg": kg, "sentence": sentence, "metric": metric}
