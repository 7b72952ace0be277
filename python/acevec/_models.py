"""Models of sentences, graphs and points, and a function for each command of the program."""

from __future__ import annotations

import contextlib
import errno
import functools
import inspect
import itertools
import keyword
import os
import pathlib
import re
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from acevec._program import (Error, Note, Path, Progress, Rows, Temporary,  # noqa: F401
                             arranged, ask, changed, filled, is_many, is_rows, plain, rows_of,
                             run, table, text_of, worded, write_file)
from acevec._vectors import (CONTEXT, Scores, Subwords, Trained, Unknown, Vectors, lines_in,
                             missing, name_values, read_record, scores_of, write_record)

LOCK = threading.Lock()
PREFIX = "__label__"
KEPT = ("resume", "checkpoint", "save_every")  # what works on files that stay
# Commands that print scores, and the option with which they do.
SCORED = {**dict.fromkeys(("analogy", "kg_eval", "metric_eval", "sentence_retrieve",
                           "sentence_test"), ""), "next": "test", "order_query": "truth",
          "similarity": "set", "sentence_similarity": "set"}


def load(path: Path, *, vocab: Path | None = None, **options: Any) -> Vectors:
    """Return the Vectors of a file in any format that the program reads, or the model in it.

    For type checkers it is Vectors; acevec.Graph, Sentences and Encoder open the models.
    An array (v.npy) is mapped to memory.
    vocab: a file of words and counts, as save_vocab= writes it, for Vectors.count.
    options: of `acevec convert`, such as limit=100000. Without them fastText's model has vectors
        of unseen words.
    """
    name, subwords = plain(path), None
    kinds: Any = (Graph, Sentences, Encoder)
    with open(name, "rb") as stream, Temporary() as folder:
        head, array = stream.read(32), name
        for kind in kinds:
            if kind._is_of(head):
                return kind(path, getattr(path, "_folder", None))
        if options or not head.startswith(b"\x93NUMPY"):
            array = folder.path("vectors.npy")
            run("convert", pathlib.Path(path) if isinstance(path, str) else path, array, **options)
        if head.startswith(b"\xba\x16\x4f\x2f") and not options:  # fastText's
            subwords = Subwords(np.memmap(name, mode="r"))
        try:  # joblib gives the names of mapped files to others, so a temporary one is not mapped
            matrix = np.load(array, mmap_mode=None if "/acevec-python-" in array else "r")
        except (ValueError, EOFError) as problem:
            raise ValueError(f"{name} is damaged, or no array of numbers: {problem}") from None
        names = os.path.splitext(array)[0] + ".words"
        if not os.path.exists(names):
            raise FileNotFoundError(errno.ENOENT, f"the words of {name} are missing; give them, as "
                                    "in acevec.Vectors(words, matrix)", names)
        words = lines_in(names)
        model = Vectors(words, matrix, None, subwords, read_record(name))
    context = CONTEXT.sub(r"-context\1", name, 1)
    model.context = load(context) if os.path.exists(context) else None
    if vocab is not None:
        counts = dict(line.rsplit(" ", 1) for line in lines_in(vocab))
        model.counts = np.array([int(counts.get(word, 0)) for word in model.words])
    return model


class Model(Trained):
    """A model, as acevec.Graph("kg.bin"); it stands for its file, which may be in a `folder`."""

    _command = ""  # whose models these are
    _size_in: Any = staticmethod(lambda shape: shape[1])

    def __init__(self, path: Path, folder: Temporary | None = None) -> None:
        self._path, self._folder = os.path.abspath(plain(path)), folder
        self.info = read_record(os.fspath(path))
        with open(path, "rb") as stream:
            self._opened: os.stat_result | None = os.fstat(stream.fileno())
            if not self._is_of(stream.read(32)):
                raise ValueError(f"{path} is not a model of acevec.{self._command}; acevec.load "
                                 "opens files of any kind")
            self._content = parts_of(stream)

    @classmethod
    def _is_of(cls, head: bytes) -> bool:
        """Tell whether a file begins as such models do: with a mark and the command's name."""
        mark, kind = head[:8], head[17:]
        return mark == b"\x89acevec\n" and kind.startswith(f"acevec {cls._command}".encode())

    def __fspath__(self) -> str:
        if self._folder:
            return self._folder.path("model")
        if self._opened and not os.path.samestat(self._opened, os.stat(self._path)):
            raise Error(f"{self._path} has been written again since the model was opened; open "
                        "the new one, or save models to files of their own")
        return self._path

    path = property(__fspath__)

    def __getstate__(self) -> dict[str, Any]:
        folder = self._folder or Temporary([("model", pathlib.Path(self.path).read_bytes())])
        return {**self.__dict__, "_opened": None, "_folder": folder}

    def _names(self, part: str) -> list[str]:
        return self._content[part].decode(errors="replace").split("\n")[:-1]

    vector_size = functools.cached_property(
        lambda self: self._size_in(np.frombuffer(self._content["shape"], "<i8").tolist()))

    def save(self, path: Path) -> None:
        """Copy the model and its record."""
        write_file(path, pathlib.Path(self.path).read_bytes())
        if self._opened and os.path.abspath(path) == self._path:
            self._opened = os.stat(path)
        write_record(path, self.info)

    def _array(self, command: str, options: dict[str, Any], output: str = "output",
               **own: Any) -> np.ndarray:
        """Return what a command writes to the file of its option `output`."""
        with Temporary() as folder:
            own[output] = folder.path("v.npy")
            ask(options, self._command, command, self, **own)
            return np.asarray(np.load(own[output]))


def parts_of(stream: BinaryIO) -> dict[str, bytes]:
    """Return the shape and the names in a model. Before each part are its name and its length.

    ValueError: the file does not end with its last part, the checksum of 8 bytes.
    """
    parts = dict.fromkeys(("shape", "entities", "relations", "words", "labels"), b"")
    name, size, end = "", 0, os.fstat(stream.fileno()).st_size
    stream.seek(16)
    while length := stream.read(1):
        name = stream.read(length[0]).decode()
        size = int.from_bytes(stream.read(8), "little")
        if name in parts:
            parts[name] = stream.read(size)
        else:
            stream.seek(size, os.SEEK_CUR)
    if (name, size, stream.tell()) != ("checksum", 8, end):
        raise ValueError(f"{stream.name} is damaged or truncated; give another")
    return parts


class Graph(Model):
    """A model of a knowledge graph. len, `in` and [] are of its entities.

    entities, relations: their names.
    """

    _command, _parts = "kg", ("entities", "relations")
    _size_in = staticmethod(lambda shape: shape[2])
    entities = functools.cached_property(lambda self: self._names("entities"))
    relations = functools.cached_property(lambda self: self._names("relations"))

    @functools.cached_property
    def vectors(self) -> Vectors:
        """The vectors of entities, for most_similar and the like."""
        return Vectors(self.entities, self._array("export", {}, "output_entities"))

    def __len__(self) -> int:
        return len(self.entities)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entities)

    def __contains__(self, name: Any) -> bool:
        with contextlib.suppress(ValueError):  # neither a string nor a number
            return text_of(name) in self._known[0]
        return False

    def __getitem__(self, entity: Any) -> np.ndarray:
        """Return the vector of an entity, or of several, a row each."""
        return self.vectors[entity]

    @functools.cached_property
    def _known(self) -> tuple[dict[str, None], ...]:
        """The names that a triple may have, for each of its columns."""
        entities = dict.fromkeys(self.entities)
        return entities, dict.fromkeys(self.relations), entities

    def predict(self, *question: Any, **options: Any) -> list[Any]:
        """Return [(name, distance), ...], the likeliest first, for the "?" of a question.

        question: as in predict("oslo", "capital_of", "?"); or a list of triples, for which a list
            has the answers to each, none for an unknown name.
        options: of `acevec kg predict`, such as top=3.
        """
        asked, one = triples_in(question, options.pop("columns", None))
        for bad in (triple for triple in asked if len(triple) != 3 or triple.count("?") != 1):
            raise ValueError(f'{bad} is not a question; give head, relation and tail, with "?" in '
                             "place of one of them")
        known = [row for row in asked if one or all(
            name == "?" or name in names for name, names in zip(row, self._known))]
        text = ask(options, "kg", "predict", self, input=known, format="tsv") if known else ""
        found: list[Any] = [[] for _ in asked]
        at = -1
        for *row, place, distance in (line.split("\t") for line in text.split("\n")[:-1]):
            if place == "1":  # the next question whose names are known
                at = next(i for i in range(at + 1, len(asked))
                          if all(a in ("?", b) for a, b in zip(asked[i], row)))
            found[at].append((row[asked[at].index("?")], float(distance)))
        return found[0] if one else found

    def score(self, *triple: Any, columns: Any = None) -> Any:
        """Return the distance of score("oslo", "capital_of", "norway"): smaller is likelier.

        With softmax a triple has two: as an answer of `predict` for its tail, and for its head.
        This is their mean.
        triple: or a list of triples, for which it returns a list. KeyError: a name is unknown.
        """
        asked, one = triples_in(triple, columns)
        for row in asked:
            if len(row) != 3:
                raise ValueError(f"{row} is not a triple; give head, relation and tail")
            for name, names in zip(row, self._known):
                if name not in names:
                    raise KeyError(Unknown((name, list(names))))
        text = run("kg", "predict", self, score_file=asked) if asked else ""
        found = [float(line.split("\t")[3]) for line in text.split("\n")[:-1]]
        return found[0] if one else found

    def evaluate(self, triples: Path | Iterable[Sequence[Any]], **options: Any) -> Scores:
        """Return {"raw": {"MRR": ..., ...}, "filtered": ...} of true triples.

        MRR and Hits are from 0 to 1. options: of `acevec kg eval`.
        """
        return scores_of(ask(options, "kg", "eval", self, test=triples))


def triples_in(given: tuple[Any, ...], columns: Any) -> tuple[list[tuple[str, ...]], bool]:
    """Return the triples of arguments, which are one triple or a list of some, and whether one."""
    several = len(given) == 1 and is_many(given[0])
    rows = list(rows_of(arranged(given[0], columns)) if several else given)
    one = not all(map(is_many, rows))
    if columns and rows:  # of which the first may have titles
        wanted, titles = plain(columns).split(","), [str(at + 1) for at in range(len(rows[0]))]
        titles = titles if {*wanted} <= {*titles} else list(rows.pop(0))
        rows = [[row[titles.index(title)] for title in wanted] for row in rows]
    return changed([rows] if one else rows, lambda row: tuple(map(text_of, row)), "triples"), one


class Sentences(Model):
    """A model of sentences. words, labels: those that it knows.

    For a text, a string, methods return one result, and for an iterable one for each. A text
    without a known word has zeros as vector, and a Note warns of it.
    """

    _command, _parts = "sentence", ("words", "labels")
    _size_in = staticmethod(lambda shape: shape[1] * (2 - shape[3]))  # of one or two networks
    words = functools.cached_property(lambda self: self._names("words"))

    @functools.cached_property
    def labels(self) -> list[Any]:
        """The labels that it predicts, as acevec.sentence got them."""
        return [self._label(name) for name in self._names("labels")]

    def _label(self, name: str) -> Any:
        return self.info.get("label_names", {}).get(name, name.removeprefix(PREFIX))

    def encode(self, texts: str | Iterable[str], normalize_embeddings: bool = False,
               **options: Any) -> np.ndarray:
        """Return a text's vector, scaled to length 1 if normalize_embeddings."""
        lines = listed(texts)
        rows = self._array("encode", options, input=lines) if lines else np.zeros(
            (0, self.vector_size), np.float32)
        if normalize_embeddings:
            rows = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-30)
        return rows[0] if isinstance(texts, str) else rows

    def predict(self, texts: str | Iterable[str], top: int = 1, *, topn: int | None = None,
                **options: Any) -> list[Any]:
        """Return [(label, probability), ...], the `top` (or `topn`) likeliest labels of a text.

        Those of a text without a known word are a guess.
        """
        lines = listed(texts)
        text = ask(options, "sentence", "predict", self, "-", input=lines, probabilities=True,
                   top=top if topn is None else topn) if lines else ""
        found: list[Any] = [[(self._label(label), float(share))
                             for label, share in zip(row[::2], row[1::2])]
                            for row in (line.split(" ") for line in text.split("\n")[:-1])]
        return found[0] if isinstance(texts, str) else found

    def similarity(self, ones: Any, others: Any) -> Any:
        """Return the cosine of two texts or vectors, or those of each of several with others."""
        one, other = (each if isinstance(each, np.ndarray) else self.encode(each)
                      for each in (ones, others))
        lengths = np.multiply.outer(*(np.linalg.norm(each, axis=-1) for each in (one, other)))
        return one @ other.T / np.maximum(lengths, 1e-30)

    def search(self, queries: str | Iterable[str], texts: Iterable[str] | Vectors, top: int = 10,
               *, topn: int | None = None) -> list[Any]:
        """Return [(text, cosine), ...], the `top` (or `topn`) nearest to a query.

        texts: strings, or their `index`. A query without a known word has no answers.
        """
        index = texts if isinstance(texts, Vectors) else self.index(texts)
        number, rows = top if topn is None else topn, np.atleast_2d(self.encode(queries))
        found: list[Any] = [index.most_similar(row, top=number) if row.any() and index else []
                            for row in rows]
        return found[0] if isinstance(queries, str) else found

    def index(self, texts: Iterable[str]) -> Vectors:
        """Return the different texts that have a known word, with their vectors."""
        lines = changed(several_texts(texts), lambda text: text_of(text).rstrip("\r\n"), "texts")
        different = list(dict.fromkeys(lines))
        rows = self.encode(different)
        known = rows.any(axis=1)
        return Vectors(itertools.compress(different, known), rows[known])

    def evaluate(self, pairs: Any, labels: Any = None, **options: Any) -> dict[str, Any]:
        """Return {set: {"Pearson": ...}} for (text, text, score); of labels {"N": ..., "P@1": ...}.

        Pearson and Spearman are times 100; P and R are shares of 1.
        pairs: if the model has labels, (label, text); or texts, with `labels`, for each text a
            label or a list of labels, as in training.
        """
        if labels is not None:
            refuse_table(pairs)
            pairs = beside(labels, pairs)
        if not self.labels:
            pairs = list(filled(pairs, "pairs")) if is_many(pairs) else pairs
            if is_many(pairs) and is_many(pairs[0]) and len(pairs[0]) == 2:
                raise ValueError("pairs have no score; acevec.sentence_retrieve(model, pairs=...) "
                                 "tells how well the second text of each is found")
            return scores_of(ask(options, "sentence", "similarity", self, set=pairs))
        rows, names = labelled(pairs) if is_many(pairs) else ([], {})
        known = self.info.get("label_names", {})
        if names and not names.keys() & known.keys():
            if any(PREFIX + str(row[1]) in known for row in rows):
                raise ValueError("the texts are labels of the model, and the labels are not; "
                                 "pairs are (label, text)")
            refuse_swapped(rows, names)
        scores = scores_of(ask(options, "sentence", "test", self, "-" if rows else pairs,
                               input=rows or None))
        if "labels" in scores:
            scores["labels"] = {self._label(name): of for name, of in scores["labels"].items()}
        return scores


def labelled(rows: Iterable[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return (label, text) or (labels, text) as lines, and each label by its name in them."""
    names: dict[str, Any] = {}

    def marked(row: Any) -> Any:
        if isinstance(row, (str, os.PathLike)):
            return row
        if not is_many(row) or len(row) != 2:
            raise ValueError(f"{row!r} is not a pair of a label and a text")
        labels, text = row
        marks = []
        for label in labels if is_many(labels) else [labels]:
            label = label.item() if hasattr(label, "item") else label  # a number of numpy
            mark = PREFIX + "_".join(text_of(label).removeprefix(PREFIX).split())
            if names.setdefault(mark, label) != label:
                raise ValueError(f"the labels {names[mark]!r} and {label!r} would both be {mark}; "
                                 "rename one")
            marks.append(mark)
        text = " ".join(map(text_of, text)) if is_many(text) else text_of(text, "the text ")
        if PREFIX in text:  # a label inside counts for nothing, as when labels are predicted
            text = re.sub(rf"(?<!\S){PREFIX}\S*", "", text)
        return " ".join(marks), text
    return changed(filled(rows, "labels"), marked, "labels"), names


def refuse_swapped(rows: list[Any], names: dict[str, Any]) -> None:
    """Refuse labels that seem to be texts.

    They are nearly as many as the texts, which repeat, or many more than texts that repeat often,
    or long while the texts are single words.
    """
    texts = [row[1] for row in rows if isinstance(row, tuple)]
    different = set(texts)
    many = len(names) > 2 * len(different) and 2 * len(names) > len(texts)
    more = len(names) > 10 * len(different) and len(texts) > 4 * len(different)
    words = sum(len(name.split("_")) - 4 for name in names)  # of __label__a_fine_film
    long = words >= 3 * len(names) and all(len(text.split()) <= 1 for text in different)
    if texts and (many or more or long):
        one = next(iter(names)).removeprefix(PREFIX)
        raise ValueError(f"there are {len(names)} different labels, such as {one!r:.60}, for "
                         f"{len(different)} different texts; are they swapped? "
                         "Pairs are (label, text)")


def beside(labels: Any, corpus: Any) -> list[tuple[Any, Any]]:
    """Return (label, text) for each text of a corpus."""
    if getattr(labels, "ndim", 1) != 1:
        raise ValueError(f"labels has {labels.ndim} dimensions; give a label, or a list of labels, "
                         "for each text")
    labels = list(labels)
    texts = list(filled(corpus, "corpus") if is_rows(corpus) else several_texts(corpus))
    if len(texts) != len(labels):
        raise ValueError(f"there are {len(texts)} texts, but {len(labels)} labels; give one for "
                         "each text")
    return list(zip(labels, texts))


def listed(texts: str | Iterable[Any]) -> list[Any]:
    """Return a list for each text, or as it is for tokens."""
    return [[text] if isinstance(text, str) else text
            for text in ([texts] if isinstance(texts, str) else several_texts(texts))]


def several_texts(texts: Any) -> list[Any]:
    """Return a list of texts. ValueError: it is one text, a path or a table."""
    refuse_table(texts)
    if not is_many(texts):
        raise ValueError(f"{texts!r:.60} is not a list of texts; give one, such as the lines of a "
                         "file")
    return list(texts)


class Encoder(Model):
    """An encoder of points."""

    _command = "metric"

    def encode(self, points: Any, **options: Any) -> np.ndarray:
        """Return the vector of a point, or of points, an array or a file, a row each."""
        points = np.asarray(points) if isinstance(points, (list, tuple)) else points
        if getattr(points, "ndim", 2) == 1:  # one point
            return self.encode(np.asarray(points)[None], **options)[0]
        return self._array("encode", options, points=points)

    def evaluate(self, points: Any, labels: Any, test: Any, test_labels: Any,
                 **options: Any) -> dict[str, float]:
        """Return {"recall@1": ..., ...}: how well known points tell the classes of others.

        Scores are from 0 to 1. options: of `acevec metric eval`.
        """
        return scores_of(ask(options, "metric", "eval", self, train=points, labels=labels,
                             test=test, test_labels=test_labels))


def train(corpus: Any = None, output: Path | None = None, **options: Any) -> Vectors:
    """Train word vectors, and return them. acevec.run says more of options and what is raised.

    corpus: a path, a list of paths, or any other iterable of sentences, which is read once: lists
        of tokens, or lines of text, which have white space inside.
    output: a path, whose ending decides the format. Without it the vectors are only in the result.
        That has counts, n-grams for unseen words if maxn= is given, and contexts if
        preset="items". With checkpoint=, save_every= or resume= it has counts and n-grams only of
        the files of save_vocab= and output_model=.
    """
    refuse_table(corpus)
    folder = Temporary()
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(output, (str, os.PathLike)) and os.fspath(output).endswith(".ft"):
        raise ValueError(f"output= is a file of vectors; {output} is written by output_model=, or "
                         "by the result's save if maxn= is given")
    if not any(map(given.get, KEPT)):  # which would keep these paths
        given = {"save_vocab": folder.path("vocab"), **given}
        if given.get("maxn"):
            given = {"output_model": folder.path("vectors.ft"), **given}

    def result(path: str) -> Vectors:
        model = load(path, vocab=given.get("save_vocab"))
        if "output_model" in given:
            model.subwords = Subwords(np.memmap(given["output_model"], mode="r"))
            model.counts = model.subwords.counts if model.counts is None else model.counts
        if "output_context" in given:
            model.context = load(given["output_context"])
        return model
    return trained(result, [], output, corpus, given)


def order(pairs: Any = None, output: Path | None = None, **options: Any) -> Vectors:
    """Train vectors of a hierarchy, a path or (specific, general) pairs; they have `query`."""
    for title in list(getattr(pairs, "columns", ()))[:1]:
        if str(title).lower() in ("parent", "general", "hypernym", "broader"):
            raise ValueError(f"pairs are (specific, general), and the first column is {title!r}; "
                             "swap the columns")
    return trained(load, ["order"], output, pairs, options)


def kg(triples: Any = None, output: Path | None = None, **options: Any) -> Graph:
    """Train a model of a knowledge graph, a path or (head, relation, tail) triples.

    valid= and test= are such, too.
    """
    return trained(Graph, ["kg"], output, triples, options)


def sentence(corpus: Any = None, output: Path | None = None, *, labels: Any = None,
             **options: Any) -> Sentences:
    """Make a model of sentences, and return it.

    corpus: as for acevec.train; or pairs=, an iterable of pairs of texts. init= is word vectors, or
        their file.
    labels: for each text of the corpus a label or a list of labels; or, without a corpus, pairs of
        that and a text, in this order; or a file or lines, whose labels begin with __label__.
    """
    refuse_table(corpus)
    names: dict[str, Any] = {}
    if is_many(labels):
        if corpus is not None:
            corpus, labels = None, beside(labels, corpus)
        labels, names = labelled(labels)
        refuse_swapped(labels, names)
    model = trained(Sentences, ["sentence"], output, corpus, {"labels": labels, **options})
    if names:
        model.info["label_names"] = names
        write_record(model.path, model.info)
    return model


def metric(points: Any = None, labels: Any = None, output: Path | None = None,
           **options: Any) -> Encoder:
    """Train an encoder of points, a path or an array of rows, by labels, integers or strings."""
    return trained(Encoder, ["metric"], output, points, {"labels": labels, **options})


def refuse_table(texts: Any) -> None:
    if hasattr(texts, "itertuples"):
        raise ValueError('the text is a table; give a column of it, such as table["text"]')


def trained(result: Callable[..., Any], words: list[str], output: Path | None, first: Any,
            options: dict[str, Any]) -> Any:
    """Run a training; return the result of its file, with the folder it is in if not `output`.

    first: what training reads, which can also be the option train=.
    """
    if first is not None and options.get("train") is not None:
        raise ValueError("train= is given twice: by the first argument and by its name")
    options = {**options, "train": options.get("train") if first is None else first}
    for name in KEPT:
        if output is None and options.get(name):
            raise ValueError(f"{name}= needs output=, the file of the result")
    if not isinstance(output, (str, os.PathLike, type(None))) or output == "-":
        raise ValueError(f"output has to be the file of the result, not {output!r:.60}; options "
                         "have names, as in size=100 or labels=[...]")
    if "input" in options:
        raise ValueError("unknown option input=; the first argument is the text, or train=")
    folder, is_model = Temporary(), isinstance(result, type)  # vectors do not need the file later
    path = os.fspath(output or folder.path("model" if is_model else "model.npy"))
    run(*words, **dict(options, output=path))
    name_values(path)
    if output is None and os.path.isfile(options.get("log") or ""):
        log = pathlib.Path(options["log"])
        write_file(log, log.read_bytes().replace(path.encode(), b"<output>"))
    return result(path, folder if output is None else None) if is_model else result(path)


def function(name: str) -> Callable[..., Any]:
    """Return the function of a command, which is made once, whichever thread asks first."""
    with LOCK:
        return make_function(name)


@functools.lru_cache(maxsize=None)
def make_function(name: str) -> Callable[..., Any]:
    """Return the function of a command, with its options in its signature and in its help."""
    if name not in table():
        raise missing("acevec", name, table())
    command, scored = table()[name], SCORED.get(name)
    options = {row["name"]: row for row in command["options"]}
    takes_words = command["usage"].partition(" [OPTION")[0].endswith((" ...]", "'?']"))
    writes_text = {"train", "output"} <= options.keys()  # from text, as phrases

    def other(*arguments: Any, input: Rows | None = None, **options: Any) -> str:
        """Return what the command prints, scores as numbers by name.

        Arguments are acevec.run's, but a list of words is as many arguments, and another list is
        input=.
        """
        typed: list[Any] = []
        if writes_text:
            options = {"output": "-", **dict(zip(["train", "output"], arguments)), **options}
            arguments = arguments[2:]
        for one in arguments:
            if not is_many(one) or not (typed or is_rows(one)):
                typed.append(one)
            elif name == "metric_encode":
                options["points"] = one
            elif takes_words and typed and not any(map(is_many, one := list(one))):
                typed += one
            else:
                pairs = name == "sentence_test"  # as for Sentences.evaluate
                typed, input = typed or ["-"], labelled(one)[0] if pairs else one
        text: Any = run(*command["name"].split(), *typed, input=input, **options)
        scores = scored == "" or (scored and options.get(scored) is not None)
        return scores_of(text) if scores and options.get("format") != "text" else text

    made: Any = TRAINERS.get(name, other)
    given = inspect.signature(made)
    parameters = {**given.parameters, "progress": inspect.signature(run).parameters["progress"]}
    parameters.pop("options")
    if "debug" in options:  # unlike the program
        options["debug"].update(default=0, default_text="0")
    lines = [] if name in TRAINERS else [worded(command["summary"], {})]
    if scored is not None:
        ones = name in ("kg_eval", "metric_eval", "order_query", "sentence_test")
        lines += [f"Scores are from 0 to {1 if ones else '1, times 100'}.", ""]
    lines += [f"{inspect.getdoc(made)}", "", "Options:"]
    for row in options.values():
        option = row["name"].replace("-", "_") + "_" * keyword.iskeyword(row["name"])
        kind = {"integer": "int", "real": "float", "flag": "bool | int", "output_file": "Path",
                "choice": f"Literal{row.get('choices')}"}.get(row["kind"], "Any")
        parameters.setdefault(option, inspect.Parameter(
            option, inspect.Parameter.KEYWORD_ONLY, annotation=f"{kind} | None",
            default=None if row["defaults"] else row["default"]))  # which others may change
        default = f" (default: {row['default_text']})" * bool(row["default_text"])
        lines.append(textwrap.fill(f"{option}: " + worded(row["help"] + default, {}), 100,
                                   initial_indent=" " * 4, subsequent_indent=" " * 8))
    made.__doc__ = "\n".join(lines)
    made.__name__, made.__qualname__, made.__module__ = name, name, "acevec"
    returned = {None: given.return_annotation, "": "dict[str, Any]"}.get(scored, "Any")
    made.__signature__ = given.replace(parameters=[*parameters.values()],
                                       return_annotation=returned)
    return made


TRAINERS: dict[str, Any] = {one.__name__: one for one in (train, order, kg, sentence, metric)}
