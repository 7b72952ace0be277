"""Programs that learn labels of texts: acevec sentence -labels and fasttext supervised."""

import os

from lib import acevec

OWN, FASTTEXT = "acevec", "fasttext"


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
        """Train on a file; return the processor seconds."""
        before = acevec.processor_seconds()
        if program == OWN:
            command = [self.own, "sentence", "-labels", train, "-debug", "0", "-threads", "1"]
        else:
            command = [program, "supervised", "-input", train, "-verbose", "0", "-thread", "1"]
        acevec.call([*command, "-output", self.path("model"), "-seed", str(seed), *options])
        return acevec.processor_seconds() - before

    def score(self, program, test):
        """Return how many labels of the file the model finds. fastText leaves texts of unknown labels out."""
        command = [self.own, "sentence", "test"] if program == OWN else [program, "test"]
        out, _ = acevec.call([*command, self.path("model" if program == OWN else "model.bin"), test])
        count, precision = (float(line.split()[1]) for line in out.splitlines()[:2])
        return count * precision
