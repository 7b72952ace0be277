"""Means, spreads and paired differences over seeds, as numbers and as text."""

from statistics import mean, stdev


def interval(values):
    """Return the half width of the 95 % confidence interval of the mean, None of fewer than two."""
    if len(values) < 2:
        return None
    from scipy.stats import t  # not before the runs: see measure in acevec.py
    return t.ppf(0.975, len(values) - 1) * stdev(values) / len(values) ** 0.5


def difference(values):
    """Paired differences as text: mean and, of more than one, 95 % confidence interval."""
    width = interval(values)
    middle = mean(values)
    return f"{middle:+.2f}" + (
        f" [{middle - width:+.2f}, {middle + width:+.2f}]" if width is not None else "")


def mean_text(values, digits):
    """Mean and, of more than one, standard deviation of numbers."""
    values = list(values)
    spread = f" ± {stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):.{digits}f}{spread}"


def summary(rows, names, results, digits=lambda name: 2):
    """Yield lines of means and standard deviations over the seeds.

    names: the columns that tell settings apart; results: those with numbers; digits(name): decimals.
    """
    yield "\t".join((*names, "seeds", *results))
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    for which, group in groups.items():
        cells = [mean_text([row[name] for row in group], digits(name)) for name in results]
        yield "\t".join((*map(str, which), str(len(group)), *cells))
