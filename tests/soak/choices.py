"""What soak runs choose from: made-up texts, graphs and points, and random options of each task."""


def make_text(path, lines, rng):
    """Write lines of words with Zipf-like frequencies, about topics, so that there is to learn."""
    with open(path, "w", encoding="ascii") as file:
        for _ in range(lines):
            topic = rng.randrange(20)
            words = (f"w{int(rng.paretovariate(0.8)) % 3000}" if rng.random() < 0.6 else
                     f"t{topic}x{rng.randrange(40)}" for _ in range(rng.randrange(2, 25)))
            file.write(" ".join(words) + "\n")


def make_pairs(path, concepts, rng):
    """Write the closure of a random tree, for acevec order."""
    above = [[]]
    for i in range(1, concepts):
        parent = rng.randrange(i)
        above.append([parent, *above[parent]])
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"c{i}\tc{j}\n" for i in range(concepts) for j in above[i])


def make_triples(path, entities, rng):
    """Write a graph whose relations lead some places on, with exceptions, for acevec kg."""
    with open(path, "w", encoding="ascii") as file:
        for i in range(entities):
            for relation in range(6):
                to = (i + 3 * relation + 1) % entities if rng.random() < 0.8 else rng.randrange(entities)
                file.write(f"e{i}\tr{relation}\te{to}\n")


def order_options(rng):
    """Return options of acevec order."""
    options = ["-iter", str(rng.choice([3, 10, 30])), "-size", str(rng.choice([2, 10, 20])),
               "-seed", str(rng.randrange(1000)), "-batch", str(rng.choice([20, 100])),
               "-report-every", str(rng.choice([10, 40]))]
    options += rng.choice([[], [], ["-geometry", "cone"], ["-start", "nested"]])
    if rng.random() < 0.5:
        options += ["-ace", "1", *rng.choice([[], ["-ace-sampler", "critic"]])]
    return options + rng.choice([[], [], ["-patience", "4"]])


def kg_options(rng, valid):
    """Return options of acevec kg."""
    options = ["-iter", str(rng.choice([3, 10, 40])), "-size", str(rng.choice([2, 10, 20])),
               "-seed", str(rng.randrange(1000)), "-batch", str(rng.choice([20, 100])),
               "-score", rng.choice(["transd", "transe", "rotate", "distmult", "complex"]),
               "-loss", rng.choice(["margin", "ns"]),
               "-report-every", "2"]
    if rng.random() < 0.5:
        options += ["-ace", "1", "-ace-candidates", "30"]
        options += rng.choice([[], ["-ace-sampler", "learned"],
                               ["-ace-sampler", "learned", "-ace-estimator", "reinforce"]])
    if rng.random() < 0.5:
        options += [*rng.choice([["-valid", valid], ["-heldout", "0.1"]]), *rng.choice([[], ["-patience", "3"]])]
    return options


def make_sentences(path, documents, rng):
    """Write documents of sentences about a topic each, for acevec sentence."""
    with open(path, "w", encoding="ascii") as file:
        for _ in range(documents):
            topic = rng.randrange(20)
            for _ in range(rng.randrange(1, 12)):
                words = (f"w{int(rng.paretovariate(0.8)) % 500}" if rng.random() < 0.5 else
                         f"t{topic}x{rng.randrange(20)}" for _ in range(rng.randrange(1, 20)))
                file.write(" ".join(words) + "\n")
            file.write("\n")


def sentence_options(rng):
    """Return options of acevec sentence."""
    encoder = rng.choice(["bag", "bag", "gru"])
    options = ["-iter", str(rng.choice([1, 2, 4])), "-size", str(rng.choice([2, 10, 20])),
               "-seed", str(rng.randrange(1000)), "-batch", str(rng.choice([16, 64])),
               "-encoder", encoder, "-context", rng.choice(["1", "3"])]
    options += rng.choice([[], ["-block", "2"]])
    if rng.random() < 0.4:
        options += ["-ace", "1"]
    if rng.random() < 0.4:
        options += ["-heldout", "0.1", *rng.choice([[], ["-patience", "3"]])]
    return options


def text_pair_options(rng):
    """Return options of acevec sentence -pairs."""
    options = ["-iter", str(rng.choice([1, 2, 4])), "-size", str(rng.choice([2, 10, 20])),
               "-seed", str(rng.randrange(1000)), "-batch", str(rng.choice([16, 64])),
               "-anchor", rng.choice(["0", "3"]), "-scale", rng.choice(["1", "12"]),
               "-hard", rng.choice(["0", "0", "2"])]
    if rng.random() < 0.4:
        options += ["-ace", "1"]
    if rng.random() < 0.4:
        options += ["-heldout", "0.1", *rng.choice([[], ["-patience", "3"]])]
    return options


def make_labelled(path, lines, rng):
    """Write texts with one or two labels of eight, whose words tell them, for acevec sentence -labels."""
    with open(path, "w", encoding="ascii") as file:
        for _ in range(lines):
            labels = rng.sample(range(8), rng.choice([1, 1, 2]))
            words = (f"t{rng.choice(labels)}x{rng.randrange(20)}" if rng.random() < 0.5 else f"w{rng.randrange(200)}"
                     for _ in range(rng.randrange(1, 20)))
            file.write(" ".join([*(f"__label__{label}" for label in labels), *words]) + "\n")


def label_options(rng):
    """Return options of acevec sentence -labels."""
    options = ["-iter", str(rng.choice([1, 2, 4])), "-size", str(rng.choice([2, 10, 20])),
               "-seed", str(rng.randrange(1000)), "-batch", str(rng.choice([16, 64])),
               "-anchor", rng.choice(["0", "3"])]
    if rng.random() < 0.4:
        options += ["-heldout", "0.1", *rng.choice([[], ["-patience", "3"]])]
    return options


def make_points(path, labels, points, rng):
    """Write points of some classes around their means, and their labels, for acevec metric."""
    means = [[rng.gauss(0, 1) for _ in range(6)] for _ in range(8)]
    with open(path, "w", encoding="ascii") as file, open(labels, "w", encoding="ascii") as names:
        file.write(f"{points} 6\n")
        for i in range(points):
            label = rng.randrange(8)
            file.write(f"p{i} " + " ".join(f"{x + rng.gauss(0, 0.7):.4f}" for x in means[label]) +
                       "\n")
            names.write(f"p{i} class {label}\n")


def metric_options(rng):
    """Return options of acevec metric."""
    negatives = rng.choice(["uniform", "hardest", "semi-hard", "uncertain", "critic", "learned", "learned"])
    options = ["-iter", str(rng.choice([5, 20])), "-size", str(rng.choice([1, 8])),
               "-hidden", rng.choice(["0", "16", "20,10"]), "-batch", str(rng.choice([20, 64])),
               "-seed", str(rng.randrange(1000)), "-ace-sampler", negatives,
               "-negative", str(rng.choice([1, 3])), "-margin", rng.choice(["0.1", "1"])]
    if negatives == "learned":
        options += rng.choice([[], ["-ace-lambda", "0.2"]])
    if rng.random() < 0.4:
        options += ["-heldout", "0.1", *rng.choice([[], ["-patience", "3"]])]
    return options


def without(name, options):
    """Return the options without one and its value."""
    if name not in options:
        return options
    at = options.index(name)
    return options[:at] + options[at + 2:]


def word_options(rng):
    """Return options that change what is trained of words."""
    options = ["-iter", str(rng.choice([1, 2, 3])), "-size", str(rng.choice([1, 8, 20])),
               "-seed", str(rng.randrange(1000)), "-window", str(rng.choice([1, 3, 5]))]
    options += rng.choice([[], ["-optimizer", "adam"], ["-optimizer", "adagrad"], ["-negative", "12"],
                           ["-sample", "0"]])
    options += rng.choice([[], [], ["-one-sided", "1"]])
    loss = rng.choice(["ns", "ns", "nce", "ranking"])
    options += ["-loss", loss, *(["-alpha", "0.002"] if loss == "ranking" else [])]
    ace = rng.choice(["", "critic", "learned", "learned", "reinforce", "off-policy", "full"])
    if ace:
        options += ["-ace", "1", "-ace-filter", "1"]
    if ace == "learned":
        options += ["-ace-sampler", "learned"]
    elif ace in ("reinforce", "off-policy"):
        options += ["-ace-sampler", "learned", "-ace-estimator", ace, "-ace-lambda", "0.5"]
    elif ace == "full":
        if loss != "ns":
            options[options.index("-loss") + 1] = "ns"
        options += ["-ace-sampler", rng.choice(["critic", "learned"])]
        options += ["-ace-softmax", "full", "-max-vocab", "500"]
    if rng.random() < 0.4:
        options += ["-heldout", "0.02"]
        if rng.random() < 0.5:
            options += ["-patience", "3"]
    if rng.random() < 0.3:
        options += ["-output-context", "contexts.txt"]
    return options
