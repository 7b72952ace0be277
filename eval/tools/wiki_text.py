#!/usr/bin/env python3
"""Compare the text of two extractions of the same Wikipedia: articles of MediaWiki XML as `acevec text`
gives them, and a reference such as WikiExtractor's (a line with the title, then paragraphs).

    eval/tools/wiki_text.py DUMP.xml REFERENCE.txt      # each may be .gz

For each article of the dump whose title is a line of the reference: the share of the reference's
tokens that acevec has too (recall) and of acevec's that the reference has (precision), as bags of
lower-case words. Then what is left of markup, per million characters. ACEVEC is the program,
build/acevec when not given.
"""

import collections
import re
import tempfile
import xml.etree.ElementTree as ElementTree

from lib import acevec
from lib.cli import Parser, UserError, run
from lib.texts import unpacked

MARKUP = ["[[", "]]", "{{", "}}", "{|", "|", "<", "''", "==", "&"]


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def articles(path):
    """Title and XML of each page of namespace 0 that is no redirect, and the head of the dump."""
    head = []
    title = None
    page = None
    for line in open(path, encoding="utf-8"):
        if "<page>" in line:
            page = []
        if page is None:
            head.append(line)
            continue
        page.append(line)
        if "</page>" in line:
            text = "".join(page)
            title = ElementTree.fromstring(text).findtext("title")
            if "<ns>0</ns>" in text and "<redirect" not in text:
                yield title, "".join(head[:]) + text + "</mediawiki>"
            page = None
            head = [line for line in head if "</mediawiki>" not in line]


def plain(program, xml):
    """The text that acevec makes of an article."""
    return acevec.call([program, "text", "-", "-format", "wiki"], xml)[0]


def reference_articles(path, titles):
    """The lines from each title up to the next one that is a title of the dump."""
    found = {}
    current = None
    for line in open(path, encoding="utf-8", errors="replace"):
        line = line.rstrip("\n")
        if line in titles and line not in found:
            current = line
            found[current] = []
        elif current is not None:
            found[current].append(line)
    return found


def own_lines(lines, mine):
    """Those lines of the reference that belong to the article: up to the last long one that acevec has
    nearly all words of. What follows is of articles that the dump lacks."""
    end = 0
    total = 0
    for i, line in enumerate(lines):
        of_line = words(line)
        total += sum(of_line.values())
        if total > 2 * sum(mine.values()):
            break
        size = sum(of_line.values())
        if size >= 5 and sum((of_line & mine).values()) >= 0.9 * size:
            end = i + 1
    return lines[:end]


def table(ours, found, missing, surplus):
    """Rows (title, tokens of acevec, of the reference, in common), of articles of some length."""
    rows = []
    for title, lines in found.items():
        mine = words(ours[title])
        reference = words("\n".join(own_lines(lines, mine)))
        if sum(mine.values()) < 200 or sum(reference.values()) < 200:
            continue
        rows.append((title, sum(mine.values()), sum(reference.values()),
                     sum((mine & reference).values())))
        missing += reference - mine
        surplus += mine - reference
    return rows


def summary(name, rows):
    a, b, c = (sum(row[i] for row in rows) for i in (1, 2, 3))
    print(f"{name}\t{a}\t{b}\t{c}\t{c / b:.3f}\t{c / a:.3f}")


def compare(dump, reference_path):
    """Print how the texts of a dump and of a reference, plain files, agree."""
    program = acevec.find_acevec()
    ours, unlisted = {}, {}
    for title, xml in articles(dump):
        ours[title] = plain(program, xml)
        unlisted[title] = plain(program, re.sub(r"\n[*#:;][^\n]*(?=\n)", "", xml))
    found = reference_articles(reference_path, set(ours))
    missing = collections.Counter()
    surplus = collections.Counter()
    rows = table(ours, found, missing, surplus)
    if not rows:
        raise UserError(f"no article of {dump} is in {reference_path} too, of 200 tokens in both; "
                        "give two extractions of the same wiki")
    print("article\tacevec\treference\tcommon\trecall\tprecision")
    for row in rows:
        summary(row[0], [row])
    summary(f"all {len(rows)}", rows)
    rows = table(unlisted, found, collections.Counter(), collections.Counter())
    if rows:
        summary(f"all {len(rows)} without lists", rows)
    print("most missing:", missing.most_common(40))
    print("most surplus:", surplus.most_common(40))
    text = "".join(ours.values())
    with open(reference_path, encoding="utf-8", errors="replace") as stream:
        reference = stream.read()
    for mark in MARKUP:
        print(f"{mark}\t{1e6 * text.count(mark) / len(text):.1f}\t"
              f"{1e6 * reference.count(mark) / len(reference):.1f}")


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("dump", metavar="DUMP.xml")
    parser.add_argument("reference", metavar="REFERENCE.txt")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="acevec-wiki-") as scratch:
        compare(unpacked(options.dump, scratch), unpacked(options.reference, scratch))
    return 0


if __name__ == "__main__":
    run(main)
