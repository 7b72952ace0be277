"""Vectors of words, and what all results of a training have: records, scores, messages."""

from __future__ import annotations

import contextlib
import difflib
import itertools
import json
import os
import pathlib
import re
import shlex
import warnings
from collections.abc import Iterable, Iterator, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from acevec._program import (SPACE, Note, Path, Temporary, ask, changed, is_many, plain, run,
                             stack_level, text_of, write_file)

Word = Union[str, int]  # an integer stands for its digits, as in training
Query = Union[Word, np.ndarray]  # or a vector
Scores = dict[str, dict[str, float]]
CONTEXT = re.compile(r"((\.\w+)?(\.(gz|bz2|xz|zst))?)$")  # the ending; -context goes before it
# What does the same as a name of gensim, fastText or sentence-transformers that is not here.
INSTEAD = {
    **dict.fromkeys(("wmdistance", "most_similar_cosmul", "rank", "distances", "closer_than",
                     "words_closer_than", "vectors_for_all", "rank_by_centrality",
                     "most_similar_to_given", "get_normed_vectors"), "to_gensim()"),
    **dict.fromkeys(("add_vector", "add_vectors"), "acevec.Vectors(words, matrix)"),
    **dict.fromkeys(("train", "build_vocab"), "acevec.train(text, init=model)"),
    **dict.fromkeys(("load_word2vec_format", "load_facebook_vectors", "load_facebook_model"),
                    "acevec.load"),
    **dict.fromkeys(("evaluate_word_pairs", "evaluate_word_analogies", "test"), "evaluate"),
    "Word2Vec": "acevec.train", "FastText": "acevec.train(text, maxn=6)",
    "Doc2Vec": "acevec.sentence", "PoincareModel": "acevec.order", "Phrases": "acevec.phrases",
    "KeyedVectors": "acevec.load or acevec.Vectors", "SentenceTransformer": "acevec.sentence",
    "loss": "a result of training, or a file with its record beside it (.json)",
    "retrieve": "acevec.sentence_retrieve(model, pairs=...)",
    "export": "acevec.kg_export(model, ...), acevec.sentence_export(model, ...) or save",
    "get_subwords": "model[word], which is composed of n-grams if maxn= was given in training",
    **dict.fromkeys(("fill_norms", "init_sims"), "get_vector(word, norm=True)"),
    "predict": "acevec.sentence(labels=...)",
    "distance": "1 - model.similarity", "has_index_for": "`word in model`",
    "vocab": "key_to_index", "get_vecattr": "count", "get_latest_training_loss": "loss",
    "index2word": "words", "similar_by_key": "most_similar",
    "get_mean_vector": "the mean of get_vector(word, norm=True) of each word",
    "save_word2vec_format": "save(path), whose ending decides the format",
    "train_unsupervised": "acevec.train", "train_supervised": "acevec.sentence(labels=...)",
    "load_model": "acevec.load, or acevec.Sentences for labels", "get_words": "words",
    "get_nearest_neighbors": "most_similar", "get_analogies": "most_similar([b, c], a)",
    "get_word_vector": "model[word]", "get_input_matrix": "matrix", "get_labels": "labels",
    "get_sentence_vector": "encode of acevec.sentence(init=model)", "save_model": "save",
    "get_dimension": "vector_size", "get_sentence_embedding_dimension": "vector_size",
    "test_label": "evaluate(..., by_label=True)"}


def lines_in(path: Path) -> list[str]:
    return pathlib.Path(path).read_bytes().decode(errors="replace").removesuffix("\n").split("\n")


def missing(owner: str, name: str, others: Iterable[str]) -> AttributeError:
    """Return the error for a name that an owner does not have, with what to use instead."""
    if name in INSTEAD:
        return AttributeError(f"{owner} has no {name}; use {INSTEAD[name]}")
    public = [other for other in others if not other.startswith("_")]
    near = [f"; did you mean {other}?" for other in difflib.get_close_matches(name, public, 1)]
    return AttributeError(f"{owner} has no {name}" + "".join(near))


def read_record(path: str) -> dict[str, Any]:
    """Return the record that training writes beside its result; nothing if there is none."""
    with contextlib.suppress(OSError, ValueError):
        return dict(json.loads(pathlib.Path(path + ".json").read_text("utf-8")))
    return {}


def name_values(path: str) -> None:
    """Write <valid> in a record for what valid= was given in Python, not the file that held it."""
    info = read_record(path)
    settings = info.get("settings", {})
    held = {name: str(value) for name, value in settings.items()
            if value == "-" or "/acevec-python-" in str(value)}  # - is standard input
    for name, value in held.items():
        typed, asked = f" -{name} {shlex.quote(value)}", name not in ("save-vocab", "output-model")
        settings[name] = f"<{name}>" if asked else None
        info["command"] = info["command"].replace(typed, f" -{name} <{name}>" * asked, 1)
    if held:
        write_record(path, info)


def write_record(path: Path, info: dict[str, Any]) -> None:
    """Write a record beside a file, in place of the one of what was there before."""
    pathlib.Path(os.fspath(path) + ".json").unlink(missing_ok=True)
    if info:
        write_file(os.fspath(path) + ".json", json.dumps(info, indent=2).encode())


def scores_of(text: str) -> dict[str, Any]:
    """Return a table, {row: {column: number}}, or {column: number} of one row without a name."""
    head, *rows = (line.split("\t") for line in text.splitlines())
    if head[0] == "N":  # two more such lines, and maybe a table
        scores: dict[str, Any] = {name: float(number) for name, number in [head, *rows[:2]]}
        table = "\n".join(text.splitlines()[3:])
        return {**scores, "labels": scores_of(table)} if table else scores
    if head[0] in ("lines", "points", "queries", "concepts"):
        return dict(zip(head, map(float, rows[0])))
    return {"pairs" if name == "-" else name: dict(zip(head[1:], map(float, numbers)))
            for name, *numbers in rows}


class Unknown(tuple[Any, ...]):
    """A word without a vector, others, whose spellings the message alone compares, and advice."""

    def __repr__(self) -> str:
        spellings = {word.lower(): word for word in reversed(self[1])}
        near = difflib.get_close_matches(self[0].lower(), list(spellings))
        return f"no vector for {self[0]!r}" + "; similar spellings: " * bool(near) + ", ".join(
            spellings[word] for word in near) + "".join(self[2:])


class Trained:
    """What has the record of a run. The error for another package's name says what to use."""

    info: dict[str, Any]
    vector_size: Any
    _parts: tuple[str, ...] = ()  # the lists of names that tell how large it is

    @property
    def loss(self) -> float:
        """The loss of the last epoch. AttributeError: there is no record of a training."""
        with contextlib.suppress(KeyError):
            return float(self.info["training"]["loss"])
        raise AttributeError  # of __getattr__

    def __repr__(self) -> str:
        """Return such as <acevec.Vectors: 12,345 words, size 100>."""
        sizes = [f"{len(names):,} {part}" for part in self._parts if (names := getattr(self, part))]
        return f"<acevec.{type(self).__name__}: {', '.join([*sizes, f'size {self.vector_size}'])}>"

    if not TYPE_CHECKING:  # a type checker is to know what is not there
        def __getattr__(self, name: str) -> Any:
            raise missing(f"acevec.{type(self).__name__}", name, dir(type(self)))


class Vectors(Trained):
    """Words and their vectors, which stand for a file: init=model. A number stands for its digits.

    words: in the order of the file; acevec writes the most frequent first. If a word is twice
        in a file, its first row counts.
    matrix: of shape (words, size), float32 unless the file has others; row i is the vector of
        words[i], as trained.
    counts: how often each word is in the text, or None. info: the record of the run, or {}.
    loss: of the last epoch.
    """

    _parts = ("words",)

    def __init__(self, words: Iterable[str], matrix: np.ndarray, counts: np.ndarray | None = None,
                 subwords: Subwords | None = None, info: dict[str, Any] | None = None) -> None:
        self.words, self.matrix = changed(several(words), text_of, "words"), np.asanyarray(matrix)
        if self.matrix.dtype.kind != "f":
            self.matrix = self.matrix.astype(np.float32)
        self.subwords, self.info = subwords, info or {}
        self.counts = subwords.counts if subwords else counts
        self.context: Vectors | None = None  # the context vectors of items
        self._folder: Temporary | None = None  # with these vectors, for the program
        if self.matrix.ndim != 2 or len(self.matrix) != len(self):
            raise ValueError(f"the matrix has the shape {self.matrix.shape} for {len(self)} words")
        self.vector_size = self.matrix.shape[1]
        self._rows = dict(zip(reversed(self.words), reversed(range(len(self)))))
        if len(self._rows) < len(self) and info is None:  # a file may have that
            raise ValueError("words has a word twice")
        squares = np.einsum("ij,ij->i", self.matrix, self.matrix, dtype=np.float64)
        for row in np.flatnonzero(~np.isfinite(squares)):
            raise ValueError(f"the vector of {self.words[row]!r} has a non-finite number")
        self._lengths = np.where(squares > 0, np.sqrt(squares), 1)

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: Any) -> bool:
        """Tell whether a word has a vector: its own, or one composed of n-grams."""
        with contextlib.suppress(ValueError):  # neither a string nor a number
            return self._vector(word) is not None
        return False

    def _row(self, word: Any) -> int | None:
        text = text_of(word)  # phrases and concepts are stored with _
        return self._rows.get(text, self._rows.get(text.replace(" ", "_")))

    def _vector(self, word: Any) -> np.ndarray | None:
        row = self._row(word)
        if row is None:
            return self.subwords.compose(text_of(word)) if self.subwords else None
        return np.array(self.matrix[row])  # a copy, to be changed without the model

    def __getitem__(self, word: Word | Sequence[Word]) -> np.ndarray:
        """Return the vector of a word, of shape (size,), or of several words, a row each."""
        if isinstance(word, (list, tuple, np.ndarray)):
            rows = np.array([self[one] for one in word], self.matrix.dtype)
            return rows.reshape(-1, self.vector_size)
        vector = self._vector(word)
        if vector is None:
            raise self._unknown(word)
        return vector

    def _unknown(self, word: Any) -> KeyError:
        lost = not self.subwords and self.info.get("settings", {}).get("maxn")
        return KeyError(Unknown((text_of(word), self.words[:50_000], "; the n-grams of the run are "
                                 "in a file only if output_model= names it" * bool(lost))))

    wv = property(lambda self: self)  # these are names of gensim, for what is the same here
    vectors = property(lambda self: self.matrix)
    index_to_key = property(lambda self: self.words)
    key_to_index = property(lambda self: self._rows)

    def similar_by_word(self, word: Query, topn: int = 10) -> list[tuple[str, float]]:
        """Return most_similar of one word or vector, which may be a list."""
        return self.most_similar(np.array(word, float) if is_many(word) else word, topn=topn)

    similar_by_vector = similar_by_word

    def get_vector(self, word: Word, norm: bool = False) -> np.ndarray:
        """Return the vector of a word, scaled to length 1 if norm."""
        return self._unit(word).astype(np.float32) if norm else self[word]

    def _unit(self, query: Query) -> np.ndarray:
        """Return the vector of a word, scaled to length 1, or a vector as it is."""
        vector = (query if isinstance(query, np.ndarray) else self[query]).astype(np.float64)
        if vector.shape != self.matrix.shape[1:]:
            raise ValueError(f"a vector has the shape {vector.shape}, and those of words "
                             f"{self.matrix.shape[1:]}")
        return vector if isinstance(query, np.ndarray) else vector / (np.linalg.norm(vector) or 1)

    def most_similar(self, positive: Query | Sequence[Query] | None = (),
                     negative: Query | Sequence[Query] | None = (), topn: int = 10, *,
                     top: int | None = None,
                     restrict_vocab: int | None = None) -> list[tuple[str, float]]:
        """Return the `topn` (or `top`) words nearest to a sum, not those of the sum, and cosines.

        Words' vectors are scaled to length 1 before they are added (positive) or subtracted; given
        vectors count as they are. A pair (word, weight) is added with its weight.
        restrict_vocab: answers are of so many words from the first on.
        """
        pairs = [one if isinstance(one, tuple) else (one, sign)
                 for sign, queries in ((1, positive), (-1, negative))
                 for one in ([] if queries is None else several(queries))]
        for bad in (one for one in pairs if len(one) != 2 or not isinstance(one[1], Real)):
            raise ValueError(f"{bad} is not a word or vector and its weight")
        query: Any = sum(weight * self._unit(one) for one, weight in pairs)
        number: Any = topn if top is None else top
        if not isinstance(number, Integral) or number < 0:
            raise ValueError(f"topn={number!r} is not a number of answers; topn=len(model) has all")
        if not 0 < np.linalg.norm(query) < np.inf:
            raise ValueError("there is no word or vector to be near to, or their sum is zero or "
                             "not finite")
        query = (query / np.linalg.norm(query)).astype(np.float32)
        cosines = np.einsum("ij,j->i", self.matrix, query) / self._lengths
        asked = {self._row(one) for one, _ in pairs if not isinstance(one, np.ndarray)}
        cosines[list(asked - {None})] = -np.inf
        cosines = cosines[:restrict_vocab]
        number = min(number, np.isfinite(cosines).sum())
        best = np.argpartition(-cosines, max(number - 1, 0))[:number]
        best = best[np.lexsort((best, -cosines[best]))]
        return [(self.words[row], float(cosines[row])) for row in best]

    def similarity(self, one: Query, other: Query) -> float:
        """Return the cosine of two words or vectors."""
        units = [vector / (np.linalg.norm(vector) or 1) for vector in map(self._unit, (one, other))]
        return float(units[0] @ units[1])

    def n_similarity(self, ones: Sequence[Word], others: Sequence[Word]) -> float:
        """Return the cosine of the means of two lists of words."""
        if not len(ones) or not len(others):
            raise ValueError("a list of words is empty; give at least one word in each")
        one, other = (self[several(words)].mean(0, np.float64) for words in (ones, others))
        return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) or 1))

    def doesnt_match(self, words: Sequence[Word]) -> Word:
        """Return the word that is farthest from the mean of all that have a vector."""
        known = [word for word in words if word in self] if is_many(words) else []
        if not known:
            raise ValueError("give a list of words; at least one must have a vector")
        units = np.array([self._unit(word) for word in known])
        return known[(units @ units.mean(0)).argmin()]

    def count(self, word: Word) -> int:
        """Return how often a word is in the text. ValueError: the counts are not known."""
        if self.counts is None:
            raise ValueError("the counts are not known; train with save_vocab=FILE, then load(..., "
                             "vocab=FILE)")
        row, _ = self._row(word), self[word]  # KeyError
        return 0 if row is None else int(self.counts[row])

    def next_items(self, history: Sequence[Any], **options: Any) -> list[Any]:
        """Return [(item, score), ...], likely after items, the oldest first.

        For several histories it returns a list for each, empty without a known item. Unknown items
        beside others do not count; a Note warns. KeyError: one history has no known item.
        options: of `acevec next`, as top=3.
        """
        history = several(history)
        one = bool(history) and not any(map(is_many, history))
        lines = [SPACE.sub(" ", " ".join(map(text_of, several(items))))
                 for items in ([history] if one else history)]
        return self._answers(["next"], lines, one, options)

    def query(self, concept: str | Sequence[str], **options: Any) -> list[Any]:
        """Return [(concept, weighted penalty), ...], what is above a concept, or of several each.

        Of several, an unknown one has []. options: of `acevec order query`, as direction="below".
        """
        lines = [SPACE.sub("_", text_of(one)).replace(" ", "_") for one in several(concept)]
        return self._answers(["order", "query"], lines, not is_many(concept), options)

    def _answers(self, command: list[Any], lines: list[str], one: bool,
                 options: dict[str, Any]) -> list[Any]:
        """Return what a command answers to one line, or to each of several, [] if it is unknown."""
        known = [line for line in lines if not self._rows.keys().isdisjoint(line.split(" "))]
        if one and not known:
            raise self._unknown(lines[0].strip(" ").partition(" ")[0])
        answers: dict[str, list[Any]] = {line: [] for line in lines}
        printed = ask(options, *command, self, input=[*dict.fromkeys(known)],
                      format="tsv") if known else ""
        for line, _, answer, number in (row.split("\t") for row in printed.split("\n")[:-1]):
            answers[line].append((answer, float(number)))
        return answers[lines[0]] if one else [*map(answers.get, lines)]

    def evaluate(self, pairs: Path | Iterable[Any]) -> Scores:
        """Return {set: {"rho_all": 61.2, ...}} for (word, word, score), a list or a file.

        rho is times 100. Of a file of analogy questions, which begins with a colon, it returns the
        scores, in percent.
        """
        questions = (isinstance(pairs, (str, os.PathLike))
                     and pathlib.Path(pairs).read_bytes().startswith(b":"))
        return scores_of(run("analogy", self, pairs) if questions
                         else run("similarity", self, set=pairs))

    def save(self, path: Path, **options: Any) -> None:
        """Write a file in the format of its ending: .bin, .txt, .vec, .npy, .tsv, .glove or .ft.

        .ft keeps the n-grams of a model that has them. options: of `acevec convert`.
        """
        replaces = os.path.exists(plain(path))
        if plain(path).endswith(".ft"):
            if not self.subwords:
                raise ValueError(f"the model has no n-grams to write to {path}; train with maxn=6, "
                                 "or give another format")
            write_file(path, self.subwords.data)
        else:
            run("convert", self, pathlib.Path(path), **options)
            if self.subwords:
                warnings.warn(f"{path} has no n-grams for unseen words; a file that ends in .ft "
                              "keeps them", Note, stack_level())
        write_record(path, self.info)
        context = pathlib.Path(CONTEXT.sub(r"-context\1", os.fspath(path), 1))
        if self.context:
            self.context.save(context, **options)
        elif replaces:  # its context vectors are of those that were there
            context.unlink(missing_ok=True)

    def __fspath__(self) -> str:
        """Return the path of a file with these vectors, written for the program."""
        alone = self.subwords and len(self.subwords.counts) < len(self)  # words of init= alone
        whole = None if self.context or alone else self.subwords
        name = "vectors.ft" if whole else "vectors.npy"
        if self._folder is None:
            self._folder = Temporary()
            if whole:
                write_file(self._folder.path(name), whole.data)
            for stem, one in (("vectors", None if whole else self),
                              ("vectors-context", self.context)):
                if one:
                    path, words = self._folder.path(stem), "\n".join(one.words) + "\n"
                    np.save(path, np.ascontiguousarray(one.matrix))
                    write_file(path + ".words", words.encode(errors="surrogatepass"))
                    write_record(path + ".npy", one.info)
        return self._folder.path(name)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_folder": None}

    def to_gensim(self) -> Any:
        """Return the vectors as gensim's KeyedVectors, with their counts but without n-grams."""
        from gensim.models import KeyedVectors
        if self.subwords:
            warnings.warn("KeyedVectors have no n-grams, so no vectors of unseen words; for those "
                          'save("words.ft") and gensim\'s load_facebook_vectors', Note, 2)
        vectors = KeyedVectors(self.vector_size)
        vectors.add_vectors(self.words, np.asarray(self.matrix, np.float32))
        if self.counts is not None:
            vectors.expandos["count"] = self.counts.copy()
        return vectors


def several(queries: Any) -> list[Any]:
    """Return one or several words or vectors as a list."""
    vector = isinstance(queries, np.ndarray) and queries.ndim == 1 and queries.dtype.kind == "f"
    return list(queries) if is_many(queries) and not vector else [queries]


class Subwords:
    """The bytes of fastText's model, which the program has checked, and vectors of its n-grams."""

    def __init__(self, data: np.ndarray) -> None:
        self.data = data
        head = list(map(int, np.frombuffer(data, "<i4", 18)))
        version, size, task = head[1], head[2], head[9]
        self.buckets, self.shortest, self.longest = head[10:13]
        # Words, then labels: the bytes, a 0, the count, the kind.
        entries = re.compile(rb"[^\0]*\0(.{8}).", re.S).finditer(data.data, 92)
        found = list(itertools.islice(entries, head[16]))
        counts = b"".join(entry[1] for entry in found[:head[17]])
        self.counts: np.ndarray = np.frombuffer(counts, "<i8")
        # A byte, two sizes, the rows of words, then those of n-grams.
        at = found[-1].end()
        if version == 11 and task == 3:  # such classifiers have none of characters
            self.buckets = self.longest = 0
        rows = np.frombuffer(data, "<f4", self.buckets * size, at + 17 + 4 * head[17] * size)
        self.rows = rows.reshape(-1, size)

    def __reduce__(self) -> tuple[Any, ...]:
        return Subwords, (np.array(self.data),)

    def compose(self, word: str) -> np.ndarray | None:
        """Return the mean of the rows of the n-grams of <word>, or None for zeros.

        The marks < and > by themselves are no n-grams.
        """
        marked, rows = f"<{word}>", []
        for begin, end in itertools.combinations(range(len(marked) + 1), 2):
            if max(self.shortest, 1) <= end - begin <= self.longest and (
                    end - begin > 1 or 0 < begin < len(word) + 1):
                value = 2166136261  # FNV-1a, to which fastText adds bytes as signed numbers
                for byte in marked[begin:end].encode(errors="surrogatepass"):
                    signed = byte | 0xffffff00 if byte > 127 else byte
                    value = (value ^ signed) * 16777619 & 0xffffffff
                rows.append(value % self.buckets)
        if " " in word or not rows:
            return None
        vector = self.rows[rows].mean(0, np.float64).astype(np.float32)
        return vector if vector.any() else None
