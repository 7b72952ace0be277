#!/usr/bin/env python3
"""Noise for estimating a density: section 3.1 of Kekeç, Mimno and Tax 2019 (Figures 3 and 4).

The density p_d(u) ∝ exp Σ θ_j φ_j(u) on [-2π, 2π], with φ the sines and cosines of ku/2, k = 1, 2,
.., is to be found from a few samples: θ and the normaliser Z of ln p_m = Σ θ_j φ_j + Z by
noise-contrastive estimation, as many negatives as data, with stochastic gradient steps. The noise
that negatives are drawn from is made from the same samples:

  UNI   uniform, which the paper only speaks of
  UNV   the normal density with the samples' mean and variance
  KDE   their kernel density estimate, with Silverman's bandwidth
  EF    the exponential family of p_d's own statistics, with the samples' moments
  ENT   largest entropy within a distance of the KDE      (Eq. 4; `acevec noise -noise entropy`)
  QCEM  the smoothest within that distance of the KDE     (Eq. 5; `acevec noise -noise qcem`)

All densities are held as probabilities of equal cells of the interval, so sampling, noise and
Kullback-Leibler divergence, KL(p_d || p_m) of the normalised p_m in nats, have no other error.
`acevec noise` gets the KDE as counts, of 2^40 in all. It smooths over cells in the order of their
probability, as Eq. 5 with its ordered d, not in the order of u. MLE is the maximum of the
likelihood, which is what EF's noise already is: what these samples can give.

Each repetition has its own samples, negatives and start, shared by all noises. Writes a table of KL
against iterations, TABLE.png with its means and quartiles, and TABLE-fits.png with the first
repetition's fits early on, while the noises still differ. A repetition is in the table as soon as it
is done; a restarted script continues where it was.
"""

import os

from lib import interpreter

if __name__ == "__main__":
    interpreter.require("numpy", "scipy", "matplotlib")

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logsumexp
from scipy.stats import gaussian_kde, norm

from lib import acevec, grid, plots, stats
from lib.cli import Parser, count, run
from lib.tables import Table
from lib.texts import RESULTS

HALF = 2 * np.pi  # the interval is -HALF .. HALF
COLUMNS = ("noise", "repetition", "iteration", "kl", "log_mass")
SETTINGS = ("seed", "samples", "iterations", "batch", "alpha", "frequencies", "budget", "cells")
NOISES = 6  # how many noises() makes
EXPLAINED = {"UNI": "UNI, uniform", "UNV": "UNV, one normal density", "KDE": "KDE, kernel estimate",
             "EF": "EF, the density's own family", "ENT": "ENT, largest entropy",
             "QCEM": "QCEM, the smoothest", "MLE": "MLE, maximum of the likelihood"}


class Family(NamedTuple):
    """The cells of the interval and the statistics on them."""

    centres: np.ndarray     # u of each cell
    statistics: np.ndarray  # φ: a row for each cell

    def log_density(self, theta):
        """ln of the cells' probabilities under exp(θ·φ)."""
        return log_softmax(self.statistics @ theta)


def family(frequencies, cells):
    """The family with sin and cos of ku/2, k = 1 .. frequencies: whole periods of the interval."""
    centres = HALF * ((2 * np.arange(cells) + 1) / cells - 1)
    angles = np.outer(centres, np.arange(1, frequencies + 1) / 2)
    return Family(centres, np.hstack([np.sin(angles), np.cos(angles)]))


def sample(random, probabilities, size):
    """Draw cells by the inverse of the cumulated probabilities."""
    sums = np.cumsum(probabilities)
    return np.searchsorted(sums, random.random(size) * sums[-1], side="right")


def moment_match(fam, data):
    """Return θ whose expected statistics are the data's: the maximum of the likelihood."""
    moments = fam.statistics[data].mean(0)

    def loss(theta):  # and its gradient
        logits = fam.statistics @ theta
        log_sum = logsumexp(logits)
        return (log_sum - moments @ theta,
                np.exp(logits - log_sum) @ fam.statistics - moments)

    return minimize(loss, np.zeros(len(moments)), jac=True, method="BFGS",
                    options={"gtol": 1e-8}).x


def normal_density(fam, data):
    """The normal density with the data's mean and variance, cut off at the interval's ends."""
    values = fam.centres[data]
    density = norm.pdf(fam.centres, values.mean(), values.std())
    return density / density.sum()


def kernel_density(fam, data):
    """The data's kernel density estimate, cut off at the interval's ends."""
    density = gaussian_kde(fam.centres[data], "silverman")(fam.centres)
    return density / density.sum()


def solved_noise(program, density, *options):
    """What `acevec noise` with these options makes of a density."""
    counts = np.maximum(np.rint(density * 2**40), 1).astype(np.int64)
    rows, _ = acevec.call([program, "noise", "-", *options],
                          "".join(f"{cell}\t{n}\n" for cell, n in enumerate(counts)))
    return np.array([float(line.split("\t")[2]) for line in rows.splitlines()])


def noises(fam, data, program, budget):
    """Return {name: probabilities of the cells} for every noise, made from the data's cells."""
    kde = kernel_density(fam, data)

    def solved(name):
        return solved_noise(program, kde, "-noise", name, "-noise-budget", str(budget))

    return {"UNI": np.full(len(kde), 1 / len(kde)), "UNV": normal_density(fam, data), "KDE": kde,
            "EF": np.exp(fam.log_density(moment_match(fam, data))),
            "ENT": solved("entropy-isotropic"), "QCEM": solved("qcem")}


def divergence(log_p, log_q):
    """KL(p || q) in nats, of the logarithms of cells' probabilities."""
    return float(np.exp(log_p) @ (log_p - log_q))


def estimate(fam, data, noise, random, start, settings):
    """Noise-contrastive estimation of θ and Z; yield (iteration, θ, Z) at settings.report steps.

    data: cells; noise: their probabilities; start: θ to begin with, Z being uniform's.
    """
    features = np.hstack([fam.statistics, np.ones((len(noise), 1))])  # the last is Z's
    log_noise = np.log(noise)
    weights = np.append(start, -np.log(len(noise)))
    for step in range(settings.iterations + 1):
        if step in settings.report:
            yield step, weights[:-1], weights[-1]
        positives = random.choice(data, settings.batch)
        negatives = sample(random, noise, settings.batch)
        # ln p_m − ln p_n is the logit of "from the data" (Eq. 1).
        gradient = (expit(log_noise[positives] - features[positives] @ weights)
                    @ features[positives]
                    - expit(features[negatives] @ weights - log_noise[negatives])
                    @ features[negatives]) / settings.batch
        weights = weights + settings.alpha * gradient


class Settings(NamedTuple):
    """How the estimation goes."""

    iterations: int
    batch: int     # positives, and as many negatives, of an iteration
    alpha: float   # learning rate
    report: list   # iterations to report


def reported(iterations):
    """The iterations that are reported: 0 and about 12 for each power of ten."""
    steps = np.rint(10 ** np.arange(0, np.log10(iterations) + 1e-9, 1 / 12)).astype(int)
    return sorted({0, *steps.tolist(), iterations})


class Fit(NamedTuple):
    """A state of an estimation, for the picture."""

    noise: np.ndarray
    negatives: np.ndarray
    log_model: np.ndarray  # with the estimated Z, so not quite normalised


class Trial(NamedTuple):
    """What a repetition has of its own."""

    random: np.random.Generator
    data: np.ndarray   # cells
    start: np.ndarray  # θ
    noises: dict


def trial(fam, log_truth, number, options, program):
    """The samples of a repetition, and what is made of them."""
    random = np.random.default_rng([options.seed, number])
    data = sample(random, np.exp(log_truth), options.samples)
    start = random.normal(0, 1, fam.statistics.shape[1])
    return Trial(random, data, start, noises(fam, data, program, options.budget))


def estimates(fam, own, number, seed, settings):
    """Yield (name, noise, iteration, logits, Z) for all noises of a Trial."""
    for name, noise in own.noises.items():
        draws = np.random.default_rng([seed, number, 1])  # the same numbers for all noises
        for step, theta, z in estimate(fam, own.data, noise, draws, own.start, settings):
            yield name, noise, step, fam.statistics @ theta, z


def rows_of(fam, log_truth, own, number, seed, settings):
    """The rows of a repetition."""
    best = fam.log_density(moment_match(fam, own.data))
    found = [("MLE", 0, divergence(log_truth, best), 0.0)]
    for name, _, step, logits, z in estimates(fam, own, number, seed, settings):
        found.append((name, step, divergence(log_truth, log_softmax(logits)),
                      float(logsumexp(logits) + z)))
    return [{"noise": name, "iteration": step, "kl": f"{kl:.6f}", "log_mass": f"{mass:.6f}"}
            for name, step, kl, mass in found]


def fits_of(fam, own, number, seed, settings, last):
    """{noise: Fit} of a repetition, of the last reported iteration up to `last`."""
    report = [step for step in settings.report if step <= last]
    early = settings._replace(iterations=report[-1], report=report)
    return {name: Fit(noise, sample(own.random, noise, len(own.data)), logits + z)
            for name, noise, _, logits, z in estimates(fam, own, number, seed, early)}


def plot_curves(rows, path):
    """KL against iterations: means over the repetitions, with their quartiles."""
    figure, ((panel,),) = plots.panels(1, 1, 6.5, 4.2)
    names = [name for name in dict.fromkeys(row[0] for row in rows) if name != "MLE"]
    for number, name in enumerate(names):
        groups = {}
        for noise, _, step, kl, _ in rows:
            if noise == name and step:
                groups.setdefault(step, []).append(kl)
        low, high = np.quantile(list(groups.values()), (0.25, 0.75), axis=1)
        look = plots.style(number)
        panel.plot(list(groups), [np.mean(group) for group in groups.values()], label=EXPLAINED[name],
                   markevery=6, **look)
        panel.fill_between(list(groups), low, high, color=look["color"], alpha=0.15, linewidth=0)
    panel.axhline(np.mean([row[3] for row in rows if row[0] == "MLE"]), color="0.3",
                  linestyle=":", label=EXPLAINED["MLE"])
    plots.axes(panel, xscale="log", yscale="log", xlabel="gradient steps",
               ylabel="KL(density || model), nats")
    plots.legend(figure, panel, columns=2, title="lines: means over the repetitions; bands: quartiles")
    plots.save(figure, path)


def plot_fits(fam, log_truth, data, fits, path):
    """A panel for each noise: the density, the noise and the model."""
    scale = len(fam.centres) / (2 * HALF)  # of a cell's probability to a density
    truth = np.exp(log_truth) * scale
    model_colour, noise_colour, density_colour = map(plots.colour, range(3))
    figure, panels = plots.panels(2, (len(fits) + 1) // 2, 12, 5.6, sharex=True, sharey=True)
    for panel, (name, fit) in zip(panels.flat, fits.items()):
        model = np.exp(fit.log_model) * scale
        panel.fill_between(fam.centres, truth, model, color="0.8", label="error")
        panel.plot(fam.centres, truth, "--", color=density_colour, label="density")
        panel.plot(fam.centres, model, color=model_colour, label="model")
        panel.plot(fam.centres, fit.noise * scale, color=noise_colour, linewidth=1, label="noise")
        for height, cells, colour in ((-0.04, data, density_colour),
                                      (-0.08, fit.negatives, noise_colour)):
            panel.plot(fam.centres[cells], np.full(len(cells), height * truth.max()), "|",
                       color=colour, markersize=5, alpha=0.4)
        kl = divergence(log_truth, log_softmax(fit.log_model))
        panel.set_title(f"{EXPLAINED[name]}; KL {kl:.3f} nats", fontsize=9)
    for panel in panels[-1]:
        panel.set_xlabel("u, the point of the interval")
    for panel in panels[:, 0]:
        panel.set_ylabel("density")
    plots.legend(figure, panels.flat[0],
                 title="strokes below the curves: the samples (upper row) and the negatives (lower row)")
    plots.save(figure, path)


def steps_to(rows, name, level):
    """Median over the repetitions of the iterations in which a noise first gets KL to a level."""
    numbers = sorted({row[1] for row in rows})
    return np.median([min((step for noise, repeated, step, kl, _ in rows
                           if noise == name and repeated == number and kl <= level),
                          default=np.inf) for number in numbers])


def summarise(rows):
    """Print a line a noise: mean and standard deviation of KL at some iterations, and more."""
    last = max(row[2] for row in rows)
    steps = sorted({row[2] for row in rows})
    shown = [max(step for step in steps if step <= last * part) for part in (0.01, 0.1, 1)]
    print("noise", *(f"KL at {step}" for step in shown), "steps to 0.05", "log mass", sep="\t")
    for name in dict.fromkeys(row[0] for row in rows):
        cells = []
        for step in [0] if name == "MLE" else shown:
            group = [row for row in rows if row[0] == name and row[2] == step]
            kl = [row[3] for row in group]
            cells.append(stats.mean_text(kl, 4))
        print(name, *cells, "-" if name == "MLE" else f"{steps_to(rows, name, 0.05):.0f}",
              f"{np.mean([row[4] for row in group]):+.3f}", sep="\t")


def parse_arguments():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("--seed", type=count, default=1, metavar="N", help="of everything random (1)")
    add("--repetitions", type=count, default=10, metavar="N", help="(10)")
    add("--samples", type=count, default=500, metavar="N", help="from the density (500)")
    add("--iterations", type=count, default=10000, metavar="N", help="gradient steps (10000)")
    add("--batch", type=count, default=50, metavar="N",
        help="samples, and as many negatives, of an iteration (50)")
    add("--alpha", type=float, default=0.1, metavar="X", help="learning rate (0.1)")
    add("--frequencies", type=count, default=4, metavar="N",
        help="sines, and as many cosines (4)")
    add("--budget", type=float, default=0.5, metavar="X",
        help="of ENT and QCEM, as a part of the uniform distribution's distance (0.5)")
    add("--cells", type=count, default=512, metavar="N", help="of the interval (512)")
    add("--fits-at", type=count, default=150, metavar="N",
        help="the picture of fits has the last point of the table up to this iteration (150)")
    add("--quick", action="store_true", help="2 repetitions of 300 iterations")
    add("--out", metavar="FILE.tsv", default=os.path.join(RESULTS, "density.tsv"),
        help="table (eval/results/density.tsv)")
    options = parser.parse_args()
    if options.quick:
        options.repetitions, options.iterations = 2, 300
    changed = [f"--{name} {getattr(options, name)}" for name in SETTINGS
               if getattr(options, name) != parser.get_default(name)]
    options.settings = " ".join(changed) or None
    return options


def main():
    options = parse_arguments()
    program = acevec.find_acevec()
    fam = family(options.frequencies, options.cells)
    theta = np.random.default_rng(options.seed).normal(0, 1, fam.statistics.shape[1])
    log_truth = fam.log_density(theta)
    settings = Settings(options.iterations, options.batch, options.alpha,
                        reported(options.iterations))

    def make(which):
        number = which["repetition"]
        own = trial(fam, log_truth, number, options, program)
        return rows_of(fam, log_truth, own, number, options.seed, settings)

    table = Table(options.out, COLUMNS, {"settings": options.settings},
                  rows_each=1 + NOISES * len(settings.report))
    plan = [{"repetition": number} for number in range(1, options.repetitions + 1)]
    rows = [(row["noise"], row["repetition"], row["iteration"], row["kl"], row["log_mass"])
            for row in grid.complete(plan, make, table)]
    plain = os.path.splitext(options.out)[0]
    plot_curves(rows, plain + ".png")
    first = trial(fam, log_truth, 1, options, program)
    plot_fits(fam, log_truth, first.data,
              fits_of(fam, first, 1, options.seed, settings, options.fits_at), plain + "-fits.png")
    summarise(rows)
    return 0


if __name__ == "__main__":
    run(main)
