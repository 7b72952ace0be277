"""Words and their vectors, in an array that is mapped to memory."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from functools import cached_property
from typing import Any, Callable

import numpy as np

from acevec._process import Path, call, typed_options


def load(path: Path, **options: Any) -> Vectors:
    """Return the vectors of a file, in any format that the program reads.

    options: of `acevec convert`, such as top=100000, the number of rows to read.
    An array (v.npy, with v.words) is mapped to memory. Others are converted to one in TMPDIR (/var/tmp),
    and so is one that has a word twice: the first row counts, and a note on standard error says so.
    """
    with open(path, "rb") as stream:
        if not options and stream.read(6) == b"\x93NUMPY":
            vectors = Vectors(path)
            if len(vectors._rows) == len(vectors):
                return vectors
    array = TemporaryArray()
    call(["convert", *typed_options(options)[0], "--", os.fspath(path), array.path], quiet=True)
    return Vectors(array.path, array)


class TemporaryArray:
    """The path of an array that is deleted with this object."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="acevec-", dir=os.environ.get("TMPDIR", "/var/tmp"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = os.path.join(folder, "vectors.npy")


class Vectors:
    """Words and their vectors.

    words: in the order of the file; acevec writes the most frequent first.
    matrix: of shape (words, size), float32 unless the file has others; row i is the vector of words[i].
    """

    def __init__(self, path: Path, owned: TemporaryArray | None = None) -> None:
        self._path, self._owned = os.fspath(path), owned
        self.matrix: np.ndarray = np.load(path, mmap_mode="r")
        with open(os.path.splitext(path)[0] + ".words", encoding="utf-8", newline="\n") as stream:
            self.words: list[str] = stream.read().removesuffix("\n").split("\n")
        if self.matrix.ndim != 2 or len(self.matrix) != len(self.words):
            raise ValueError(f"{path} has the shape {self.matrix.shape} for {len(self.words)} words")

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def _lengths(self) -> np.ndarray:
        lengths = np.sqrt(self._of_rows(lambda rows: np.einsum("ij,ij->i", rows, rows)))
        return np.where(lengths > 0, lengths, 1)

    def _of_rows(self, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        parts = [self.matrix[i:i + 50000] for i in range(0, len(self), 50000)]
        return np.concatenate([function(part.astype(np.float32, copy=False)) for part in parts])

    def _unit(self, word: str) -> np.ndarray:
        return self[word].astype(np.float32) / self._lengths[self._rows[word]]

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def __getitem__(self, word: str | list[str]) -> np.ndarray:
        """Return the vector of a word, of shape (size,), or of a list of words, a row each."""
        return self.matrix[self._rows[word] if isinstance(word, str) else [self._rows[one] for one in word]]

    def nearest(self, words: str | list[str], top: int = 10) -> list[tuple[str, float]]:
        """Return the `top` nearest words and their cosines, the largest first.

        words: a word, or several, whose sum counts: ["king", "-man", "woman"]. Before it, the vectors are
            scaled to length 1. A word of the file that begins with a minus is that word.
        """
        query, asked = np.zeros(self.matrix.shape[1], np.float32), []
        for word in [words] if isinstance(words, str) else words:
            minus = word.startswith("-") and word not in self
            query += self._unit(word[minus:]) * (-1 if minus else 1)
            asked.append(self._rows[word[minus:]])
        cosines = self._of_rows(lambda rows: rows @ query) / self._lengths / (np.linalg.norm(query) or 1)
        cosines[asked] = -np.inf
        top = min(top, len(self) - len(set(asked)))
        best = np.argpartition(-cosines, top - 1)[:top]
        return [(self.words[i], float(cosines[i])) for i in best[np.lexsort((best, -cosines[best]))]]

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine of two words."""
        return float(self._unit(one) @ self._unit(other))

    def evaluate(self, path: Path) -> dict[str, dict[str, float]]:
        """Return the scores on a file of word pairs with human scores, or of analogy questions.

        They are the table of `acevec similarity -set` or `acevec analogy`, {row: {column: number}}, such as
        {"ws353": {"rho_all": 61.2, ...}}: Spearman's rho x 100. docs/vectors.md has the columns.
        """
        with open(path, "rb") as stream:
            analogies = stream.read(1) == b":"
        words = ["analogy", self._path, str(path)] if analogies else ["similarity", self._path, f"-set={path}"]
        columns, *rows = [line.split("\t") for line in call([*words, "-format=tsv"]).splitlines()]
        return {row[0]: dict(zip(columns[1:], map(float, row[1:]))) for row in rows}

    def save(self, path: Path, **options: Any) -> None:
        """Write the vectors to a file, as `acevec convert` does: the ending decides the format."""
        call(["convert", *typed_options(options)[0], "--", self._path, os.fspath(path)], quiet=True)

    def to_gensim(self) -> Any:
        """Return the vectors as gensim's KeyedVectors."""
        from gensim.models import KeyedVectors
        vectors = KeyedVectors(self.matrix.shape[1])
        vectors.add_vectors(self.words, np.asarray(self.matrix, np.float32))
        return vectors
