"""Models in files of the program: knowledge graphs, sentences, labelled points."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from acevec._arguments import Temporary, command, write_file
from acevec._process import Path, text_of
from acevec._vectors import Trained, Vectors, read_record, scores_of


class Model(Trained):
    """A model in a file, for which it stands wherever the program reads one. owned: the folder, if it goes too."""

    def __init__(self, path: Path, owned: Temporary | None = None) -> None:
        self.path, self._owned, self.info = os.path.abspath(path), owned, read_record(os.fspath(path))
        os.stat(path)  # FileNotFoundError

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"acevec.{type(self).__name__}({self.path!r})"

    def save(self, path: Path) -> None:
        """Copy the model and its record."""
        with open(self.path, "rb") as stream:
            write_file(path, stream.read())
        if self.info:
            write_file(os.fspath(path) + ".json", json.dumps(self.info, indent=2).encode())

    def __getstate__(self) -> dict[str, Any]:
        with open(self.path, "rb") as stream:  # what is deleted is taken along
            return {**self.__dict__, "_owned": stream.read() if self._owned else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state["_owned"]:
            self._owned = Temporary()
            self.path = self._owned.path("model")
            write_file(self.path, state["_owned"])

    def _encoded(self, name: str, options: dict[str, Any], rows: Iterable[str] | None = None) -> np.ndarray:
        with Temporary() as folder:
            array = folder.path("vectors.npy")
            command([name, "encode", self], {**options, "output": array}, rows, quiet=True)
            return np.asarray(np.load(array))


class Graph(Model):
    """A knowledge graph: acevec.kg trains one, acevec.Graph("kg.bin") opens a file."""

    def predict(self, *question: Any, **options: Any) -> list[Any]:
        """Return [(name, distance), ...] for the "?" of a triple, the nearest and likeliest first.

        predict("oslo", "capital_of", "?"), or predict([triple, ...]), which returns a list for each, empty if a
        name is not known. options: of `acevec kg predict`, such as top=3.
        """
        asked = [tuple(map(text_of, triple)) for triple in (question[0] if len(question) == 1 else [question])]
        text = command(["kg", "predict", self], {**options, "format": "tsv"}, asked)
        rows = [line.split("\t") for line in text.split("\n")[-2::-1]]  # the last one first
        found: list[Any] = []
        for triple in asked:  # answered in their order
            found.append([])
            while rows and int(rows[-1][3]) == len(found[-1]) + 1 and all(a in ("?", b) for a, b in zip(triple, rows[-1])):
                row = rows.pop()
                found[-1].append((row[triple.index("?")], float(row[4])))
        return found if len(question) == 1 else found[0]


class Sentences(Model):
    """A model of sentences: acevec.sentence trains one, acevec.Sentences("s.model") opens a file."""

    def encode(self, texts: str | Iterable[str], **options: Any) -> np.ndarray:
        """Return the vector of a text, of shape (size,), or of several, a row each; zeros without a known word."""
        lines = [" ".join(text.split()) for text in ([texts] if isinstance(texts, str) else texts)]
        return self._encoded("sentence", options, lines)[0 if isinstance(texts, str) else slice(None)]

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine of two texts."""
        pair = self.encode([one, other])
        return float(pair[0] @ pair[1] / (np.linalg.norm(pair[0]) * np.linalg.norm(pair[1]) or 1))

    def search(self, query: str, texts: Iterable[str] | Vectors, top: int = 10) -> list[tuple[str, float]]:
        """Return the `top` nearest texts and their cosines. texts: strings, or their `index`, made once."""
        index = texts if isinstance(texts, Vectors) else self.index(texts)
        return index.most_similar(self.encode(query), topn=top)

    def index(self, texts: Iterable[str]) -> Vectors:
        """Return the different texts with their vectors."""
        different = list(dict.fromkeys(text.rstrip("\r\n") for text in texts))
        return Vectors(different, self.encode(different))

    def evaluate(self, pairs: Path | Iterable[Sequence[Any]]) -> dict[str, dict[str, float]]:
        """Return {set: {"Pearson": ..., "Spearman": ...}}, x 100. pairs: a file, or a list of (text, text, score)."""
        return scores_of(command(["sentence", "similarity", self], {"set": pairs}))


class Encoder(Model):
    """An encoder of points: acevec.metric trains one, acevec.Encoder("m.model") opens a file."""

    def encode(self, points: Any, **options: Any) -> np.ndarray:
        """Return the vectors of points, an array or a file, a row each. options: of `acevec metric encode`."""
        return self._encoded("metric", {"points": points, **options})
