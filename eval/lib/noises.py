"""The noises that are compared for word vectors: see papers/noise_word.py and papers/agnews.py."""

from lib.comparison import Setting


def solved(noise, precision, budget):
    """The setting of a noise that is solved for."""
    return Setting(f"{noise} {precision} {budget}",
                   f"-noise {named(noise, precision)} -noise-budget {budget}")


def named(noise, precision):
    """The value of -noise for a noise and the distance it is solved with."""
    usual = {"qcem": "isotropic", "entropy": "relative"}[noise]
    return noise if precision == usual else f"{noise}-{precision}"


def power(exponent):
    """The setting of the noise in proportion to count^exponent."""
    return Setting(f"power {exponent}", f"-noise power -noise-power {exponent}")


POWER = power(0.75)  # word2vec's, the baseline
UNIGRAM = Setting("unigram", "-noise unigram")
UNIFORM = Setting("uniform", "-noise uniform")
NOISES = {
    "sizes": [POWER, UNIGRAM, UNIFORM, solved("qcem", "isotropic", 0.9),
              solved("qcem", "relative", 0.1), solved("entropy", "relative", 0.1)],
    "budgets": [POWER, power(0.5), UNIGRAM, UNIFORM,
                *(solved("qcem", "isotropic", budget) for budget in (0.9, 0.97)),
                *(solved("qcem", "relative", budget) for budget in (0.03, 0.1, 0.3)),
                *(solved("entropy", "relative", budget) for budget in (0.03, 0.1, 0.3)),
                solved("entropy", "isotropic", 0.001)],
}


def noise_names(text):
    """Parse names of noises, `power 0.75,uniform` (for argparse)."""
    known = {noise.name: noise for noise in NOISES["budgets"]}
    chosen = [known.get(name.strip()) for name in text.split(",")]
    if None in chosen:
        raise ValueError(text)
    return chosen
