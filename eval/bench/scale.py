#!/usr/bin/env python3
"""Simulate acevec-mpi on many hosts: speed, bytes sent, and the age of copies.

The schedule is that of src/cluster: which rows are due at an exchange, the chance that a process has
changed one, what it sends to the owners and receives from them, and the work for that. Frequencies are
those of a vocabulary of all words of a text (acevec -min-count 1 -save-vocab), extended by Zipf's law.
Words are taken to be independent: those of a real text come in clusters, which makes up to 12 % fewer
bytes.

A line for each text, number of hosts and link. Threads do not wait for an exchange that takes longer
than the interval: the next comes later. So a slow link costs speed only through the processor time of
exchanges, and makes the copies older. Needs numpy.
"""

import dataclasses
import math

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy")

import numpy as np

from lib.cli import Parser, UserError, count, numbers, run

HEAD = 10_000  # ranks whose counts are the text's; those of later ones depend on its length
TAIL_BINS = 2_000  # equal steps of log rank that stand for the rest
BLOCK, NEGATIVES = 64, 32  # tokens of a block and its common negatives (src/tasks/word/block.h)
NOISE_POWER = 0.75
WAITS = 7  # collective operations of an exchange that wait for each other: three of notes, four of rows
NUMBER_BYTES = {"float": 4, "bfloat16": 2}


@dataclasses.dataclass(frozen=True)
class Words:
    """Frequencies, falling, and how many words have each of them."""

    frequency: np.ndarray
    words: np.ndarray


@dataclasses.dataclass(frozen=True)
class Job:
    """One run of a process on each host. patience: by which the usual intervals are multiplied."""

    hosts: int = 8
    cores: int = 32
    gigabits: float = 10
    tokens: float = 100e9
    size: int = 100
    epochs: int = 1
    patience: float = 1
    numbers: str = "bfloat16"
    times: int = 4  # that a rare row is exchanged in an epoch
    sample: float = 1e-4
    speed: float = 2.9e6  # tokens a second of a core, with vectors of 100 numbers
    packers: int = 1  # threads that pack rows
    packing: float = 1e9  # bytes of rows that one of them packs, combines or unpacks a second
    latency: float = 2e-4  # seconds of a collective operation, without its bytes

    def every(self):
        """-exchange-every: tokens of a thread."""
        return 10_000 * self.patience * usual_patience(self.hosts)

    def changes(self):
        """Occurrences of a word in a process from one exchange of its rows to the next."""
        return 20 * self.patience * usual_patience(self.hosts)

    def resends(self):
        """How often a row is sent again to make up for rounding.

        A row that a process has sent stays apart from the base by the rounding error of its change.
        Of bfloat16 the error has itself one. Halves of floats, of four processes or fewer, are exact.
        """
        return 2 if self.numbers == "bfloat16" else int(self.hosts > 4)


def usual_patience(processes):
    """As src/commands/word_arguments.cc has it."""
    return min(max(64 / processes**2, 1), 8)


def words_of(counts, words):
    """Return the Words of a text, its counts falling, cut or by Zipf's law extended to so many words.

    Raises UserError when there are too few to extend.
    """
    counts = np.asarray(counts, float)
    if words <= len(counts):
        counts = counts[:words]
        return Words(counts / counts.sum(), np.ones(len(counts)))
    if len(counts) < HEAD:
        raise UserError(f"{len(counts):,} words are too few to extend; give a longer text")
    head = counts[:HEAD]
    slope = math.log10(head[HEAD // 10 - 1] / head[-1])
    edges = np.unique(np.geomspace(HEAD, words, TAIL_BINS + 1).round())
    tail = head[-1] * (np.sqrt(edges[1:] * edges[:-1]) / HEAD) ** -slope
    values = np.concatenate((head, tail))
    each = np.concatenate((np.ones(HEAD), np.diff(edges)))
    return Words(values / (values * each).sum(), each)


def change_rates(words, sample):
    """Return how often a word's two rows change for a token of the text: word and context vector."""
    f = words.frequency
    kept = f if sample == 0 else f * np.minimum(1, np.sqrt(sample / f) + sample / f)
    noise = f ** NOISE_POWER / (f ** NOISE_POWER * words.words).sum()
    return kept, kept + noise * NEGATIVES / BLOCK * (kept * words.words).sum()


def schedule(words, job):
    """Return (exchanges, tokens of a process between two, each word's period in exchanges)."""
    own = job.tokens * job.epochs / job.hosts
    rounds = max(job.epochs, math.ceil(own / min(own, job.every() * job.cores)))
    rarest = max(1, rounds // job.epochs // (job.times if job.hosts > 2 else 1))
    often = np.maximum(1, job.changes() / (words.frequency * own / rounds))
    return rounds, own / rounds, 2 ** np.minimum(np.ceil(np.log2(often)), math.floor(math.log2(rarest)))


def rows_sent(words, job, tokens, times):
    """Return [rows that a process sends, rows that any sends], of both matrices.

    tokens: of a process, in which a change of the row makes it send it; times: that it is due.
    """
    sent = united = 0.0
    for rate in change_rates(words, job.sample):
        unsent = np.exp(-rate * tokens)
        sent += (words.words * times * (1 - unsent)).sum()
        united += (words.words * times * (1 - unsent ** job.hosts)).sum()
    return np.array((sent, united))


def rows_of_run(words, job, plan):
    """Return rows_sent() of all exchanges during training, and of the one of all rows at its end."""
    rounds, interval, period = plan
    step = interval * period
    left = rounds / period  # times that a row is due
    rows = np.zeros(2)
    for turn in range(job.resends() + 1):  # first in the middle of a period, on the average
        now = np.minimum(1, left)
        rows += rows_sent(words, job, step * (turn + 0.5), now)
        left = left - now
    rows += rows_sent(words, job, step * (job.resends() + 1), left)
    return rows, rows_sent(words, job, step * (job.resends() + 0.5), 1)


def costs(words, job, plan):
    """Return of an exchange the seconds that it takes, those of processors, and the bytes sent.

    Also the bytes of the exchange at the end.
    """
    inside, last = rows_of_run(words, job, plan)
    rounds, _, period = plan
    others = (job.hosts - 1) / job.hosts
    sent_bytes = others * (4 + job.size * NUMBER_BYTES[job.numbers]) * inside.sum() / rounds
    last_bytes = others * (4 + job.size * NUMBER_BYTES["float"]) * last.sum()
    due = 2 * (words.words / period).sum()
    row_seconds = 4 * job.size / job.packing
    packing = (due + inside.sum() / rounds) * row_seconds
    combining = inside[0] / rounds * row_seconds
    seconds = (packing / job.packers + combining + 8 * sent_bytes / (job.gigabits * 1e9) +
               WAITS * job.latency)
    return seconds, packing + combining, sent_bytes, last_bytes


def stretched(plan, points):
    """The plan whose exchanges each stand for so many points."""
    rounds, tokens, period = plan
    return rounds / points, tokens * points, period


def as_it_goes(words, job, plan, core):
    """Return the plan as exchanges follow each other: as soon as one is done, the next may begin.

    A single thread waits for an exchange at its next point; several train on. core: its tokens a
    second.
    """
    def is_late(points):
        now = stretched(plan, points)
        return costs(words, job, now)[0] > now[1] / (job.cores * core)

    if job.cores == 1 or not is_late(1):
        return plan
    least, most = 0.0, math.log(plan[0])
    for _ in range(30):
        middle = (least + most) / 2
        least, most = (middle, most) if is_late(math.exp(middle)) else (least, middle)
    return stretched(plan, math.exp(most))


def simulate(words, job):
    """Return {name: number} of a run.

    rounds: exchanges; every: tokens of a thread between two; bytes: that a process sends for a token
    that it trains; share: of the ideal speed; speed: tokens a second of all; age: seconds from a
    step of a frequent row until all have it, on the average; rare: times that the rarest row is
    exchanged in an epoch.
    """
    core = job.speed * 100 / job.size
    usual = schedule(words, job)
    plan = rounds, tokens, period = as_it_goes(words, job, usual, core)
    exchange, processors, sent_bytes, last_bytes = costs(words, job, plan)
    ideal = tokens / (job.cores * core)
    if plan is not usual:  # one of the threads is always in an exchange
        processors += ideal
    takes = max(ideal + processors / job.cores, exchange)
    return {"rounds": rounds, "every": tokens / job.cores,
            "bytes": (sent_bytes + last_bytes / rounds) / tokens, "share": ideal / takes,
            "speed": job.hosts * tokens / takes, "age": 1.5 * takes,
            "rare": rounds / period.max() / job.epochs}


def read_counts(path):
    """Return the counts of a vocabulary file, falling."""
    try:
        with open(path, encoding="utf-8") as file:
            return sorted((int(line.split()[1]) for line in file), reverse=True)
    except (IndexError, ValueError):
        raise UserError(f"{path} is no vocabulary; make one with acevec -save-vocab") from None


def show(words, options):
    """Print the table."""
    print("billion        Gb/s  M tokens           bytes a  tokens of a thread       ms of  exchanges"
          "  rarest row's\n"
          "tokens  hosts  link  a second    share    token  between exchanges         age  of a run"
          "      an epoch")
    for tokens in options.tokens:
        for hosts in options.hosts:
            for gigabits in options.gigabits:
                own = {field.name: getattr(options, field.name) for field in dataclasses.fields(Job)}
                run_of = simulate(words, Job(**{**own, "tokens": tokens * 1e9, "hosts": hosts,
                                                "gigabits": gigabits}))
                print(f"{tokens:>6}  {hosts:>5}  {gigabits:>4}  {run_of['speed'] / 1e6:>8,.0f}  "
                      f"{100 * run_of['share']:>5.0f} %  {run_of['bytes']:>7.1f}  {run_of['every']:>17,.0f}"
                      f"  {1e3 * run_of['age']:>10,.0f}  {run_of['rounds']:>9,.0f}  {run_of['rare']:>12.1f}")


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("vocabulary", metavar="FILE", help="lines of a word and its count")
    add("--tokens", type=numbers, default=[10, 100], metavar="N,..", help="billions (10,100)")
    add("--words", type=count, default=5_000_000, metavar="N", help="vocabulary (5000000)")
    add("--hosts", type=numbers, default=[4, 8, 32], metavar="N,..", help="(4,8,32)")
    add("--cores", type=count, default=32, metavar="N", help="of each host (32)")
    add("--gigabits", type=numbers, default=[10, 100], metavar="N,..", help="of each link (10,100)")
    add("--patience", type=float, default=1, metavar="X", help="times the usual intervals (1)")
    for field, kind, text in (("size", count, "numbers of a vector"), ("epochs", count, ""),
                              ("times", count, "that rare rows are exchanged in an epoch"),
                              ("sample", float, "as acevec takes it"),
                              ("speed", float, "tokens a second of a core, of vectors of 100 numbers"),
                              ("packers", count, "threads that pack rows"),
                              ("packing", float, "bytes of rows a second of one of them"),
                              ("latency", float, "seconds of a collective operation")):
        usual = getattr(Job, field)
        add("--" + field, type=kind, default=usual, metavar="X", help=f"{text} ({usual:g})".strip())
    add("--numbers", choices=NUMBER_BYTES, default="bfloat16", help="(bfloat16)")
    options = parser.parse_args()
    show(words_of(read_counts(options.vocabulary), options.words), options)


if __name__ == "__main__":
    run(main)
