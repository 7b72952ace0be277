"""Runs the program: command lines of Python's values, text through a pipe, messages, Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import functools
import itertools
import json
import keyword
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Number, Real
from typing import Any, Union

import numpy as np

from acevec import program

Path = Union[str, "os.PathLike[str]"]
Rows = Iterable[Any]  # lines of text, or lists of tokens or columns
Progress = Callable[[float, str], Any]
# The titles that the program knows (kTitles in src/tasks/kg/triple_reader.cc).
TITLES = (("head", "subject", "source", "from", "h", "s"),
          ("relation", "predicate", "relationship", "rel", "r", "p"),
          ("tail", "object", "target", "to", "t", "o"))
POINTS = ("train", "labels", "valid", "valid_labels", "test", "test_labels", "points")  # or arrays
NAME = re.compile(r"[^\t\n]*\.(txt|csv|tsv|jsonl?|xml|gz|bz2|xz|zst)")  # of a file of text
TITLED = "the first line of (-|.*/acevec-python-).* titles "  # which Python has written
SPACE = re.compile("[\0\t-\r]")  # it and blanks divide words, other white space does not
# What the program says for a shell, and the same for Python.
PHRASES = {
    "give it to the commands of acevec kg": "open it with acevec.Graph",
    "give it to the commands of acevec sentence": "open it with acevec.Sentences",
    "give it to the commands of acevec metric": "open it with acevec.Encoder",
    "; give an IDX file, or an array of floats or integers saved by rows with numpy.save":
        "; give an array of numbers, a row for each point, or its file",
    " as arguments, or one per line on standard input": "", "standard input": "input",
    "give one with -train FILE": "the first argument is the text", " (see --help)": "",
    "those on the command line": "the arguments", "an OUT that is npy": "a path that ends in .npy",
    "resume it with acevec -resume": "resume it with acevec.train resume="}
# Arguments of other packages that no command has, and what to use instead.
INSTEAD = {
    "binary": "leave it out; a file's content tells its format, and an output's ending",
    "learning_rate": "acevec calls it alpha= for words and rate= for others",
    "callbacks": "progress= is called during training; log= and save_every= write files",
    "show_progress_bar": "progress= is called during training",
    "trim_rule": "min_count= and max_vocab= limit the words",
    "batch_size": "leave it out, or give a training batch=",
    "convert_to_tensor": "leave it out; results are arrays of numpy",
    "convert_to_numpy": "leave it out; results are arrays of numpy",
    "compute_loss": "the result has it, as model.loss",
    "model": 'without it train is skip-gram, with cbow=1 CBOW; kg has score="transe", and order '
             'geometry="cone"',
    **dict.fromkeys(("h", "help"), "help() of the function lists all"),
    "version": "acevec.__version__ has it", "embedding_dim": "acevec calls it size=",
    "vocab": "acevec calls it read_vocab=",
    "k": "acevec calls it top=", "n_jobs": "acevec calls it threads=",
    "random_state": "acevec calls it seed="}


class Error(RuntimeError):
    """The program failed; the text is its line that says what happened and what to do."""

    __module__ = "acevec"


class Note(UserWarning):
    """What the program notes of a run, such as a part of the input that it leaves out."""

    __module__ = "acevec"


class Temporary(contextlib.AbstractContextManager["Temporary"]):
    """A folder in TMPDIR (/var/tmp), deleted with this object, but not by forks of its process."""

    def __init__(self, files: Iterable[tuple[str, bytes]] = ()) -> None:
        place, owner = os.environ.get("TMPDIR", "/var/tmp"), os.getpid()
        self.folder = tempfile.mkdtemp(prefix="acevec-python-", dir=place)
        self._delete = weakref.finalize(self, lambda path: shutil.rmtree(
            path if os.getpid() == owner else os.devnull, ignore_errors=True), self.folder)
        for name, data in files:
            write_file(self.path(name), data)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def __reduce__(self) -> tuple[Any, ...]:
        files = pathlib.Path(self.folder).iterdir()
        return Temporary, ([(file.name, file.read_bytes()) for file in files],)

    def __exit__(self, *_: Any) -> None:
        self._delete()


def write_file(path: Path, data: Any) -> None:
    """Write bytes to a file, which has all of them or stays as it was."""
    with open(plain(path) + ".part", "wb") as stream:
        stream.write(data)
    os.replace(stream.name, path)


def run(*words: Any, input: Rows | None = None, progress: Progress | None = None,
        **options: Any) -> str:
    """Run a command line, such as run("nn", "vectors.bin", "king"); return what it prints.

    words: strings, numbers, paths, or models, which stand for files.
    options: the command's, with underscores for dashes. None leaves one out; several values are
        joined by commas. A file to read can be an iterable of lines or lists, or an array. debug=1
        prints messages to standard error.
    input: such an iterable. progress: a function of the share of training that is done, 0 to 1,
        and a line of text.

    Raises ValueError for a wrong option or wrong rows, KeyError for an unknown name,
    FileNotFoundError, or Error. Notes are warnings, of the category Note. When Ctrl-C, an iterable
    or `progress` raises something, the program ends as by a signal, with its checkpoint saved.
    """
    for name in options.keys() & INSTEAD.keys():
        raise ValueError(f"unknown option {name}=; {INSTEAD[name]}")
    if progress is not None and not callable(progress):
        raise ValueError(f"progress= is a function of a share and a text, not {progress!r}")
    task, lines = words[0] if words else "", None
    quiet = "no answer for |" + options.pop("_quiet", TITLED if options.get("columns") else "$")
    names: dict[str, str] = {}  # what messages call Python's values
    kept: list[Any] = []  # until the end, as their files are
    typed = [program()]
    with Temporary() as folder:
        for name, value in [*(("", word) for word in words), ("input", input), *options.items()]:
            path, value = folder.path(name), file_of(value)
            option = "top" if name == "topn" else name.rstrip("_").replace("_", "-")
            known = table()[command_of(typed)]["options"] if name in options else ()
            kind = next((row["kind"] for row in known if row["name"] == option), "")
            kept.append(value)
            if name.startswith("init") and is_many(value):
                raise ValueError(f"{name}= is a file of vectors or a model, such as "
                                 "acevec.Vectors(words, matrix)")
            if task == "metric" and name in POINTS and is_many(value):
                value = points_of(value, name)
                if isinstance(value, np.ndarray) and len(value):
                    np.save(path, value)
                    value, names[path + ".npy"] = path + ".npy", name
            if name == "input" and value is not None or (
                    name and is_rows(value) and kind in ("", "input_file", "input_files")):
                if task == "kg":
                    value = arranged(value, options.get("columns"), options.get("train"))
                more = lines_of(value, name, task)
                if lines is None:  # the first is read from standard input, others from files
                    lines, value, names["standard input"] = more, "-", name
                else:
                    value, names[path] = path, name
                    with open(path, "wb") as stream:
                        stream.writelines(more)
            if name and value is None or name == "input" or name == "debug" and not value:
                continue
            if "_file" in kind and isinstance(value, Number):
                raise ValueError(f"{name}= is a file, not {value!r}")
            if name and is_many(value):
                if not isinstance(value, (list, tuple)):
                    raise ValueError(f"{name}= cannot be {value!r:.60}")
                if name == "train":
                    refuse_words(value)
                if kind.endswith("_file") and len(value) > 1:
                    raise ValueError(f"{name}= is one file, not {len(value)}")
            typed.append(f"-{option}={plain(value)}" if name else plain(value))
            if getattr(value, "_folder", None):  # a model in a temporary file
                names[plain(value)] = name or "the model"
        code, said, printed = call(typed, lines, progress,
                                   names if options.get("debug") else None, folder)
    for note in (line for line in said if not code or line.startswith("note: ")):
        note = note.removeprefix("note: ")
        if not re.match(quiet, note):
            warnings.warn(worded(note, names), Note, stack_level())
    if code:
        raise failure(code, [line for line in said if not line.startswith("note: ")], names, typed)
    if progress:
        progress(1.0, "done")
    return printed.decode(errors="surrogateescape")


def ask(options: dict[str, Any], *words: Any, **own: Any) -> str:
    """Run a command line with options of a method and its own. ValueError: both have one."""
    for name in options.keys() & own.keys():
        raise ValueError(f"{name}= cannot be given; the method sets it")
    return run(*words, **options, **own)


def stack_level() -> int:
    """Return where a warning of the caller belongs: the first frame outside of this package."""
    frames = traceback.walk_stack(sys._getframe(1))
    return next((level for level, (frame, _) in enumerate(frames, 1)
                 if os.path.dirname(frame.f_code.co_filename) != os.path.dirname(__file__)), 1)


def failure(code: int, reasons: list[str], names: dict[str, str], typed: list[str]) -> Exception:
    """Return the exception for an exit code and the program's reasons, in the words of Python."""
    if not reasons:
        return Error(f"acevec was ended by {signal.Signals(-code).name}" if code < 0
                     else f"acevec ended with {code}")
    for unknown in (one for one in reasons if re.match("no (vector for|entity|relation) ", one)):
        return KeyError(worded(unknown, names))
    reason = reasons[-1]
    missing = re.match("cannot read (.*): No such file", reason)
    if missing:
        path, said = worded(missing[1], names), os.strerror(errno.ENOENT)
        option = next((word.partition("=")[0] for word in typed if word.endswith("=" + path)), "")
        if option not in ("-init", "-read-vocab", "-resume") and not re.search("[./]", path):
            said += "; a string is a path, so give texts in a list, as lines or as lists of words"
        return FileNotFoundError(errno.ENOENT, said, path)
    of_arguments = code == 2 or "contains no" in reason or any(
        one in reason for one, ours in {**names, **PHRASES}.items() if ours != "the model")
    row = re.match("cannot use ([^:]*): line ([0-9]+)", reason)
    if row and row[1] in names and "-columns=" not in " ".join(typed):  # whose line 1 has titles
        reason = f"{names[row[1]]}[{int(row[2]) - 1}]" + reason[row.end():]
    names = {**names, "see --help for the list": f"help(acevec.{command_of(typed)}) lists all"}
    return (ValueError if of_arguments else Error)(worded(reason, names))


@functools.lru_cache(maxsize=None)
def table() -> dict[str, Any]:
    """Return what the program says of its commands, by the names of their functions."""
    commands = json.loads(run("--options", "json"))["commands"]
    return {command["name"].replace(" ", "_") or "train": command for command in commands}


def command_of(typed: list[str]) -> str:
    """Return the name in `table` of the command of a command line."""
    return next((one for one in ("_".join(typed[1:3]), *typed[1:2]) if one in table()), "train")


def worded(text: str, names: dict[str, str]) -> str:
    """Return a message in Python's words: min_count=5 for -min-count 5, acevec.nn for acevec nn.

    names: what stands for files that Python has written.
    """
    for theirs, ours in {**PHRASES, **names}.items():
        text = text.replace(theirs, ours)
    text = re.sub(" of -(?=[ ,;])", f" of {names.get('standard input', '-')}", text)
    text = re.sub(r"(\S*)/acevec-python-\w{8}/\w+([.-]\w+)*", r"a file in \1", text)
    choices = {("delimiter", "comma"), ("delimiter", "space")}
    choices.update((row["name"], choice) for one in table().values() for row in one["options"]
                   for choice in row.get("choices", ()))

    def argument(found: re.Match[str]) -> str:
        name, blank, value = found.groups("")
        if re.match("[0-9]|[A-Z]+$|.*[.]", value):
            blank = ""
        elif (name, value) in choices:
            blank, value = "", f'"{value}"'
        name = name.replace("-", "_") + "_" * keyword.iskeyword(name)
        return f"{name}={blank}{value}"
    option = r'(?<![\w"/.-])(?<!acevec )-([A-Za-z][A-Za-z0-9-]+)\b(?:( )(\w[\w.+-]*\b))?'
    text = re.sub(option, argument, text)
    commands = "|".join(sorted((one["name"] for one in table().values()), reverse=True)).strip("|")
    return re.sub(rf"\bacevec ({commands})\b",
                  lambda found: "acevec." + found[1].replace(" ", "_"), text)


def file_of(value: Any) -> Any:
    """Return gensim's KeyedVectors, or a model that has them, as Vectors, which stand for files."""
    vectors: Any = None if isinstance(value, os.PathLike) else getattr(value, "wv", value)
    if not hasattr(vectors, "index_to_key"):
        return value
    from acevec._models import Vectors
    return Vectors(vectors.index_to_key, vectors.vectors)


def points_of(points: Any, name: str) -> Any:
    """Return points as an array of numbers, and their labels as one, or as rows of a text each."""
    if hasattr(points, "toarray"):
        raise ValueError(f"{name}= is a sparse matrix; give an array, as its toarray()")
    array = np.ascontiguousarray(points)
    if "labels" not in name:
        return array if array.dtype.kind in "fiu" else array.astype(float)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions; give one label for each point")
    texts = changed(array.tolist(), text_of, name)
    if array.dtype.kind == "f" and (array % 1 == 0).all():
        array = array.astype(np.int64)  # as pandas has integers beside missing ones
    return array if array.dtype.kind in "fiu" else [[text] for text in texts]


def plain(value: Any) -> str:
    """Return a value as it is typed."""
    if isinstance(value, (list, tuple)):
        items = list(map(plain, value))
        for item in items[:-1] and items:
            if "," in item:
                raise ValueError(f"{item!r} has a comma, which divides it in a list; rename it")
        return ",".join(items)
    if not isinstance(value, (str, Number, os.PathLike)):
        raise ValueError(f"{value!r} is neither a path nor another string, a number, a model or an "
                         "iterable" + "; call it" * callable(value))
    if isinstance(value, os.PathLike):
        path = os.fspath(value)  # which is neither an option nor standard output
        return os.path.join(".", path) if path.startswith("-") else path
    return str(int(value) if isinstance(value, bool) else value)


def is_many(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, os.PathLike))


def is_rows(value: Any) -> bool:
    """Tell whether a value is lines or lists: not one plain value, nor several in a list.

    A list of strings is lines if one has white space, unless one is the path of a file, or all end
    like one.
    """
    if not is_many(value):
        return isinstance(value, str) and "\n" in value
    if not isinstance(value, (list, tuple)) or not value or any(map(is_many, value)):
        return True
    texts = [one for one in value if isinstance(one, str)]
    return (any(one.split() != [one] for one in texts) and not all(map(NAME.fullmatch, texts))
            and not any(re.search("[./]", one) and os.path.isfile(one)
                        for one in texts if len(one) < 4096))


def refuse_words(paths: Sequence[Any]) -> None:
    """Refuse a list of texts of one word each, which stand for paths, and of files not there."""
    for path in map(plain, paths):
        if not os.path.exists(path):
            said = ('; strings without white space are paths, so give texts of one word as [["a"], '
                    '["b"]]' * (not re.search("[./]", path)))
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT) + said, path)


def rows_of(rows: Any) -> Any:
    """Return the rows of a table of pandas, or another iterable as it is."""
    return rows.itertuples(index=False) if hasattr(rows, "itertuples") else rows


def filled(rows: Any, name: str) -> Iterator[Any]:
    """Return the lines of a text, or the rows of a table or another iterable; at least one."""
    if isinstance(rows, dict):
        raise ValueError(f"{name} is a dict; give a list of its keys, values or items")
    rows = iter(rows.removesuffix("\n").split("\n") if isinstance(rows, str) else rows_of(rows))
    for first in rows:
        return itertools.chain([first], rows)
    raise ValueError(f"{name} is empty; give at least one line")


def changed(rows: Iterable[Any], change: Callable[[Any], Any], name: str,
            first: int = 0) -> list[Any]:
    """Return what each row becomes. A ValueError tells its row: texts[0] if that is the first.

    first: the number of the first of these rows.
    """
    rows = list(rows)
    done: list[Any] = []
    try:
        done.extend(map(change, rows))  # in case of an error it has those before
    except ValueError as problem:
        problem.args = (f"{name}[{first + len(done)}]: {problem}",)
        raise
    return done


def arranged(rows: Any, columns: Any = None, train: Any = None) -> Any:
    """Return a graph's table as rows of head, relation and tail, if its titles tell them.

    With `columns` that are titles, the first row has the titles, by which the program finds them.
    ValueError: the titles tell two of the three, or are those of `train` in another order.
    """
    titles = list(getattr(rows, "columns", ()))
    if columns:
        wanted = plain(columns).split(",")
        if not titles or all(map(str.isdigit, wanted)):
            return rows
        for title in (one for one in wanted if one not in titles):
            raise ValueError(f"the table has no column {title!r}; its titles are {titles}")
        return itertools.chain([titles], rows_of(rows))
    places = [[at for at, title in enumerate(titles) if str(title).lower() in some]
              for some in TITLES]
    if all(places):
        return (tuple(row[at] for at, *_ in places) for row in rows_of(rows))
    if sum(map(bool, places)) == 2:
        raise ValueError(f"the titles {titles} do not tell which column is the "
                         f"{TITLES[places.index([])][0]}; rename it, or give the columns of head, "
                         "relation and tail in this order, as in table[[...]]")
    first = list(getattr(train, "columns", ()))
    if titles != first and sorted(map(str, titles)) == sorted(map(str, first)):
        raise ValueError(f"a table has the columns {titles}, and that of train has {first}; give "
                         "all in one order")
    return rows


def lines_of(rows: Any, name: str, task: str) -> Iterator[bytes]:
    """Yield rows as lines, many at once, with tabs between items, which have no white space."""
    divides = re.compile("[\n\v\f\r\0" + " " * (task in ("", "next")) + "]").search

    def line(row: Any) -> str:
        if isinstance(row, bytes) or not isinstance(row, Iterable):
            raise ValueError(f"{row!r} is neither a line of text nor a list")
        if isinstance(row, str):
            return row.rstrip("\r\n")
        items = list(row)
        if task == "sentence":  # in texts any white space counts as a blank
            items = [SPACE.sub(" ", text_of(item)) for item in items]
        try:
            text = "\t".join(items)
        except TypeError:  # of numbers, for which a test of all would take longer
            items = list(map(text_of, items))
            text = "\t".join(items)
        if divides(text) or text.count("\t") >= max(len(items), 1):
            bad = next(item for item in items if divides(item) or "\t" in item)
            raise ValueError(f"{bad!r} has white space inside, which would divide it; replace it, "
                             "as by _")
        return text

    rows, first = filled(rows, name), 0
    while some := list(itertools.islice(rows, 200)):
        yield ("\n".join(changed(some, line, name, first)) + "\n").encode(errors="surrogatepass")
        first += len(some)


def text_of(item: Any, kind: str = "") -> str:
    """Return a token, a name or a number as text; an error calls it of a kind, "the text "."""
    if isinstance(item, str) or (isinstance(item, Real) and item == item):
        return str(item)
    raise ValueError(f"{kind}{item!r} is neither a string nor a number")


def call(words: list[str], lines: Iterator[bytes] | None, progress: Progress | None,
         names: dict[str, str] | None, folder: Temporary) -> tuple[int, list[str], bytes]:
    """Run the program; return its exit code, what it says and what it prints.

    It says notes and, if it fails, reasons, of which the last is why it ended. With `names`, its
    other messages are printed.
    """
    messages: list[str] = []
    share, rest = 0.0, b""

    def pass_on() -> None:
        """Take the messages that are new."""
        nonlocal share, rest
        *whole, rest = re.split(b"(?<=[\r\n])", rest + said.read())
        for line in whole:
            text = line.decode(errors="replace").strip("\r\n").removeprefix("\x1b[K")
            if text.startswith(("acevec: ", "note: ")):
                messages.append(text.removeprefix("acevec: "))
            elif line.endswith(b"\n") and names is not None and sys.stderr:
                print(worded(text, names), file=sys.stderr, flush=True)
            elif line.endswith(b"\r") and text and progress:
                done = re.match(r"training +([\d.]+)%", text)
                share = min(round(float(done[1]) / 100, 4), 0.999) if done else share
                progress(share, text)

    def finish() -> None:
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        ours.close()
        while child.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(0.1 if progress or names is not None else None)
            pass_on()
        pass_on()

    # The program inherits that SIGINT waits: Ctrl-C is Python's, which ends the program once.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with contextlib.ExitStack() as stack:
            output = stack.enter_context(open(folder.path("stdout"), "wb"))
            errors = stack.enter_context(open(folder.path("stderr"), "wb"))
            said = open(errors.name, "rb")
            # Here the program asks for its standard input, and gets a byte when all has been
            # written. If Python is killed, it cannot take a part of the text for all of it.
            ours, asks = socket.socketpair()
            stack.enter_context(asks)
            child: Any = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=output, stderr=errors,
                pass_fds=[asks.fileno()], env={
                    **os.environ, "ACEVEC_INPUT_END": str(asks.fileno()),
                    **({"ACEVEC_PROGRESS": "1"} if progress else {})})
    except OSError as problem:
        raise Error(f"cannot run {words[0]}: {problem.strerror}; install the package that `make "
                    "wheel` writes, or give the program's path in $ACEVEC") from None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with said:
        try:
            with contextlib.suppress(BrokenPipeError):  # it has ended already, and says why
                for text in lines if lines and ours.recv(1) else ():
                    child.stdin.write(text)
                    child.stdin.flush()
                    pass_on()
                ours.send(b".")
            finish()
        except BaseException:  # the program ends as by a signal, and may save a checkpoint
            progress = None  # not called again
            child.terminate()
            try:
                finish()
            finally:
                child.kill()  # if another Ctrl-C does not let it
                child.wait()
                for message in messages:
                    stop, resume, file = message.rpartition(" -resume ")
                    if resume and sys.stderr:
                        stop = stop.replace(" by SIGTERM", "").partition("; resume with")[0]
                        print(f'acevec: {stop}; go on with resume="{file}" and the same output=',
                              file=sys.stderr, flush=True)
            raise
    return child.returncode, messages, pathlib.Path(output.name).read_bytes()
