"""A function for each command of the program, with the options of its table."""

from __future__ import annotations

import functools
import inspect
import json
import keyword
import os
from collections.abc import Callable
from typing import Any

from acevec._arguments import Temporary, command, run
from acevec._models import Encoder, Graph, Sentences
from acevec._process import SPACE, Error, Path, Progress, Rows, call
from acevec._vectors import Vectors, load

__all__ = ["Encoder", "Error", "Graph", "Sentences", "Vectors", "kg", "load", "metric", "order", "run", "sentence", "train"]
TOKENS = SPACE + b" "  # what no token has inside


def train(corpus: Any = None, output: Path | None = None, *, progress: Progress | None = None,
          **options: Any) -> Vectors:
    """Train word vectors, and return them.

    corpus: a path, a list of paths, or any other iterable of sentences: lists of tokens, which are strings or
        integers, or lines of text, with white space inside. It is read once, in a stream.
    output: a path, whose ending decides the format. Without it the vectors are only in the result, with counts,
        with n-grams for unseen words if maxn= is given, and with contexts if preset="items". resume= needs it.
    progress: a function of the share of training that is done, 0 to 1, and a line of text.
    options: those below, with underscores for dashes. acevec.run says more, and what is raised.
    """
    given = {name: value for name, value in options.items() if value is not None}
    with Temporary() as folder:
        if output is None:
            given = {"save_vocab": folder.path("vocab"), **given}
            if given.get("maxn"):
                given = {"output_model": folder.path("vectors.ft"), **given}
            if given.get("preset") == "items":
                given = {"output_context": folder.path("vectors-context.npy"), **given}
        path = trained([], folder, output, {"train": corpus, **given}, progress, TOKENS)
        model = load(path, vocab=given.get("save_vocab"))
        model.subwords = load(given["output_model"]).subwords if "output_model" in given else None
        model.context = load(given["output_context"]) if "output_context" in given else model.context
        return model


def order(pairs: Any = None, output: Path | None = None, *, progress: Progress | None = None,
          **options: Any) -> Vectors:
    """Train vectors of a hierarchy, and return them, with Vectors.query.

    pairs: a path, or an iterable of pairs of a specific and a general concept.
    output, progress, options: as for acevec.train.
    """
    with Temporary() as folder:
        return load(trained(["order"], folder, output, {"train": pairs, **options}, progress))


def kg(triples: Any = None, output: Path | None = None, *, progress: Progress | None = None,
       **options: Any) -> Graph:
    """Train a model of a knowledge graph, and return it.

    triples: a path, or an iterable of (head, relation, tail); valid= and test= likewise.
    output: a path; without it, which resume= needs, the model is deleted with the result.
    progress, options: as for acevec.train.
    """
    folder = Temporary()
    path = trained(["kg"], folder, output, {"train": triples, **options}, progress)
    return Graph(path, folder if output is None else None)


def sentence(corpus: Any = None, output: Path | None = None, *, progress: Progress | None = None,
             **options: Any) -> Sentences:
    """Make a model of sentences, and return it.

    corpus: as for acevec.train; or pairs=, an iterable of pairs of texts. init= is word vectors, or their file.
    output, progress, options: as for acevec.kg.
    """
    folder = Temporary()
    space = SPACE if options.get("pairs") is not None else TOKENS
    path = trained(["sentence"], folder, output, {"train": corpus, **options}, progress, space)
    return Sentences(path, folder if output is None else None)


def metric(points: Any = None, labels: Any = None, output: Path | None = None, *,
           progress: Progress | None = None, **options: Any) -> Encoder:
    """Train an encoder of labelled points, and return it.

    points, labels: paths, or arrays of a point in each row, and of its label, an integer or a string.
    output, progress, options: as for acevec.kg.
    """
    folder = Temporary()
    path = trained(["metric"], folder, output, {"train": points, "labels": labels, **options}, progress)
    return Encoder(path, folder if output is None else None)


def trained(words: list[str], folder: Temporary, output: Path | None, options: dict[str, Any],
            progress: Progress | None, space: bytes = SPACE) -> str:
    """Run a training; return the path of what it has written, in the folder unless `output` says another."""
    if output == "-" or (output is None and options.get("resume")):
        raise ValueError("output has to be the file of the result, to read it back; resume= needs it too")
    path = folder.path("model" if words and words != ["order"] else "vectors.npy") if output is None else os.fspath(output)
    command(words, {**options, "output": path}, progress=progress, space=space)
    return path


@functools.lru_cache(maxsize=None)
def table() -> dict[str, Any]:
    """Return what the program says of its commands, by the names of their functions."""
    commands = json.loads(call(["--options", "json"], quiet=True))["commands"]
    return {command["name"].replace(" ", "_") or "train": command for command in commands}


@functools.lru_cache(maxsize=None)
def function(name: str) -> Callable[..., Any]:
    """Return the function of a command, with its options in its signature and in its help."""
    if name not in table():
        raise AttributeError(f"acevec has no command {name}")
    words = table()[name]["name"].split()

    def other(*arguments: Any, input: Rows | None = None, progress: Progress | None = None, **options: Any) -> str:
        """Run a command of the program; return what it prints.

        The arguments are those of acevec.run, and the options those below, with underscores for dashes.
        """
        return command([*words, *arguments], options, input, progress)

    made: Any = TRAINERS.get(name, other)
    signature = inspect.signature(made)
    parameters = [one for one in signature.parameters.values() if one.kind != one.VAR_KEYWORD]
    for row in table()[name]["options"]:
        option = row["name"].replace("-", "_") + "_" * keyword.iskeyword(row["name"])
        if option not in signature.parameters:
            parameters.append(inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=row["default"]))
    made.__doc__ = f"{inspect.getdoc(made)}\n\n{call([*words, '--help'], quiet=True)}"
    made.__name__ = made.__qualname__ = name
    made.__module__ = "acevec"
    made.__signature__ = signature.replace(parameters=parameters)
    return made


TRAINERS: dict[str, Any] = {"train": train, "order": order, "kg": kg, "sentence": sentence, "metric": metric}
