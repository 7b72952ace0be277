"""Runs the program: options from Python's values, text through a pipe, messages, errors, Ctrl-C."""

from __future__ import annotations

import itertools
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Union

from acevec import program

Path = Union[str, "os.PathLike[str]"]
Rows = Iterable[Union[str, Iterable[str]]]  # lines of text, or lists of tokens or columns
Progress = Callable[[float, str], Any]
SPACE = b"\t\n\v\f\r\0"  # white space for the program, beside the blank


class Error(RuntimeError):
    """The program failed; the text is its line that says what happened and what to do."""


def run(*words: Any, input: Rows | None = None, progress: Progress | None = None, **options: Any) -> str:
    """Run a command line, such as run("nn", "vectors.bin", "king", to=3); return what it prints.

    options: the command's, with underscores for dashes. None leaves one out; several values are joined by
        commas. One that is a file to read can be an iterable of lines, or of lists of columns.
    input: such an iterable, for standard input.
    progress: a function of the share of training that is done, 0 to 1, and a line of text. Without it,
        progress goes to standard error, as messages do.

    Raises ValueError for a wrong command line, and Error when the program fails. When Ctrl-C, an iterable
    or `progress` raises something, the program ends as by a signal, with its checkpoint saved.
    """
    typed, rows = typed_options(options, input)
    return call([*map(str, words), *typed], rows, progress)


def typed_options(options: dict[str, Any], rows: Rows | None = None) -> tuple[list[str], Rows | None]:
    """Return options as they are typed, and the rows for standard input, of one of them or as given."""
    typed = []
    for name, value in options.items():
        if isinstance(value, (list, tuple)) and not any(map(is_many, value)):
            value = ",".join(map(str, value))
        if is_many(value):
            if rows is not None:
                raise ValueError(f"{name} and another input are both iterables; write one to a file")
            rows, value = value, "-"
        if value is not None:
            value = int(value) if isinstance(value, bool) else value
            typed.append(f"-{name.rstrip('_').replace('_', '-')}={value}")
    return typed, rows


def is_many(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, str)


def call(words: list[str], rows: Rows | None = None, progress: Progress | None = None,
         space: bytes = SPACE, quiet: bool = False) -> str:
    """Do what run does. space: what no item of a list may have inside. quiet: print no messages but notes."""
    with tempfile.TemporaryFile() as output:
        process = Process(progress, quiet)
        try:
            process.start([program(), *words], output)
            process.serve(lines_of(() if rows is None else rows, space))
        except BaseException:
            process.end()
            raise
        code = process.child.wait()
        reason = process.held.partition(": ")[2]
        if code == 2:
            raise ValueError(reason)
        if code != 0:
            raise Error(reason or f"acevec was ended by {signal.Signals(-code).name}")
        process.say()
        if progress:
            progress(1.0, "done")
        output.seek(0)
        return output.read().decode(errors="surrogateescape")


def lines_of(rows: Rows, space: bytes) -> Iterator[bytes]:
    """Yield rows as lines, with tabs between the items of a list."""
    for row in rows:
        items = None if isinstance(row, str) else list(row)
        text = row.rstrip("\r\n") if items is None else "\t".join(items)
        line = text.encode(errors="surrogatepass")
        if items and len(line) - len(line.translate(None, space)) >= len(items):
            bad = next(item for item in items if set(item.encode(errors="surrogatepass")) & set(space))
            raise ValueError(f"{bad!r} has white space inside, which would divide it; replace it, as by _")
        yield line + b"\n"


class Process:
    """The program under way. This thread alone feeds it and passes on what it writes to standard error."""

    def __init__(self, progress: Progress | None, quiet: bool) -> None:
        self.progress, self.quiet, self.share, self.rest = progress, quiet, 0.0, b""
        self.held = ""  # the last message, if it may be the reason of a failure
        self.child: subprocess.Popen[bytes] | None = None

    def start(self, words: list[str], output: IO[bytes]) -> None:
        # To a terminal the program writes its progress all the time.
        self.messages, end = os.openpty() if self.progress else os.pipe()
        # The program inherits that SIGINT waits: Ctrl-C is Python's, which ends the program once.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.child = subprocess.Popen(words, bufsize=0, stdin=subprocess.PIPE, stdout=output, stderr=end,
                                          env={**os.environ, "TERM": "xterm", "COLUMNS": "1000"})
        finally:
            os.close(end)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.set_blocking(self.child.stdin.fileno(), False)

    def serve(self, lines: Iterator[bytes]) -> None:
        """Write the lines to standard input and pass on messages, until the program ends."""
        poll, pipe, text = select.poll(), self.child.stdin, b""
        poll.register(self.messages, select.POLLIN)
        if not pipe.closed:
            poll.register(pipe, select.POLLOUT)
        while True:
            if self.messages in dict(poll.poll()):
                try:
                    said = os.read(self.messages, 1 << 16)
                except OSError:  # so ends what is written to a terminal
                    said = b""
                if not said:
                    pipe.close()
                    return os.close(self.messages)
                self.take(said)
                continue
            text = text or b"".join(itertools.islice(lines, 200))
            try:
                text = text[os.write(pipe.fileno(), text):] if text else None
            except BrokenPipeError:  # it has ended already, and says why
                text = None
            if text is None:
                poll.unregister(pipe)
                pipe.close()

    def take(self, said: bytes) -> None:
        *parts, self.rest = re.split(rb"(\r\x1b\[K|\r?\n)", self.rest + said)
        for part, end in zip(parts[::2], parts[1::2]):
            text = part.decode(errors="replace")
            if end.endswith(b"\n"):
                self.say(text)
            elif text and self.progress:
                done = re.match(r"training +([\d.]+)%", text)
                self.share = float(done[1]) / 100 if done else self.share
                self.progress(self.share, text)

    def say(self, text: str = "") -> None:
        """Print a message, or hold it back until the next one if it may be the reason of a failure."""
        reason = text.startswith("acevec: ")
        for line in (self.held, "" if reason else text):
            if line and sys.stderr and (not self.quiet or line.startswith("note: ")):
                print(line, file=sys.stderr, flush=True)
        self.held = text if reason else ""

    def end(self) -> None:
        """End the program as a signal does."""
        if self.child is None:
            return os.close(self.messages)
        self.child.terminate()
        self.progress = None
        try:
            self.serve(iter(()))  # it may save a checkpoint
        except KeyboardInterrupt:
            self.child.kill()
        self.say()
        self.child.wait()
