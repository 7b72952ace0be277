#!/usr/bin/env python3
"""Gather runs of acevec into one HTML page that needs no other file.

    acevec -train corpus.txt -output noise.bin -log noise.tsv -save-every 10%
    acevec -train corpus.txt -output ace.bin -log ace.tsv -save-every 10% -ace 1
    eval/tools/report.py report.html noise.bin ACE=ace.bin --words king,bread,january

A run is its vectors; VECTORS.json beside them, which acevec wrote, has its settings and names its
log. The page shows where settings differ, their results, curves from the logs, scores on word
similarity sets, and neighbours of words, with those that one run alone has in bold. ACEVEC is the
program to ask for neighbours, build/acevec when not given.
"""

import base64
import html
import io
import json
import os
from typing import NamedTuple

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib")

from lib import curves
from lib.acevec import find_acevec, neighbours
from lib.cli import Parser, UserError, count, run, say, split_label
from lib.similarity import read_pairs, score_set, set_name
from lib.texts import add_wordsim_option, find_sets
from lib.vectors import load_vectors

# Ranks by frequency of the words to show neighbours of, where none are given.
USUAL_RANKS = (200, 400, 800, 1600, 3200)
FILES = {"train", "output", "log"}  # differ between runs without being settings
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; margin: 2rem auto; max-width: 75rem;
  padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem }
table { border-collapse: collapse; margin: .6rem 0 }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid #e4e4e4 }
th { font-weight: 600 } th.run { white-space: nowrap }
td.number { text-align: right; font-variant-numeric: tabular-nums }
tr.differs td { background: #fff4d6 }
pre { background: #f5f5f5; padding: .7rem; white-space: pre-wrap; overflow-wrap: anywhere }
img { width: 100% } small, .note { color: #777 } summary { cursor: pointer }
"""


class Run(NamedTuple):
    """A run: its label, the path of its vectors, what its JSON says ({} without), its log or ""."""

    label: str
    vectors: str
    record: dict
    log: str


def read_run(text):
    """Return the Run of `LABEL=VECTORS` or `VECTORS`."""
    label, path = split_label(text)
    record = {}
    try:
        with open(path + ".json", encoding="utf-8") as stream:
            record = json.load(stream)
    except FileNotFoundError:
        say(f"{path} has no {path}.json beside it, so its settings are not shown; train it again")
    except ValueError:
        record = None
    if not isinstance(record, dict) or record and not isinstance(record.get("settings"), dict):
        raise UserError(f"{path}.json: not a record of a run; move it away or train again")
    named = record.get("settings", {}).get("log") or ""
    log = curves.vectors_of({"vectors": named}, path) if named else ""
    if log and not os.path.exists(log):
        say(f"{path}: its log {log} is gone, so it has no curves; put it beside the vectors")
        log = ""
    return Run(label, path, record, log)


def cell(value, kind="td", **attributes):
    """Return a cell of a table; numbers stand at its right side."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        attributes["class"] = "number"
        value = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    text = "–" if value is None else {True: "1", False: "0"}.get(value, str(value))
    names = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{kind}{names}>{html.escape(text)}</{kind}>"


def table(head, rows):
    """Return a table; rows: (class or "", [cells as HTML])."""
    lines = ["<table>", "<tr>" + "".join(cell(text, "th") for text in head) + "</tr>"]
    for kind, cells in rows:
        lines.append((f'<tr class="{kind}">' if kind else "<tr>") + "".join(cells) + "</tr>")
    return "\n".join([*lines, "</table>"])


def settings_section(runs):
    """Return the settings: first those that differ, the others folded away."""
    head = ["", *(one.label for one in runs)]
    names = list(dict.fromkeys(name for one in runs for name in one.record.get("settings", {})))
    differing, equal = [], []
    for name in names:
        values = [one.record.get("settings", {}).get(name) for one in runs]
        # 1 and true are equal in Python, and of no two types in a setting.
        differs = any(value != values[0] for value in values)
        row = ("differs" if differs and name not in FILES else "",
               [cell("-" + name), *(cell(value if value is None or isinstance(value, bool)
                                         else str(value)) for value in values)])
        (differing if differs else equal).append(row)
    parts = ["<h2>Settings</h2>"]
    if not names:
        return "\n".join([*parts, '<p class="note">No run has a record.</p>'])
    if differing:
        parts += ["<p>Where the runs differ:</p>", table(head, differing)]
    elif len(runs) > 1:
        parts.append("<p>The runs have the same settings.</p>")
    parts.append(f"<details{'' if differing or len(runs) > 1 else ' open'}><summary>The other "
                 f"{len(equal)} settings</summary>{table(head, equal)}</details>")
    parts.append("<details><summary>Commands that repeat the runs</summary>")
    parts += [f"<p>{html.escape(one.label)}, acevec {html.escape(str(one.record['acevec']))}</p>"
              f"<pre>{html.escape(one.record['command'])}</pre>" for one in runs if one.record]
    return "\n".join([*parts, "</details>"])


def results_section(runs, sets):
    """Return what came of the runs: text, loss, time, and scores on the sets, the best bold."""
    facts = (("tokens read", "text", "tokens"), ("words kept", "text", "words"),
             ("seconds of training", "training", "seconds"),
             ("mean loss of the last epoch", "training", "loss"),
             ("instruction set", "training", "instruction_set"))
    rows = [("", [cell(title), *(cell(one.record.get(part, {}).get(name)) for one in runs)])
            for title, part, name in facts]
    wanted = {word for pairs in sets.values() for pair in pairs for word in pair[:2]}
    scored = []
    for one in runs if sets else []:
        words, matrix = load_vectors(one.vectors, wanted)
        scored.append({name: score_set(pairs, words, matrix) for name, pairs in sets.items()})
    for name in sets:
        best = max((score[name].rho_covered for score in scored
                    if score[name].rho_covered == score[name].rho_covered), default=None)
        cells = [cell(f"{name.upper()}, ρ × 100")]
        for score in scored:
            _, covered, rho, _ = score[name]
            text = "–" if rho != rho else f"{rho:.1f}"
            text = f"<b>{text}</b>" if rho == best and len(runs) > 1 else text
            cells.append(f'<td class="number">{text} <small>{covered} pairs</small></td>')
        rows.append(("", cells))
    return "<h2>Results</h2>\n" + table(["", *(one.label for one in runs)], rows)


def curves_section(runs, sets):
    """Return the curves of the runs that have a log."""
    logged = [curves.read_run(one.label, one.log, sets) for one in runs if one.log]
    if not logged:
        return '<h2>Curves</h2>\n<p class="note">No run has a log; train with -log.</p>'
    names = list(sets) if any(one.points for one in logged) else []
    picture = io.BytesIO()
    curves.draw(logged, names, columns=3).savefig(picture, format="svg")
    source = base64.b64encode(picture.getvalue()).decode()
    return f'<h2>Curves</h2>\n<img alt="curves" src="data:image/svg+xml;base64,{source}">'


def usual_words(runs):
    """Return words of various frequency that all the runs have."""
    lists = [load_vectors(one.vectors)[0] for one in runs]
    common = set(lists[0]).intersection(*lists)
    shared = [word for word in lists[0] if word in common]
    return [shared[rank] for rank in USUAL_RANKS if rank < len(shared)] or shared[:5]


def neighbours_section(runs, words, last):
    """Return the nearest words in each run; in bold those that no other run has there."""
    program = find_acevec()
    found = [neighbours(program, one.vectors, words, last) for one in runs]
    rows = []
    for word in words:
        lists = [list(one.get(word, {}).values()) for one in found]
        cells = [cell(word, "th")]
        for number, own in enumerate(lists):
            others = {other for at, other_list in enumerate(lists) if at != number
                      for other in other_list}
            shown = [html.escape(other) if other in others or len(runs) == 1
                     else f"<b>{html.escape(other)}</b>" for other in own]
            cells.append(f"<td>{', '.join(shown) or '–'}</td>")
        rows.append(("", cells))
    note = "<p>Bold: not among the other runs' nearest.</p>\n" if len(runs) > 1 else ""
    return "<h2>Neighbours</h2>\n" + note + table(["", *(one.label for one in runs)], rows)


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("page", metavar="PAGE.html")
    parser.add_argument("runs", metavar="[LABEL=]VECTORS", nargs="+")
    parser.add_argument("--words", metavar="WORD,..", type=lambda text: text.split(","),
                        help="to show neighbours of (default: words of various frequency)")
    parser.add_argument("--near", metavar="N", type=count, default=10, help="neighbours (10)")
    parser.add_argument("--title", default="Runs of acevec")
    add_wordsim_option(parser)
    options = parser.parse_args()
    if not options.page.lower().endswith((".html", ".htm")):
        raise UserError(f"{options.page}: not the name of a page; give PAGE.html, then the vectors")

    runs = [read_run(text) for text in options.runs]
    if len({one.label for one in runs}) < len(runs):
        raise UserError("two runs have the same label; give LABEL=VECTORS")
    sets = {set_name(path): read_pairs(path)
            for path in find_sets(options.wordsim, ("ws353", "rw"))}
    sections = [settings_section(runs), results_section(runs, sets), curves_section(runs, sets),
                neighbours_section(runs, options.words or usual_words(runs), options.near)]
    title = html.escape(options.title)
    page = "\n".join([f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>'
                      f"\n<style>{STYLE}</style>\n<h1>{title}</h1>", *sections, "</html>\n"])
    with open(options.page, "w", encoding="utf-8") as stream:
        stream.write(page)
    return 0


if __name__ == "__main__":
    run(main)
