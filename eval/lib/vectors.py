"""Read word vectors: word2vec text or binary, GloVe text (no header), each also gzipped.

The format is found from the content, never from the file's name. A word is any bytes without
space and newline, decoded as UTF-8 with U+FFFD for what is not.
"""

import gzip
import re
import zlib

import numpy as np

from lib.cli import UserError

BLOCK = 1 << 22  # bytes read at a time from a binary file
AGAIN = "write or download the file again"


@np.errstate(over="ignore", invalid="ignore")  # the check for finite values reports these
def load_vectors(path, wanted=None):
    """Read the vectors in the file at path; return (words, matrix).

    words: list of str in file order (the same word twice stays twice).
    matrix: float32 array, one row per word, one column per dimension; all finite.
    wanted: None for every word, otherwise an iterable of words: only vocabulary words that equal
        one of them after case folding are kept, and only those rows' numbers are looked at.

    Raises UserError when the file is empty, truncated, malformed or has a non-finite value in a
    kept row; OSError when it cannot be read.
    """
    folded = None if wanted is None else {word.casefold() for word in wanted}
    words, kept = [], bytearray()
    try:
        with _open(path) as stream:
            dim, to_bytes, rows = _rows(stream)
            for number, (raw, values) in enumerate(rows, 1):
                word = raw.decode("utf-8", "replace")
                if folded is None or word.casefold() in folded:
                    row = to_bytes(values)
                    if len(row) != 4 * dim:
                        raise _bad_row(number, raw, dim)
                    kept += row
                    words.append(word)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise UserError(f"{path}: truncated or damaged gzip data; {AGAIN}") from None
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    matrix = np.frombuffer(kept, "<f4").reshape(-1, dim)
    finite = np.isfinite(matrix.sum(axis=1, dtype=np.float64))  # without a matrix of booleans
    if not finite.all():
        word = words[int(np.argmin(finite))]
        raise UserError(f"{path}: word {word!r} has a value that is not finite (nan or inf); "
                        "train again, with a lower learning rate if it recurs")
    return words, matrix


def _open(path):
    """Open path for reading bytes, through gzip when it starts with gzip's magic number."""
    with open(path, "rb") as stream:
        if not stream.seekable():
            raise UserError("a pipe, which cannot be read twice; give a file")
        magic = stream.read(2)
    return gzip.open(path, "rb") if magic == b"\x1f\x8b" else open(path, "rb")


def _rows(stream):
    """Tell the format; return (dim, function from values to little-endian bytes, rows).

    rows yields (word, values), both bytes, and raises UserError at the first row that is not one.
    """
    line = stream.readline()
    if not line:
        raise UserError(f"empty file; {AGAIN}")
    header = re.fullmatch(rb"\s*(\d{1,18})\s+(\d{1,9})\s*", line)
    if not header:
        if not _is_text_row(line):
            raise UserError("not word vectors: the first line is neither `WORDS SIZE` nor a word "
                            "and its numbers; give a word2vec or GloVe file")
        stream.seek(0)
        dim = len(line.split(b" ", 1)[1].split())
        return dim, _parse, _text_rows(stream, None, dim)
    count, dim = int(header[1]), int(header[2])
    if not count or not dim:
        raise UserError(f"holds no vectors (its header is {count} {dim}); {AGAIN}")
    first_row = stream.tell()
    start = stream.read(BLOCK)
    stream.seek(first_row)
    # A line of just the right numbers is text: raw floats look like that only by a miracle. Plain
    # ASCII where there would be eight floats or more is text too, though malformed.
    raw = start.partition(b" ")[2][:4 * dim]
    if (_is_text_row(start.partition(b"\n")[0], dim)
            or dim >= 8 and not re.search(rb"[^\t\r\n -~]", raw)):
        return dim, _parse, _text_rows(stream, count, dim)
    return dim, bytes, _binary_rows(stream, count, dim)


def _is_text_row(line, dim=None):
    """Whether line is a word and numbers (dim of them, or any number of them but none)."""
    values = line.partition(b" ")[2]
    found = len(_parse(values)) // 4
    return found == dim if dim else found > 0


def _parse(values):
    """Turn decimal numbers into little-endian float32 bytes; b"" when one is not a number."""
    try:
        return np.array(values.split(), dtype="<f4").tobytes()
    except ValueError:
        return b""


def _bad_row(number, raw, dim):
    """The error for a text row (the number-th word, from 1) without just dim numbers."""
    word = raw.decode("utf-8", "replace")
    return UserError(f"word {number} {word!r} is not followed by {dim} numbers; {AGAIN}")


def _text_rows(stream, count, dim):
    """Yield (word, values) for each line; count is the header's number of words, or None."""
    number = 0
    for number, line in enumerate(stream, 1):
        if not line.strip() and not stream.read(1):
            number -= 1  # a blank last line
            break
        word, _, values = line.partition(b" ")
        if number - 1 == count:
            raise UserError(f"has more than the {count} words of its header; {AGAIN}")
        # Counting the blanks is quick; only a line that disagrees is split.
        if not word or values.strip().count(b" ") + 1 != dim and len(values.split()) != dim:
            raise _bad_row(number, word, dim)
        yield word, values
    if count is not None and number < count:
        raise UserError(f"truncated: {number} of {count} words; {AGAIN}")


def _binary_rows(stream, count, dim):
    """Yield (word, raw little-endian floats) for each of the count rows."""
    block, at = b"", 0
    for number in range(count):
        while True:
            if block[at:at + 1] == b"\n":  # the optional one that ends a row
                at += 1
            blank = block.find(b" ", at)
            end = blank + 1 + 4 * dim
            if blank >= 0 and end <= len(block):
                break
            more = stream.read(BLOCK)
            if not more:
                raise UserError(f"truncated: {number} of {count} words; {AGAIN}")
            block, at = block[at:] + more, 0
        if blank == at:
            raise UserError(f"word {number + 1} is empty; {AGAIN}")
        yield block[at:blank], block[blank + 1:end]
        at = end
    if (block[at:] + stream.read(BLOCK)).strip():
        raise UserError(f"has more than the {count} words of its header; {AGAIN}")
