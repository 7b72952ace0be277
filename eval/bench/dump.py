#!/usr/bin/env python3
"""Compare ways from a packed Wikipedia dump to vectors: seconds, MB of XML a second, peak memory.

    dump.py SAMPLE [--megabytes 2000] [--ways acevec,lbzip2,bzcat] [--rounds 3]

SAMPLE is a MediaWiki dump, packed with bzip2 or not. A dump of any size is made of its pages, in another
order in each copy and with some words that only that copy has. It is packed as one stream (lbzip2) and, as
Wikipedia's are, as a stream for each 100 pages; both stay in --folder for other runs.

    acevec             acevec -train DUMP.xml.bz2
    acevec-multistream the same, of the dump of many streams
    acevec-xml         acevec -train DUMP.xml
    lbzip2, bzcat      lbzip2 -dc or bzcat DUMP.xml.bz2 | acevec -train -
    gensim             WikiCorpus, whose texts train Word2Vec; one process less than cores reads, as is its default

All train one epoch with the same options, and take turns; seconds are of the whole, medians over the turns.
Memory is acevec's (or gensim's own process). Standard library only: see measure in lib/acevec.py.
"""

import bz2
import collections
import itertools
import os
import random
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from lib import interpreter
from lib.acevec import find_acevec, measure, read_log, report
from lib.cli import Parser, UserError, count, run

PAGE = re.compile(rb" *<page>.*?</page>\n?", re.DOTALL)
STREAM = 100  # pages
NEW_WORDS = 40  # one of so many words is another in each copy
GENSIM = """import sys
from gensim.corpora import WikiCorpus
from gensim.models import Word2Vec
class Texts:
    def __iter__(self):
        return iter(WikiCorpus(sys.argv[1], dictionary={{}}).get_texts())
model = Word2Vec(Texts(), sg=1, vector_size={size}, window=5, negative=5, sample=1e-4, epochs=1, workers={threads})
model.wv.save_word2vec_format(sys.argv[2], binary=True)
"""


def pages_of(sample):
    """Return what stands before the pages of a dump, and the pages."""
    with (bz2.open if sample.endswith(".bz2") else open)(sample, "rb") as stream:
        dump = stream.read()
    pages = PAGE.findall(dump)
    if not pages:
        raise UserError(f"{sample} has no <page>; give a MediaWiki dump")
    return dump[:dump.index(b"<page>")], pages


def varied(pages, copy):
    """Yield the pages of one copy; each time the same for the same number."""
    order = random.Random(copy)
    for page in order.sample(pages, len(pages)):
        words = page.split(b" ")
        first = order.randrange(NEW_WORDS)
        name = b"".join(b"%c" % (97 + int(digit)) for digit in str(copy))
        words[first::NEW_WORDS] = [word + name if word.isalpha() else word for word in words[first::NEW_WORDS]]
        yield b" ".join(words)


def batches(pages, size):
    """Yield the pages of as many copies as have `size` bytes together, STREAM pages at a time."""
    batch = []
    for copy in itertools.count():
        for page in varied(pages, copy):
            batch.append(page)
            size -= len(page)
            if len(batch) == STREAM or size < 0:
                yield b"".join(batch)
                batch = []
            if size < 0:
                return


def make_dump(sample, megabytes, folder):
    """Write DUMP.xml and both DUMP.bz2 where they are not; return {ending: path}."""
    stem = os.path.join(folder, f"dump-{megabytes}")
    paths = {ending: f"{stem}.{ending}" for ending in ("xml", "xml.bz2", "multistream.bz2")}
    if all(map(os.path.exists, paths.values())):
        return paths
    head, pages = pages_of(sample)
    end = b"</mediawiki>\n"
    with open(paths["xml"], "wb") as plain, open(paths["multistream.bz2"], "wb") as streams, \
            ThreadPoolExecutor(os.cpu_count()) as pool:
        packed = collections.deque()
        for piece in itertools.chain([head], batches(pages, megabytes * 1_000_000), [end]):
            plain.write(piece)
            packed.append(pool.submit(bz2.compress, piece))
            if len(packed) > 2 * os.cpu_count():
                streams.write(packed.popleft().result())
        for piece in packed:
            streams.write(piece.result())
    subprocess.run(["lbzip2", "-kf", paths["xml"]], check=True)
    return paths


def commands(paths, options):
    """Return {way: shell command}."""
    vectors = os.path.join(options.folder, "vectors.bin")
    settings = shlex.join(["-format", "wiki", "-output", vectors, "-iter", "1", "-size", str(options.size),
                           "-threads", str(options.threads)])
    acevec = shlex.quote(find_acevec())
    xml, single, streams = (shlex.quote(paths[ending]) for ending in ("xml", "xml.bz2", "multistream.bz2"))
    gensim = GENSIM.format(size=options.size, threads=options.threads)
    return {
        "acevec": f"exec {acevec} -train {single} {settings}",
        "acevec-multistream": f"exec {acevec} -train {streams} {settings}",
        "acevec-xml": f"exec {acevec} -train {xml} {settings}",
        "lbzip2": f"lbzip2 -dc {single} | {acevec} -train - {settings}",
        "bzcat": f"bzcat {single} | {acevec} -train - {settings}",
        "gensim": f"exec {shlex.quote(interpreter.find('gensim') or sys.executable)} -c {shlex.quote(gensim)} {single} {shlex.quote(vectors)}",
    }


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("sample")
    parser.add_argument("--megabytes", type=count, default=2000, help="of XML (default: 2000)")
    parser.add_argument("--ways", default="acevec,acevec-multistream,acevec-xml,lbzip2,bzcat",
                        help="(default: all but gensim)")
    parser.add_argument("--rounds", type=count, default=3, help="(default: 3)")
    parser.add_argument("--threads", type=count, default=os.cpu_count(), help="(default: all)")
    parser.add_argument("--size", type=count, default=100, help="(default: 100)")
    parser.add_argument("--folder", default=".", help="for the dumps, 1.6 times --megabytes (default: .)")
    options = parser.parse_args()
    paths = make_dump(options.sample, options.megabytes, options.folder)
    ways = commands(paths, options)
    chosen = options.ways.split(",")
    unknown = [way for way in chosen if way not in ways]
    if unknown:
        raise UserError(f"there is no way {unknown[0]}; give some of {', '.join(ways)}")
    megabytes = os.path.getsize(paths["xml"]) / 1e6
    log = os.path.join(options.folder, "log")
    times = {way: [] for way in chosen}
    parts = {}
    for _ in range(options.rounds):
        for way in chosen:
            seconds, _, mib = measure(["sh", "-c", ways[way]], log)
            times[way].append(seconds)
            said = report(read_log(log))
            parts[way] = (mib, said["reading_seconds"], said["training_seconds"], said["tokens"])
            print(f"{way}: {seconds:.1f} s", file=sys.stderr, flush=True)
    print("way\tseconds\tMB/s\treading\ttraining\ttokens\tMiB\ttime / acevec's")
    for way in chosen:
        mib, reading, training, tokens = parts[way]
        ratios = [other / own for other, own in zip(times[way], times[chosen[0]])]
        print(f"{way}\t{median(times[way]):.1f}\t{megabytes / median(times[way]):.1f}\t{reading}\t{training}\t"
              f"{tokens}\t{mib:.0f}\t{median(ratios):.2f} ({min(ratios):.2f}..{max(ratios):.2f})")
    return 0


if __name__ == "__main__":
    run(main)
