"""The models that the program trains, and a function for each of its commands, with the options of its table."""

from __future__ import annotations

import functools
import inspect
import json
import keyword
import os
import pathlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from acevec._program import Error, Path, Progress, Rows, Temporary, command, filled, is_many, run, table  # noqa: F401
from acevec._program import text_of, write_file
from acevec._vectors import Trained, Vectors, load, missing, read_record, scores_of, words_of


class Model(Trained):
    """A model in a file, for which it stands wherever the program reads one. owned: the folder, if it goes too."""

    def __init__(self, path: Path, owned: Temporary | None = None) -> None:
        self._path, self._owned, self.info = os.path.abspath(path), owned, read_record(os.fspath(path))
        os.stat(path)  # FileNotFoundError

    def __fspath__(self) -> str:
        return self._owned.path("model") if self._owned else self._path

    path = property(__fspath__)

    def __repr__(self) -> str:
        return f"acevec.{type(self).__name__}({self.path!r})"

    def save(self, path: Path) -> None:
        """Copy the model and its record."""
        write_file(path, pathlib.Path(self.path).read_bytes())
        if self.info:
            write_file(os.fspath(path) + ".json", json.dumps(self.info, indent=2).encode())

    def _encoded(self, name: str, options: dict[str, Any], rows: Rows | None = None) -> np.ndarray:
        with Temporary() as folder:
            command([name, "encode", self], {**options, "output": folder.path("v.npy")}, rows)
            return np.asarray(np.load(folder.path("v.npy")))


class Graph(Model):
    """A knowledge graph: acevec.kg trains one, acevec.Graph("kg.bin") opens a file. len and `in` are of its entities."""

    @functools.cached_property
    def _names(self) -> tuple[list[str], list[str]]:
        with Temporary() as folder:
            files = [folder.path(name) for name in ("entities", "relations")]
            command(["kg", "export", self], {f"output_{os.path.basename(file)}": file + ".npy" for file in files})
            entities, relations = (words_of(file + ".words") for file in files)
        half = relations[:len(relations) // 2]  # with their inverses behind them
        return entities, half if relations[len(half):] == [f"{name}_reverse" for name in half] else relations

    entities = property(lambda self: self._names[0])
    relations = property(lambda self: self._names[1])

    def __len__(self) -> int:
        return len(self.entities)

    def __contains__(self, name: Any) -> bool:
        return name in self.entities

    def predict(self, *question: Any, **options: Any) -> list[Any]:
        """Return [(name, distance), ...] for the "?" of a triple, the nearest and likeliest first.

        predict("oslo", "capital_of", "?"), or predict([triple, ...]), which returns a list for each, empty if a
        name is not known. options: of `acevec kg predict`, such as top=3. KeyError: no name is known.
        """
        given = list(filled(question[0] if len(question) == 1 else question, "input"))
        one = not all(map(is_many, given))
        asked = [tuple(map(text_of, triple)) for triple in ([given] if one else given)]
        for bad in (triple for triple in asked if len(triple) != 3 or triple.count("?") != 1):
            raise ValueError(f"{bad} is not a question; give head, relation and tail, with \"?\" in place of one of them")
        text = command(["kg", "predict", self], {**options, "format": "tsv"}, asked)
        rows = [line.split("\t") for line in text.split("\n")[-2::-1]]  # the last one first
        found: list[Any] = []
        for triple in asked:  # answered in their order
            found.append([])
            while rows and int(rows[-1][3]) > len(found[-1]) and all(a in ("?", b) for a, b in zip(triple, rows[-1])):
                row = rows.pop()
                found[-1].append((row[triple.index("?")], float(row[4])))
        return found[0] if one else found

    def evaluate(self, triples: Path | Iterable[Sequence[Any]], **options: Any) -> dict[str, dict[str, float]]:
        """Return {"raw": {"MRR": ..., ...}, "filtered": ...}, how true triples, in a file or a list, rank.

        options: of `acevec kg eval`, such as valid=triples.
        """
        return scores_of(command(["kg", "eval", self], {"test": triples, **options}))


class Sentences(Model):
    """A model of sentences: acevec.sentence trains one, acevec.Sentences("s.model") opens a file.

    A text is a string. For one text, methods return one result, and for a list or another iterable one for each.
    """

    def encode(self, texts: str | Iterable[str], normalize_embeddings: bool = False, **options: Any) -> np.ndarray:
        """Return the vector of a text, of shape (size,), or a row for each of several; zeros without a known word.

        normalize_embeddings: scale vectors to length 1.
        """
        rows = self._encoded("sentence", options, listed(texts))
        if normalize_embeddings:
            rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
        return rows[0] if isinstance(texts, str) else rows

    def predict(self, texts: str | Iterable[str], top: int = 1, **options: Any) -> list[Any]:
        """Return [(label, probability), ...], the `top` likeliest labels of a text, as acevec.sentence got them."""
        options = {"top": top, "probabilities": True, **options}
        lines = command(["sentence", "predict", self, "-"], options, listed(texts)).split("\n")[:-1]
        names = self.info.get("label_names", {})
        found: list[Any] = [[(names.get(label, label.removeprefix(PREFIX)), float(share))
                             for label, share in zip(words[::2], words[1::2])] for words in map(str.split, lines)]
        return found[0] if isinstance(texts, str) else found

    def similarity(self, ones: str | Iterable[str], others: str | Iterable[str]) -> Any:
        """Return the cosine of two texts, or those of each of several with each of others."""
        return self.encode(ones, True) @ self.encode(others, True).T

    def search(self, queries: str | Iterable[str], texts: Iterable[str] | Vectors, top: int = 10, *,
               topn: int | None = None) -> list[Any]:
        """Return [(text, cosine), ...], the `top` nearest texts to a query. texts: strings, or their `index`."""
        index = texts if isinstance(texts, Vectors) else self.index(texts)
        found = [index.most_similar(row, topn=top, top=topn) for row in np.atleast_2d(self.encode(queries))]
        return found[0] if isinstance(queries, str) else found

    def index(self, texts: Iterable[str]) -> Vectors:
        """Return the different texts with their vectors."""
        different = list(dict.fromkeys(text.rstrip("\r\n") for text in texts))
        return Vectors(different, self.encode(different))

    def evaluate(self, pairs: Path | Iterable[Sequence[Any]]) -> dict[str, dict[str, float]]:
        """Return {set: {"Pearson": ..., "Spearman": ...}}, x 100. pairs: a file, or a list of (text, text, score)."""
        return scores_of(command(["sentence", "similarity", self], {"set": pairs}))


PREFIX = "__label__"


def listed(texts: str | Iterable[Any]) -> list[Any]:
    """Return a list for each text, or as it is for tokens."""
    return [[text] if isinstance(text, str) else text for text in ([texts] if isinstance(texts, str) else texts)]


class Encoder(Model):
    """An encoder of points: acevec.metric trains one, acevec.Encoder("m.model") opens a file."""

    def encode(self, points: Any, **options: Any) -> np.ndarray:
        """Return the vectors of points, an array or a file, a row each. options: of `acevec metric encode`."""
        return self._encoded("metric", {"points": points, **options})


def train(corpus: Any = None, output: Path | None = None, *, progress: Progress | None = None, **options: Any) -> Vectors:
    """Train word vectors, and return them.

    corpus: a path, a list of paths, or any other iterable of sentences: lists of tokens, or lines of text, which
        have white space inside. It is read once, in a stream.
    output: a path, whose ending decides the format. Without it the vectors are only in the result, with counts,
        with n-grams for unseen words if maxn= is given, and with contexts if preset="items". resume= needs it.
    progress: a function of the share of training that is done, 0 to 1, and a line of text.
    options: those below, with underscores for dashes. acevec.run says more, and what is raised.
    """
    folder, given = Temporary(), {name: value for name, value in options.items() if value is not None}
    if output is None:
        given.setdefault("save_vocab", folder.path("vocab"))
        if given.get("maxn"):
            given.setdefault("output_model", folder.path("vectors.ft"))
    path, _kept = trained([], "vectors.npy", output, {"train": corpus, **given}, progress)
    model = load(given.get("output_model", path), vocab=given.get("save_vocab"))
    model.info = read_record(path)
    if "output_context" in given:
        model.context = load(given["output_context"])
    return model


def order(pairs: Any = None, output: Path | None = None, *, progress: Progress | None = None, **options: Any) -> Vectors:
    """Train vectors of a hierarchy, and return them, with Vectors.query.

    pairs: a path, or an iterable of pairs of a specific and a general concept. The rest is as for acevec.train.
    """
    path, _kept = trained(["order"], "vectors.npy", output, {"train": pairs, **options}, progress)
    return load(path)


def kg(triples: Any = None, output: Path | None = None, *, progress: Progress | None = None, **options: Any) -> Graph:
    """Train a model of a knowledge graph, and return it; without `output` its file is deleted with the result.

    triples: a path, or an iterable of (head, relation, tail); valid= and test= likewise.
    """
    return Graph(*trained(["kg"], "model", output, {"train": triples, **options}, progress))


def sentence(corpus: Any = None, output: Path | None = None, *, labels: Any = None, progress: Progress | None = None,
             **options: Any) -> Sentences:
    """Make a model of sentences, and return it; without `output` its file is deleted with the result.

    corpus: as for acevec.train; or pairs=, an iterable of pairs of texts. init= is word vectors, or their file.
    labels: a label for each text of the corpus, or an iterable of pairs of a label and a text, or a file, whose
        labels begin with __label__.
    """
    names: dict[str, Any] = {}
    if is_many(labels):
        labels = list(filled(labels, "labels"))
        if corpus is not None:
            corpus, texts = None, list(corpus)
            if len(texts) != len(labels):
                raise ValueError(f"there are {len(texts)} texts, but {len(labels)} labels; give one for each text")
            labels = list(zip(labels, texts))
        if not any(isinstance(row, str) for row in labels):
            if len({text for _, text in labels}) < len({label for label, _ in labels}):
                labels = [(label, text) for text, label in labels]  # as there are fewer labels than texts
            known = {label: PREFIX + "_".join(text_of(label).removeprefix(PREFIX).split()) for label, _ in labels}
            names = {name: getattr(label, "item", lambda: label)() for label, name in known.items()}
            labels = [(known[label], text) for label, text in labels]
    options = {"train": corpus, "labels": labels, **options}
    model = Sentences(*trained(["sentence"], "model", output, options, progress))
    if names:
        model.info["label_names"] = names
        write_file(model.path + ".json", json.dumps(model.info, indent=2).encode())
    return model


def metric(points: Any = None, labels: Any = None, output: Path | None = None, *, progress: Progress | None = None,
           **options: Any) -> Encoder:
    """Train an encoder of labelled points, and return it; without `output` its file is deleted with the result.

    points, labels: paths, or arrays of a point in each row, and of its label, an integer or a string.
    """
    options = {"train": points, "labels": labels, **options}
    return Encoder(*trained(["metric"], "model", output, options, progress))


def trained(words: list[str], name: str, output: Path | None, options: dict[str, Any], progress: Progress | None
            ) -> tuple[str, Temporary | None]:
    """Run a training; return the path of its result, and the folder that it is in if there is no `output`."""
    if output == "-" or (output is None and options.get("resume")):
        raise ValueError("output has to be the file of the result, to read it back; resume= needs it too")
    if output is not None and not isinstance(output, (str, os.PathLike)):
        raise ValueError(f"output has to be a path, not {output!r}; options have names, as in size=100")
    folder = Temporary() if output is None else None
    path = folder.path(name) if folder else os.fspath(output or "")
    command(words, {**options, "output": path}, progress=progress)
    return path, folder


@functools.lru_cache(maxsize=None)
def function(name: str) -> Callable[..., Any]:
    """Return the function of a command, with its options in its signature and in its help."""
    if name not in table():
        raise missing("acevec", name)
    words = table()[name]["name"].split()

    def other(*arguments: Any, input: Rows | None = None, progress: Progress | None = None, **options: Any) -> str:
        """Run a command as acevec.run does, with the options below; return what it prints."""
        return command([*words, *arguments], options, input, progress)

    made: Any = TRAINERS.get(name, other)
    signature = inspect.signature(made)
    parameters = {key: one for key, one in signature.parameters.items() if one.kind != one.VAR_KEYWORD}
    for row in table()[name]["options"]:
        option = row["name"].replace("-", "_") + "_" * keyword.iskeyword(row["name"])
        parameters.setdefault(option, inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=row["default"]))
    made.__doc__ = f"{inspect.getdoc(made)}\n\n{command([*words, '--help'], {})}"
    made.__name__ = made.__qualname__ = name
    made.__module__ = "acevec"
    made.__signature__ = signature.replace(parameters=list(parameters.values()))
    return made


TRAINERS: dict[str, Any] = {"train": train, "order": order, "kg": kg, "sentence": sentence, "metric": metric}
