"""The noises that are compared for word vectors: see papers/noise_word.py and papers/agnews.py."""

from lib.comparison import Setting


def solved(noise, budget):
    """The setting of a noise that is solved for."""
    return Setting(f"{noise} {budget}", f"-noise {noise} -noise-budget {budget}")


def power(exponent):
    """The setting of the noise in proportion to count^exponent."""
    return Setting(f"power {exponent}", f"-noise power -noise-power {exponent}")


POWER = power(0.75)  # word2vec's, the baseline
UNIGRAM = Setting("unigram", "-noise unigram")
UNIFORM = Setting("uniform", "-noise uniform")
NOISES = {
    "sizes": [POWER, UNIGRAM, UNIFORM, solved("qcem", 0.9), solved("qcem-relative", 0.1),
              solved("entropy", 0.1)],
    "budgets": [POWER, power(0.5), UNIGRAM, UNIFORM,
                *(solved("qcem", budget) for budget in (0.9, 0.97)),
                *(solved("qcem-relative", budget) for budget in (0.03, 0.1, 0.3)),
                *(solved("entropy", budget) for budget in (0.03, 0.1, 0.3)),
                solved("entropy-isotropic", 0.001)],
}


def noise_names(text):
    """Parse names of noises, `power 0.75,uniform` (for argparse)."""
    known = {noise.name: noise for noise in NOISES["budgets"]}
    chosen = [known.get(name.strip()) for name in text.split(",")]
    if None in chosen:
        raise ValueError(text)
    return chosen
