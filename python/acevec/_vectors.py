"""Words and their vectors, in an array that is mapped to memory."""

from __future__ import annotations

import contextlib
import difflib
import itertools
import json
import os
import pathlib
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from acevec._program import Path, Temporary, command, is_many, text_of, write_file

Word = Union[str, int]  # an integer stands for its digits, as in training
Query = Union[Word, np.ndarray]  # or a vector
MAGIC = (793712314).to_bytes(4, "little")  # of fastText
# What does the same as a name of gensim that is not here.
INSTEAD = {
    "Word2Vec": "acevec.train", "FastText": "acevec.train(text, maxn=6)", "Doc2Vec": "acevec.sentence",
    "KeyedVectors": "acevec.load or acevec.Vectors", "PoincareModel": "acevec.order", "Phrases": "acevec.phrases",
    "train": "acevec.train(text, init=model)", "build_vocab": "acevec.train(text, init=model)",
    "distance": "1 - model.similarity", "has_index_for": "`word in model`", "vocab": "key_to_index",
    "evaluate_word_pairs": "evaluate", "evaluate_word_analogies": "evaluate", "get_vecattr": "count",
    "get_latest_training_loss": "loss", "wmdistance": "to_gensim()", "most_similar_cosmul": "to_gensim()",
    "save_word2vec_format": "save(path), whose ending decides the format"}


def load(path: Path, *, vocab: Path | None = None, **options: Any) -> Vectors:
    """Return the vectors of a file, in any format that the program reads.

    An array (v.npy, with v.words) is mapped to memory. Others are first converted to one, in TMPDIR (/var/tmp).
    A fastText model has counts, and composes the vectors of words that it does not have; not with options.

    vocab: a file of words and counts, as save_vocab= writes it, for Vectors.count.
    options: of `acevec convert`, such as limit=100000, the number of rows to read.
    """
    path, subwords = os.fspath(path), None
    with open(path, "rb") as stream, Temporary() as folder:
        head, array = stream.read(6), path
        if options or head != b"\x93NUMPY":
            array = folder.path("vectors.npy")
            command(["convert", os.path.abspath(path), array], options)
        if head.startswith(MAGIC) and not options:
            subwords = Subwords(np.memmap(path, mode="r"))
        matrix = np.load(array, mmap_mode="r")  # stays when the file is deleted
        words = words_of(os.path.splitext(array)[0] + ".words")
    model = Vectors(words, matrix, subwords=subwords, info=read_record(path))
    context = re.sub(r"((\.\w+)?(\.(gz|bz2|xz|zst))?)$", r"-context\1", path, count=1)  # as `next` has it
    if os.path.exists(context):
        model.context = load(context)
    if vocab is not None:
        counts = dict(line.rsplit(maxsplit=1) for line in words_of(vocab))
        model.counts = np.array([int(counts.get(word, 0)) for word in model.words])
    return model


def words_of(path: Path) -> list[str]:
    """Return the lines of a file, such as v.words."""
    return pathlib.Path(path).read_bytes().decode(errors="replace").removesuffix("\n").split("\n")


def missing(owner: str, name: str) -> AttributeError:
    return AttributeError(f"{owner} has no {name}" + (f"; use {INSTEAD[name]}" if name in INSTEAD else ""))


def read_record(path: str) -> dict[str, Any]:
    """Return the record that training writes beside its result; nothing if there is none."""
    with contextlib.suppress(OSError, ValueError), open(path + ".json", encoding="utf-8") as stream:
        return dict(json.load(stream))
    return {}


class Unknown(KeyError):
    """A word has no vector. Similar ones are searched only for the message."""

    words: Sequence[str] = ()

    def __str__(self) -> str:
        near = difflib.get_close_matches(self.args[0].lower(), self.words[:50_000])
        return f"no vector for {self.args[0]!r}" + "; similar spellings: " * bool(near) + ", ".join(near)


class Trained:
    """What training has made. info: the record of the run, its settings, loss and scores; {} if there is none."""

    info: dict[str, Any]

    @property
    def loss(self) -> float:
        """The mean loss of the last epoch. KeyError: there is no record of it."""
        return float(self.info["training"]["loss"])


class Vectors(Trained):
    """Words and their vectors.

    words: in the order of the file; acevec writes the most frequent first. The first row of a word counts.
    matrix: of shape (words, size), float32 unless the file has others; row i is the vector of words[i], as
        trained, not scaled to length 1. ValueError: a number is not finite.
    counts: how often each word is in the text, or None.

    A number stands for its digits. KeyError: a word has no vector. The object stands for a file: init=model.
    """

    def __init__(self, words: Iterable[str], matrix: np.ndarray, counts: np.ndarray | None = None,
                 subwords: Subwords | None = None, info: dict[str, Any] | None = None) -> None:
        self.words, self.matrix = list(map(text_of, words)), np.asanyarray(matrix)
        self.subwords, self.counts, self.info = subwords, subwords.counts if subwords else counts, info or {}
        self.context: Vectors | None = None  # the context vectors of items
        self._file: Temporary | None = None  # with these vectors, for the program
        if self.matrix.ndim != 2 or len(self.matrix) != len(self):
            raise ValueError(f"the matrix has the shape {self.matrix.shape} for {len(self)} words")
        if len(set(self.words)) < len(self):
            first = sorted(dict(zip(reversed(self.words), reversed(range(len(self))))).values())
            repeated = len(self) - len(first)
            warnings.warn(f"{repeated} of {len(self)} rows repeat a word; its first row counts", stacklevel=3)
            self.words, self.matrix = [self.words[row] for row in first], self.matrix[first]
            self.counts = None if self.counts is None else self.counts[first]
        self._rows = dict(zip(self.words, range(len(self))))
        squares = np.einsum("ij,ij->i", self.matrix, self.matrix, dtype=np.float64)
        for row in np.flatnonzero(~np.isfinite(squares)):
            raise ValueError(f"the vector of {self.words[row]!r} has a number that is not finite")
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

    def _unknown(self, word: Any) -> Unknown:
        error = Unknown(text_of(word))
        error.words = self.words
        return error

    def __getitem__(self, word: Word | Sequence[Word]) -> np.ndarray:
        """Return the vector of a word, of shape (size,), or of several words, a row each."""
        if isinstance(word, (list, tuple, np.ndarray)):
            return np.array([self[one] for one in word]).reshape(-1, self.vector_size)
        vector = self._vector(word)
        if vector is None:
            raise self._unknown(word)
        return vector

    # Names of gensim, for what is the same here.
    wv = property(lambda self: self)
    vectors = property(lambda self: self.matrix)
    vector_size = property(lambda self: self.matrix.shape[1])
    index_to_key = property(lambda self: self.words)
    key_to_index = property(lambda self: self._rows)

    def get_vector(self, word: Word, norm: bool = False) -> np.ndarray:
        """Return the vector of a word, scaled to length 1 if norm."""
        return self._unit(word).astype(np.float32) if norm else self[word]

    def similar_by_word(self, word: Query, topn: int = 10) -> list[tuple[str, float]]:
        """Return most_similar of one word or vector."""
        return self.most_similar(word, topn=topn)

    similar_by_vector = similar_by_word

    if not TYPE_CHECKING:  # a type checker is to know what is not there
        def __getattr__(self, name: str) -> Any:
            raise missing("acevec.Vectors", name)

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
                     topn: int = 10, *, top: int | None = None) -> list[tuple[str, float]]:
        """Return the `topn` (or `top`) words nearest to a sum, and their cosines, the largest first.

        positive, negative: what is added and subtracted: words, whose vectors are scaled to length 1 before,
            or vectors, as they are. Words of the sum are no answers.
        """
        added, taken, topn = several(positive), several(negative), topn if top is None else top
        if topn < 0 or not added + taken:
            raise ValueError("topn is negative" if topn < 0 else "there is no word or vector to be near to")
        query: Any = sum(map(self._unit, added)) - sum(map(self._unit, taken))  # one may be 0, of no words
        cosines = self._cosines(query)
        asked = {self._row(one) for one in added + taken if not isinstance(one, np.ndarray)} - {None}
        cosines[list(asked)] = -np.inf
        topn = min(topn, len(self) - len(asked))
        best = np.argpartition(-cosines, max(topn - 1, 0))[:topn]
        return [(self.words[i], float(cosines[i])) for i in best[np.lexsort((best, -cosines[best]))]]

    def similarity(self, one: Word, other: Word) -> float:
        """Return the cosine of two words."""
        return float(self._unit(one) @ self._unit(other))

    def rank(self, word: Word, other: Word) -> int:
        """Return the place of another word among those nearest to a word, from 1."""
        closer = self._cosines(self._unit(word)) > self.similarity(word, other)
        closer[[row for row in (self._row(word), self._row(other)) if row is not None]] = False
        return int(closer.sum()) + 1

    def n_similarity(self, ones: Sequence[Word], others: Sequence[Word]) -> float:
        """Return the cosine of the means of two lists of words."""
        if not len(ones) or not len(others):
            raise ValueError("a list of words is empty; give at least one word in each")
        one, other = (self[several(words)].mean(0, np.float64) for words in (ones, others))
        return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) or 1))

    def doesnt_match(self, words: Sequence[Word]) -> Word:
        """Return the word that is farthest from the mean of all. Words without a vector are left out."""
        known = [word for word in words if word in self]
        if not known:
            raise ValueError("no word of the list has a vector")
        units = np.array([self._unit(word) for word in known])
        return known[(units @ units.mean(0)).argmin()]

    def count(self, word: Word) -> int:
        """Return how often a word is in the text. ValueError: the counts are not known."""
        if self.counts is None:
            raise ValueError("the counts are not known; train with save_vocab=FILE, and load with vocab=FILE")
        row = self._row(word)
        if row is None:
            raise self._unknown(word)
        return int(self.counts[row])

    def next_items(self, history: Sequence[Any], **options: Any) -> list[Any]:
        """Return [(item, score), ...], likely to come next after items, the oldest first; a list for each of many.

        The vectors are those of train(..., preset="items"). options: of `acevec next`, such as top=3.
        """
        one = isinstance(history, str) or not any(map(is_many, history))
        lines = [" ".join(map(text_of, several(items))) for items in ([history] if one else history)]
        return self._answers(["next"], lines, one, options)

    def evaluate_next(self, histories: Path | Iterable[Any], **options: Any) -> dict[str, float]:
        """Return how often the last item of a history is among those that are likely after the others, in percent.

        histories: a file with one per line, or an iterable of lists of items. options: of `acevec next`.
        The keys are "lines", those that count, "HR@10", "NDCG@10" (or another `top`) and "MRR".
        """
        head, row = (line.split("\t") for line in command(["next", self], {**options, "test": histories}).splitlines())
        return dict(zip(head, map(float, row)))

    def query(self, concept: str | Sequence[str], **options: Any) -> list[Any]:
        """Return [(concept, weighted penalty), ...], what is above a concept; a list for each of many.

        The vectors are those of acevec.order. options: of `acevec order query`, such as direction="below".
        """
        lines = [text_of(one).replace(" ", "_") for one in several(concept)]
        return self._answers(["order", "query"], lines, isinstance(concept, str), options)

    def _answers(self, words: list[Any], lines: list[str], one: bool, options: dict[str, Any]) -> list[Any]:
        answers: dict[str, list[tuple[str, float]]] = {line: [] for line in lines}
        for row in command([*words, self], {**options, "format": "tsv"}, answers).split("\n")[:-1]:
            line, _, answer, number = row.split("\t")
            answers[line].append((answer, float(number)))
        found: list[Any] = [answers[line] for line in lines]
        return found[0] if one else found

    def evaluate(self, pairs: Path | Iterable[Any]) -> dict[str, dict[str, float]]:
        """Return the table of `acevec similarity -set`, or `acevec analogy`: {row: {column: number}}.

        pairs: a file of word pairs with human scores, or of questions; or a list of (word, word, score).
        Spearman's rho is x 100: {"ws353": {"rho_all": 61.2, ...}}. docs/vectors.md has the columns.
        """
        if isinstance(pairs, (str, os.PathLike)):
            with open(pairs, "rb") as stream:
                if stream.read(1) == b":":
                    return scores_of(command(["analogy", self, pairs], {}))
        return scores_of(command(["similarity", self], {"set": pairs}))

    def save(self, path: Path, **options: Any) -> None:
        """Write a file in the format of its ending: .bin, .txt, .vec, .npy, .tsv or .glove, or .ft with n-grams."""
        if os.fspath(path).endswith(".ft") and self.subwords:
            write_file(path, self.subwords.data)
        else:
            command(["convert", self, os.path.abspath(path)], options)

    def __fspath__(self) -> str:
        """Return the path of a file with these vectors, written for the program."""
        if self._file is None:
            self._file = Temporary()
            self._write(self._file.path("vectors"))
        return self._file.path("vectors.ft" if self.subwords else "vectors.npy")

    def _write(self, path: str) -> None:
        """Write PATH.ft, or PATH.npy with its words and record, and the context vectors of items."""
        if self.context:
            self.context._write(path + "-context")
        if self.subwords:
            return write_file(path + ".ft", self.subwords.data)
        np.save(path, np.ascontiguousarray(self.matrix))
        write_file(path + ".words", ("\n".join(self.words) + "\n").encode(errors="surrogatepass"))
        write_file(path + ".npy.json", json.dumps(self.info).encode())

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_file": None}

    def to_gensim(self) -> Any:
        """Return the vectors as gensim's KeyedVectors, with their counts."""
        from gensim.models import KeyedVectors
        vectors = KeyedVectors(self.vector_size)
        vectors.add_vectors(self.words, np.asarray(self.matrix, np.float32))
        if self.counts is not None:
            vectors.expandos["count"] = self.counts.copy()
        return vectors

    def to_pandas(self) -> Any:
        """Return the vectors as a pandas.DataFrame, a row for each word."""
        import pandas
        return pandas.DataFrame(np.asarray(self.matrix), index=self.words)


def several(queries: Any) -> list[Any]:
    """Return one or several words or vectors as a list."""
    vector = isinstance(queries, np.ndarray) and queries.ndim == 1 and queries.dtype.kind == "f"
    return [queries] if vector or isinstance(queries, (str, int, np.integer)) else list(queries)


def scores_of(text: str) -> dict[str, dict[str, float]]:
    """Return a table, {row: {column: number}}."""
    head, *rows = (line.split("\t") for line in text.splitlines())
    return {"pairs" if name == "-" else name: dict(zip(head[1:], map(float, numbers))) for name, *numbers in rows}


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
        """Return the mean of the rows of a word's n-grams, float32; None if there are none, or only zeros.

        These are the substrings of <word> of the allowed lengths, without the marks by themselves.
        """
        marked = f"<{word}>"
        rows = [hashed(marked[begin:end]) % self.buckets for begin in range(len(marked))
                for end in range(begin + max(self.shortest, 1), min(begin + self.longest, len(marked)) + 1)
                if end - begin > 1 or 0 < begin < len(marked) - 1]
        vector = self.rows[rows].mean(0, np.float64).astype(np.float32) if rows and " " not in word else np.zeros(1)
        return vector if vector.any() else None


def hashed(ngram: str) -> int:
    """Return FNV-1a, to which fastText adds bytes as signed numbers."""
    value = 2166136261
    for byte in ngram.encode(errors="surrogatepass"):
        value = (value ^ (byte | 0xffffff00 if byte > 127 else byte)) * 16777619 & 0xffffffff
    return value
