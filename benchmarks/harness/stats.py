"""Few numbers that stand for many."""
import random, statistics


def median(values):
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


def cell(values, form):
    """Median (least to most); the value alone if there is one; - for none."""
    values = [v for v in values if v is not None]
    if not values:
        return "-"
    if len(values) == 1:
        return form(values[0])
    return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"


def around(values, form):
    """Mean and half of the range."""
    values = [v for v in values if v is not None]
    if not values:
        return "-"
    mean = form(statistics.mean(values))
    return mean if len(values) == 1 else f"{mean} ± {form((max(values) - min(values)) / 2).lstrip('+')}"


def median_interval(values, draws=10_000, level=0.95):
    """Interval of the median by the bootstrap: what medians of as many values, drawn again, come to. Seeded, so it repeats."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(draws))
    cut = int(draws * (1 - level) / 2)
    return medians[cut], medians[-1 - cut]
