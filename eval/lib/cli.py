"""The command line of every script: errors are one line and never a traceback; kinds of arguments.

Standard library only.
"""

import argparse
import os
import sys


class UserError(Exception):
    """Something the user can put right; the text reads `what happened; what to do`."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose usage errors are one line on stderr and exit status 2."""

    def __init__(self, **options):
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message):
        say(f"{message}; see --help")
        sys.exit(2)


def say(message):
    """Print `NAME: message` on stderr, NAME being the script's file name."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr, flush=True)


def run(main):
    """Call main() and exit with the status it returns; one line and status 1 for user errors."""
    try:
        status = main()
        sys.stdout.flush()
    except UserError as error:
        say(error)
        status = 1
    except KeyboardInterrupt:
        say("interrupted; run it again")
        status = 130
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"{where}{error.strerror or error}; check the path, its permissions and the disk")
        status = 1
    except MemoryError:
        say("out of memory; use a smaller file or a machine with more memory")
        status = 1
    sys.exit(status)


def count(text):
    """Parse a number that is at least 1 (for argparse)."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def numbers(text):
    """Parse `1,2,3`, each at least 1 (for argparse)."""
    return [count(part) for part in text.split(",")]


def split_label(text):
    """Return (label, path) of `LABEL=FILE` or `FILE`, whose label is its name without ending."""
    label, separator, path = text.partition("=")
    return (label, path) if separator else (os.path.splitext(os.path.basename(text))[0], text)
