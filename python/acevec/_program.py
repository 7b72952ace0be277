"""Runs the program: command lines from Python's values, text through a pipe, messages, errors, Ctrl-C."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from numbers import Number, Real
from typing import IO, Any, Union

import numpy as np

from acevec import program

Path = Union[str, "os.PathLike[str]"]
Rows = Iterable[Any]  # lines of text, or lists of tokens or columns
Progress = Callable[[float, str], Any]
OPENERS = {f"give it to the commands of acevec {command}": f"open it with acevec.{name}"
           for command, name in (("kg", "Graph"), ("sentence", "Sentences"), ("metric", "Encoder"))}
POINTS = ("train", "labels", "valid", "valid_labels", "test", "test_labels", "points")  # for which an array may stand


class Error(RuntimeError):
    """The program failed; the text is its line that says what happened and what to do."""

    __module__ = "acevec"


class Temporary(contextlib.AbstractContextManager["Temporary"]):
    """A folder in TMPDIR (/var/tmp), deleted with this object by the process that made it, not by its forks."""

    def __init__(self, files: Iterable[tuple[str, bytes]] = ()) -> None:
        self.folder = tempfile.mkdtemp(prefix="acevec-python-", dir=os.environ.get("TMPDIR", "/var/tmp"))
        self._delete = weakref.finalize(self, lambda path, owner: shutil.rmtree(
            path if os.getpid() == owner else os.devnull, ignore_errors=True), self.folder, os.getpid())
        for name, data in files:
            write_file(self.path(name), data)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Temporary, ([(one.name, one.read_bytes()) for one in pathlib.Path(self.folder).iterdir()],)

    def __exit__(self, *_: Any) -> None:
        self._delete()


def write_file(path: Path, data: Any) -> None:
    """Write bytes to a file, which has all of them or stays as it was."""
    with open(os.fspath(path) + ".part", "wb") as stream:
        stream.write(data)
    os.replace(stream.name, path)


def run(*words: Any, input: Rows | None = None, progress: Progress | None = None, **options: Any) -> str:
    """Run a command line, such as run("nn", "vectors.bin", "king"); return what it prints.

    words: strings, numbers, paths, or models, which stand for files.
    options: the command's, with underscores for dashes. None leaves one out; several values are joined by commas. A
        file to read can be an iterable of lines or lists, or an array. debug=1 prints messages to standard error.
    input: such an iterable, for standard input.
    progress: a function of the share of training that is done, 0 to 1, and a line of text.

    Raises ValueError for a wrong option or wrong rows, KeyError for an unknown name, FileNotFoundError, or Error. When
    Ctrl-C, an iterable or `progress` raises something, the program ends as by a signal, with its checkpoint saved.
    """
    kept = list(map(file_of, words))  # until the end, as their files are
    typed = list(map(plain, kept))
    task = typed[0] if typed else ""
    # What messages call Python's values.
    lines, names = None, {**OPENERS, **{os.fspath(word): "the model" for word in kept if is_temporary(word)}}
    if input is not None:
        lines, names["standard input"] = lines_of(input, "input", task), "input"
    with Temporary() as folder:
        for name, value in options.items():
            path, value = folder.path(name), file_of(value)
            kept.append(value)
            if task == "metric" and name in POINTS and is_many(value):
                array = np.ascontiguousarray(value)
                value = [[str(label)] for label in array]
                if array.dtype.kind in "fiu" and len(array):
                    np.save(path, array)
                    value, names[path + ".npy"] = path + ".npy", name
            if is_rows(value):
                more = lines_of(value, name, task)
                if lines is None:  # the first is read from standard input, others from files
                    lines, value, names["standard input"] = more, "-", name
                else:
                    value, names[path] = path, name
                    with open(path, "wb") as stream:
                        stream.writelines(more)
            if value is not None and (name != "debug" or value):
                typed.append(f"-{'top' if name == 'topn' else name.rstrip('_').replace('_', '-')}={plain(value)}")
            if is_temporary(value):
                names[os.fspath(value)] = name
        try:
            output = tempfile.TemporaryFile()
            process = Process([program(), *typed], output, progress, names if options.get("debug") else None)
        except OSError as problem:
            raise Error(f"cannot run {program()}: {problem.strerror}") from None
        with output:
            process.feed(lines)
            if process.child.returncode:
                raise failure(process.child.returncode, process.reasons, names)
            if progress:
                progress(1.0, "done")
            output.seek(0)
            return output.read().decode(errors="surrogateescape")


def failure(code: int, reasons: list[str], names: dict[str, str]) -> Exception:
    """Return the exception for an exit code and the program's reasons, in the words of Python."""
    if not reasons:
        return Error(f"acevec was ended by {signal.Signals(-code).name}" if code < 0 else f"acevec ended with {code}")
    for unknown in (reason for reason in reasons if re.match("no (vector for|entity|relation) ", reason)):
        return KeyError(worded(unknown, names))
    reason = reasons[-1]
    kind: Any = FileNotFoundError if re.match("cannot read .*: No such file", reason) else Error
    ours = code == 2 or "holds no" in reason or any(theirs in reason for theirs, name in names.items() if name != "the model")
    return (ValueError if ours else kind)(worded(reason, names))


@functools.lru_cache(maxsize=None)
def table() -> dict[str, Any]:
    """Return what the program says of its commands, by the names of their functions."""
    commands = json.loads(run("--options", "json"))["commands"]
    return {command["name"].replace(" ", "_") or "train": command for command in commands}


def worded(text: str, names: dict[str, str]) -> str:
    """Return a message in Python's words: by `names`, without temporary files, and min_count=5 for -min-count 5."""
    for theirs, ours in names.items():
        text = text.replace(theirs, ours)
    text = re.sub(r"(\S*)/acevec-python-\w{8}/\w+([.-]\w+)*", r"a file in \1", text)
    choices = {(row["name"], choice) for one in table().values() for row in one["options"]
               for choice in row.get("choices", ())}

    def argument(found: re.Match[str]) -> str:
        name, blank, value = found.groups("")
        if (name, value) in choices:
            blank, value = "", f'"{value}"'
        return f"{name.replace('-', '_')}={'' if re.match('[0-9]|[A-Z]+$|.*[.]', value) else blank}{value}"
    return re.sub(r'(?<![\w"/.-])(?<!acevec )-([a-z][a-z0-9-]*)\b(?:( )(\w[\w.+-]*\b))?', argument, text)


def is_temporary(value: Any) -> bool:
    return isinstance(value, os.PathLike) and getattr(value, "_folder", None) is not None


def file_of(value: Any) -> Any:
    """Return gensim's KeyedVectors, or a model that has them, as Vectors, which stand for a file."""
    vectors: Any = None if isinstance(value, os.PathLike) else getattr(value, "wv", value)
    if not hasattr(vectors, "index_to_key"):
        return value
    from acevec._models import Vectors
    return Vectors(vectors.index_to_key, vectors.vectors)


def plain(value: Any) -> str:
    """Return a value as it is typed."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(plain, value))
    if not isinstance(value, (str, Number, os.PathLike)):
        raise ValueError(f"{value!r} is neither a path nor another string, a number, a model or an iterable"
                         + "; call it" * callable(value))
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        return os.path.join(".", path) if path.startswith("-") else path  # which is no option, nor standard output
    return str(int(value) if isinstance(value, bool) else value)


def is_many(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, os.PathLike))


def is_rows(value: Any) -> bool:
    """Tell whether an option's value is lines or lists: not one plain value, nor several in a list."""
    if not is_many(value):
        return isinstance(value, str) and "\n" in value
    plain_list = isinstance(value, (list, tuple)) and value
    return not plain_list or any(is_many(one) or isinstance(one, str) and one.split() != [one] for one in value)


def filled(rows: Any, name: str) -> Iterator[Any]:
    """Return the lines of a text, or the rows of a table of pandas or another iterable, of which there must be one."""
    rows = rows.itertuples(index=False) if hasattr(rows, "itertuples") else rows
    rows = iter(rows.splitlines() if isinstance(rows, str) else rows)
    for first in rows:
        return itertools.chain([first], rows)
    raise ValueError(f"{name} is empty; give at least one line")


def lines_of(rows: Any, name: str, task: str) -> Iterator[bytes]:
    """Yield rows as lines, many at once, with tabs between the items of a list, which have no white space inside."""
    divides = "\v\f\r\0" + " " * (task in ("", "next"))

    def line(row: Any) -> str:
        if isinstance(row, bytes) or not isinstance(row, Iterable):
            raise ValueError(f"{row!r} is neither a line of text nor a list")
        if isinstance(row, str):
            return row.rstrip("\r\n")
        items = list(map(text_of, row))
        if task == "sentence":  # in texts any white space counts as one blank
            items = [" ".join(item.split()) for item in items]
        for bad in (item for item in items if any(blank in item for blank in divides + "\t\n")):
            raise ValueError(f"{bad!r} in {name} has white space inside, which would divide it; replace it, as by _")
        return "\t".join(items)

    rows = filled(rows, name)
    while some := list(itertools.islice(rows, 200)):
        text = ""
        if task != "sentence" and {*map(type, some)} <= {list, tuple}:  # in most texts all is well, and seen at once
            with contextlib.suppress(TypeError):  # of numbers
                text = "\n".join(map("\t".join, some))
            if (any(map(text.count, divides)) or text.count("\n") != len(some) - 1
                    or text.count("\t") != sum(map(len, some)) - sum(map(bool, some))):
                text = ""
        yield (text or "\n".join(map(line, some))).encode(errors="surrogatepass") + b"\n"


def text_of(item: Any) -> str:
    """Return a token, a name or a number as text."""
    if isinstance(item, str) or (isinstance(item, Real) and item == item):
        return str(item)
    raise ValueError(f"{item!r} is neither a string nor a number")


class Process:
    """The program under way. This thread feeds it, and passes on the messages that another thread reads."""

    def __init__(self, words: list[str], output: IO[bytes], progress: Progress | None,
                 names: dict[str, str] | None) -> None:
        self.progress, self.names, self.share = progress, names, 0.0  # with names it prints messages
        self.reasons: list[str] = []  # what it says of a failure; the last is why it ended
        self.messages: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.ended = False  # whether "", which is the last message, has been taken
        # To a terminal the program writes its progress all the time.
        reader, end = os.openpty() if progress else os.pipe()
        said = open(reader, encoding="utf-8", errors="replace", newline="")
        # Here the program asks for its standard input, and gets a byte when all has been written. If Python is
        # killed, it cannot take a part of the text for all of it.
        self.input, asks = socket.socketpair()
        # The program inherits that SIGINT waits: Ctrl-C is Python's, which ends the program once.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            environment = {**os.environ, "TERM": "xterm", "COLUMNS": "1000", "ACEVEC_INPUT_END": str(asks.fileno())}
            self.child: Any = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=output, stderr=end, env=environment,
                                               pass_fds=[asks.fileno()])
            threading.Thread(target=self.listen, args=[said], daemon=True).start()
        finally:
            os.close(end)
            asks.close()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def listen(self, said: IO[str]) -> None:
        with contextlib.suppress(OSError), said:  # so ends what is written to a terminal
            for line in said:
                self.messages.put(line)
        self.messages.put("")

    def feed(self, lines: Iterator[bytes] | None) -> None:
        """Write the lines to standard input, if the program comes to read it, and pass on messages until it ends."""
        try:
            with contextlib.suppress(BrokenPipeError):  # it has ended already, and says why
                for text in lines if lines and self.input.recv(1) else ():
                    self.child.stdin.write(text)
                    self.child.stdin.flush()
                    while not self.messages.empty():
                        self.take(self.messages.get())
                self.input.send(b".")
            self.finish()
        except BaseException:  # the program ends as by a signal, and may save a checkpoint
            self.progress = None  # not called again
            self.child.terminate()
            try:
                self.finish()
            finally:
                self.child.kill()  # if another Ctrl-C does not let it
                self.child.wait()
                for reason in self.reasons:
                    if " -resume " in reason and sys.stderr:
                        print("acevec:", reason, file=sys.stderr, flush=True)
            raise

    def finish(self) -> None:
        """Pass on messages until the program ends."""
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.close()
        self.input.close()
        while not self.ended:
            self.take(self.messages.get())
        self.child.wait()

    def take(self, line: str) -> None:
        self.ended = not line
        text = line.strip("\r\n").removeprefix("\x1b[K")
        if text.startswith("acevec: "):
            self.reasons.append(text[len("acevec: "):])
        elif line.endswith("\n") and self.names is not None and sys.stderr:
            print(worded(text, self.names), file=sys.stderr, flush=True)
        elif text and self.progress and not line.endswith("\n"):
            done = re.match(r"training +([\d.]+)%", text)
            self.share = float(done[1]) / 100 if done else self.share
            self.progress(self.share, text)
