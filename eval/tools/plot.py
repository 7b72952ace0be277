#!/usr/bin/env python3
"""Draw the results of training.

    acevec -train corpus.txt -output noise.bin -log noise.tsv -save-every 5%
    acevec -train corpus.txt -output ace.bin -log ace.tsv -save-every 5% -ace 1
    eval/tools/plot.py curves curves.png NCE=noise.tsv ACE=ace.tsv
    eval/tools/plot.py map map.svg ace.bin                         # the 150 most frequent words
    eval/tools/plot.py map map.png ace.bin king bread --near 10    # words with their neighbours

curves: quality, losses, entropy and learning rate of runs, against tokens (above) and seconds
(below). A run is a file that -log wrote. Quality is Spearman's rho x100 on WS353 and RW over the
covered pairs (eval/tools/wordsim.py), of the vectors that the log's last column names: snapshots and
the end. Its points are also written as a table, curves.tsv for curves.png. Figures 3 and 4 of the ACE
paper (2018).

map: words in the plane, by cosine: PCA keeps the two directions of most variance, t-SNE keeps
neighbours together. The ending decides: .png, .svg or .pdf.
"""

import os
import sys
import warnings

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib",
                        *(["sklearn"] if sys.argv[1:2] == ["map"] else []))

import numpy as np
from matplotlib.transforms import Bbox

from lib import curves, plots
from lib.cli import Parser, UserError, count, run, say, split_label
from lib.similarity import read_pairs, set_name
from lib.texts import add_wordsim_option, find_sets
from lib.vectors import load_vectors

ENDINGS = (".png", ".pdf", ".svg")
METHODS = {"pca": "PCA", "tsne": "t-SNE"}
LEAST_WORDS = 3  # t-SNE has nothing to do with fewer
GREY = "0.35"
# Where a label may stand beside its point: points to the right, points up, and how it is aligned.
NEAR = ((5, 0, "left", "center"), (-5, 0, "right", "center"), (0, 5, "center", "bottom"),
        (0, -5, "center", "top"), (4, 4, "left", "bottom"), (4, -4, "left", "top"),
        (-4, 4, "right", "bottom"), (-4, -4, "right", "top"))
PLACES = tuple((far * right, far * up, *aligned) for far in (1, 3, 5, 8, 12, 18, 26, 36)
               for right, up, *aligned in NEAR)
LINE_FROM = 15  # points from the point on, a line leads to the label


def draw_curves(options):
    sets = {set_name(path): read_pairs(path)
            for path in find_sets(options.wordsim, ("ws353", "rw"))}
    runs = [curves.read_run(*split_label(text), sets) for text in options.runs]
    axes = ("tokens", "seconds") if options.against == "both" else (options.against,)
    plots.save(curves.draw(runs, list(sets), axes), options.plot)
    if sets:
        curves.write_points(runs, list(sets), os.path.splitext(options.plot)[0] + ".tsv")


def unit_vectors(path, wanted=None):
    """Return (words, matrix with rows of length 1); of a word that comes twice the first."""
    words, matrix = load_vectors(path, wanted)
    first = sorted({word: row for row, word in reversed(list(enumerate(words)))}.values())
    matrix = matrix[first].astype(np.float64)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-30)
    return [words[row] for row in first], matrix


def choose_words(options):
    """Return (words, matrix, groups): what the map shows; groups: of each word its asked one."""
    if not options.words:
        words, matrix = unit_vectors(options.vectors)
        words = words[:options.top]
        return words, matrix[:options.top], [""] * len(words)
    words, matrix = unit_vectors(options.vectors, None if options.near else options.words)
    rows = {word: row for row, word in enumerate(words)}
    asked = list(dict.fromkeys(options.words))
    missing = [word for word in asked if word not in rows]
    if missing:
        say(f"{options.vectors} has no vector for {', '.join(missing)}; left out")
    group = {}
    for word in asked:
        if word in rows:
            group[word] = word
    for word in list(group):
        nearest = np.argsort(-(matrix @ matrix[rows[word]]), kind="stable")
        for row in nearest[1:options.near + 1]:
            group.setdefault(words[row], word)
    return list(group), matrix[[rows[word] for word in group]], list(group.values())


def project(matrix, method, seed):
    """Return two coordinates a row."""
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits
    if method == "pca":
        return PCA(2, random_state=seed).fit_transform(matrix)
    # Of vectors of length 1, Euclidean distance has the order of the cosine.
    perplexity = min(30, (len(matrix) - 1) / 3)
    # More threads than free cores would wait for each other; for a few hundred words one is enough.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # of versions to come
        return TSNE(2, perplexity=perplexity, init="pca", learning_rate="auto",
                    random_state=seed).fit_transform(matrix)


def label_points(panel, places, words, colours):
    """Write each word beside its point, where there is room, the first words first.

    A word that has room only far away gets a line to its point; in a crowd the last may overlap.
    """
    renderer = panel.figure.canvas.get_renderer()
    room = panel.get_window_extent(renderer)
    taken = [Bbox.from_bounds(x - 1, y - 1, 2, 2) for x, y in panel.transData.transform(places)]
    for word, place, colour in zip(words, places, colours):
        label = panel.annotate(word.replace("$", r"\$"), place, xytext=(0, 0),
                               textcoords="offset points", fontsize=8, color=colour)
        for right, up, horizontal, vertical in PLACES:
            label.set(position=(right, up), ha=horizontal, va=vertical)
            box = label.get_window_extent(renderer)
            inside = room.x0 < box.x0 and box.x1 < room.x1 and room.y0 < box.y0 and box.y1 < room.y1
            if inside and not any(box.overlaps(other) for other in taken):
                break
        else:
            label.set(position=NEAR[0][:2], ha="left", va="center")
            box, right, up = label.get_window_extent(renderer), 0, 0
        taken.append(box)
        if abs(right) + abs(up) >= LINE_FROM:
            panel.annotate("", place, xytext=(right, up), textcoords="offset points",
                           arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5})


def draw_map(options):
    words, matrix, groups = choose_words(options)
    if len(words) < LEAST_WORDS:
        raise UserError(f"{len(words)} words are too few for a map; give at least {LEAST_WORDS}, "
                        "or --near")
    heads = list(dict.fromkeys(groups))
    coloured = options.near > 0 and options.words
    colours = [plots.colour(heads.index(group)) if coloured else GREY for group in groups]
    methods = list(METHODS) if options.method == "both" else [options.method]
    figure, panels = plots.panels(1, len(methods), 8 * len(methods), 8)
    for method, panel in zip(methods, panels[0]):
        places = project(matrix, method, options.seed)
        panel.scatter(*places.T, s=9, c=colours, linewidths=0)
        panel.set_title(METHODS[method])
        panel.set(xticks=[], yticks=[])
        panel.margins(0.08)
        figure.canvas.draw()  # labels need to know where things are
        label_points(panel, places, words, colours)
    plots.save(figure, options.plot)


def parse_arguments():
    parser = Parser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="curves|map")
    add = commands.add_parser("curves", help="of runs").add_argument
    add("plot", metavar="PLOT.png")
    add("runs", metavar="[LABEL=]LOG.tsv", nargs="+", help="what -log wrote")
    add("--against", choices=(*curves.AXES, "both"), default="both")
    add_wordsim_option(commands.choices["curves"])
    add = commands.add_parser("map", help="of words").add_argument
    add("plot", metavar="PLOT.png")
    add("vectors", metavar="VECTORS")
    add("words", metavar="WORD", nargs="*", help="(default: the most frequent)")
    add("--top", type=count, metavar="N", default=150, help="how many without WORDs (150)")
    add("--near", type=count, metavar="N", default=0, help="also show N neighbours of each WORD")
    add("--method", choices=(*METHODS, "both"), default="both")
    add("--seed", type=int, metavar="N", default=1, help="random seed of t-SNE")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if os.path.splitext(options.plot)[1].lower() not in ENDINGS:
        raise UserError(f"{options.plot}: not the name of a picture; give PLOT.png, then the files")
    {"curves": draw_curves, "map": draw_map}[options.command](options)
    return 0


if __name__ == "__main__":
    run(main)
