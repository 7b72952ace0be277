"""A model of fastText's format, whose n-grams compose the vectors of words that are not in it."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import Any

import numpy as np

MAGIC = (793712314).to_bytes(4, "little")


class Subwords:
    """The rows of n-grams, and how often each word is in the text.

    data: the bytes of a file of version 11 or 12, not quantized, which the program has checked.
    """

    def __init__(self, data: mmap.mmap | bytes) -> None:
        self.data = data
        version, size, task, self.buckets, self.shortest, self.longest, entries, words = (
            int(np.frombuffer(data, "<i4", 1, 4 * i)[0]) for i in (1, 2, 9, 10, 11, 12, 16, 17))
        if version == 11 and task == 3:  # classifiers of that version have no n-grams of characters
            self.longest = 0
        counts, place = [], 92
        for _ in range(entries):  # words, then labels: the bytes, a 0, the count, the kind
            place = data.find(b"\0", place) + 10
            counts.append(data[place - 9:place - 1])
        self.counts = np.frombuffer(b"".join(counts[:words]), "<i8")
        # A byte and two sizes, the rows of words, then those of n-grams.
        self.rows = np.frombuffer(data, "<f4", self.buckets * size, place + 17 + 4 * words * size).reshape(-1, size)

    def __reduce__(self) -> tuple[Any, ...]:
        return Subwords, (bytes(self.data),)

    def compose(self, word: str) -> np.ndarray | None:
        """Return the mean of the rows of a word's n-grams, float32; None if there are none, or only zeros."""
        rows = [hashed(ngram) % self.buckets for ngram in self.ngrams(word)] if " " not in word else []
        vector = self.rows[rows].mean(0, np.float64).astype(np.float32) if rows else np.zeros(1, np.float32)
        return vector if vector.any() else None

    def ngrams(self, word: str) -> Iterator[str]:
        """Yield the substrings of <word> of the allowed lengths, without the marks by themselves."""
        marked = f"<{word}>"
        for begin in range(len(marked)):
            for end in range(begin + max(self.shortest, 1), min(begin + self.longest, len(marked)) + 1):
                if end - begin > 1 or 0 < begin < len(marked) - 1:
                    yield marked[begin:end]


def hashed(ngram: str) -> int:
    """Return FNV-1a, to which fastText adds bytes as signed numbers."""
    value = 2166136261
    for byte in ngram.encode(errors="surrogatepass"):
        value = (value ^ (byte | 0xffffff00 if byte > 127 else byte)) * 16777619 & 0xffffffff
    return value
