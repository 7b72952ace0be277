"""acevec trains embeddings: word vectors from text, vectors of sentences, hierarchies and graphs.

    model = acevec.train("corpus.txt", size=300)
    model.nearest("king")

Each command of the program is a function, and the program's options are its keyword arguments: train (words),
kg, order, sentence, metric, order_query, ... help(acevec.train) lists them. docs/python.md has examples.
"""

import os

TYPE_CHECKING = False  # true for type checkers; `typing` and numpy would slow the start of the program
if TYPE_CHECKING:
    from acevec._commands import Error, Vectors, load, run, train
__all__ = ["Error", "Vectors", "kg", "load", "metric", "order", "run", "sentence", "train"]


def program() -> str:
    """Return the path of the program: $ACEVEC, or the one in this package."""
    return os.environ.get("ACEVEC") or os.path.join(os.path.dirname(__file__), "bin", "acevec")


def __getattr__(name: str):
    if name.startswith("_"):
        raise AttributeError(f"acevec has no {name}")
    from acevec import _commands
    return getattr(_commands, name) if name in ("Error", "Vectors", "load", "run") else _commands.function(name)
