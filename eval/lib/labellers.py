"""Programs that learn labels of texts: acevec sentence -labels, fasttext supervised, scikit-learn."""

import os
import time

from lib import acevec

OWN, FASTTEXT, REGRESSION = "acevec", "fasttext", "regression"


def labelled(path):
    """Return the texts of a file, and their labels."""
    with open(path, encoding="utf-8") as stream:
        rows = [line.rstrip("\n").split(" ", 1) for line in stream]
    return [text for _, text in rows], [label for label, _ in rows]


def regression(path, weight="1", words="1"):
    """Return a logistic regression on TF-IDF, trained on a file; weight is C, words the length of n-grams."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    terms = TfidfVectorizer(tokenizer=str.split, token_pattern=None, ngram_range=(1, int(words)))
    return make_pipeline(terms, LogisticRegression(C=float(weight), max_iter=300)).fit(*labelled(path))


class Labellers:
    """Trains and tests these programs, one model at a time, with one thread; files are in a folder."""

    def __init__(self, folder):
        self.own, self.folder = acevec.find_acevec(), folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, lines):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.writelines(lines)
        return self.path(name)

    def learn(self, program, train, options, seed):
        """Train on a file; return the processor seconds. Options of the regression are its arguments."""
        if program == REGRESSION:
            before = time.process_time()
            self.model = regression(train, *options)
            return time.process_time() - before
        before = acevec.processor_seconds()
        if program == OWN:
            command = [self.own, "sentence", "-labels", train, "-debug", "0", "-threads", "1"]
        else:
            command = [program, "supervised", "-input", train, "-verbose", "0", "-thread", "1"]
        acevec.call([*command, "-output", self.path("model"), "-seed", str(seed), *options])
        return acevec.processor_seconds() - before

    def score(self, program, test):
        """Return how many labels of the file the model finds. fastText leaves texts of unknown labels out."""
        if program == REGRESSION:
            texts, labels = labelled(test)
            return self.model.score(texts, labels) * len(labels)
        command = [self.own, "sentence", "test"] if program == OWN else [program, "test"]
        out, _ = acevec.call([*command, self.path("model" if program == OWN else "model.bin"), test])
        count, precision = (float(line.split()[1]) for line in out.splitlines()[:2])
        return count * precision
