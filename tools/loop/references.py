"""Writes reference values of statistics, computed by scipy and Evidently, which tests of loop compare with:

    tools/loop/install.sh
    ~/.cache/medley-evidently/bin/python tools/loop/references.py loop/src/test/resources/dev/medley/loop/drift/references.json

The seed is fixed, so that the same versions write the same file; the file says which. Large samples are not written but made
by a rule that both sides know: value i is ((i * 7919 + seed * 104729) mod 1000003) / 1000 + shift.
"""
import json, math, sys, warnings

import evidently, numpy as np, pandas as pd, scipy
from evidently.legacy.calculations.stattests import registry, utils
from evidently.legacy.core import ColumnType
from scipy import stats
from scipy.spatial import distance

warnings.simplefilter("ignore")
rng = np.random.default_rng(20261128)


def made(n, seed, shift):
    return ((np.arange(n, dtype=np.int64) * 7919 + seed * 104729) % 1000003) / 1000 + shift


def number_pairs():
    """Named pairs of samples."""
    for n, m in [(1, 1), (1, 5), (2, 3), (7, 7), (20, 31), (50, 50), (100, 64), (150, 90)]:
        yield "normal", rng.normal(size=n), rng.normal(0.3, 1.2, size=m)
        yield "equal", rng.normal(size=n), rng.normal(size=m)
    for n, m in [(10, 12), (60, 40), (100, 100)]:
        yield "ties", rng.integers(0, 4, n).astype(float), rng.integers(0, 5, m).astype(float)
        yield "heavy tail", rng.standard_cauchy(n), rng.standard_cauchy(m) * 2
        yield "tiny numbers", rng.normal(size=n) * 1e-9, rng.normal(size=m) * 1e-9
        yield "huge numbers", rng.normal(size=n) * 1e12 + 1e15, rng.normal(size=m) * 1e12 + 1e15
        yield "zeros", np.where(rng.random(n) < 0.8, 0, rng.exponential(size=n)), np.where(rng.random(m) < 0.6, 0, rng.exponential(size=m))
    yield "constant", np.full(9, 3.0), np.full(14, 3.0)
    yield "two constants", np.full(9, 3.0), np.full(14, 4.0)
    yield "apart", rng.normal(size=40), rng.normal(100, size=30)
    yield "the same", np.arange(30.0), np.arange(30.0)
    yield "one against many", np.array([0.5]), rng.normal(size=120)


def numbers():
    cases = []
    for name, a, b in number_pairs():
        a, b = np.array([float(repr(float(x))) for x in a]), np.array([float(repr(float(x))) for x in b])
        both = np.concatenate([a, b])
        edges = np.histogram_bin_edges(both, bins="sturges")
        p, q = utils.get_binned_data(pd.Series(a), pd.Series(b), ColumnType.Numerical, 30) if pd.Series(a).nunique() > 20 else (None, None)
        ks = {w: stats.ks_2samp(a, b, method=w) for w in ("auto", "exact", "asymp")}
        aw, bw = rng.random(len(a)) + 0.01, rng.random(len(b)) + 0.01
        inner = np.unique(np.quantile(a, np.arange(1, 10) / 10))
        cut = np.concatenate([[-np.inf], inner, [np.inf]])
        cases.append({
            "name": name, "reference": a.tolist(), "current": b.tolist(),
            "statistic": ks["auto"].statistic, "auto": ks["auto"].pvalue, "exact": ks["exact"].pvalue, "asymptotic": ks["asymp"].pvalue,
            "wasserstein": stats.wasserstein_distance(a, b),
            "referenceWeights": aw.tolist(), "currentWeights": bw.tolist(), "weighted": stats.wasserstein_distance(a, b, aw, bw),
            "edges": edges.tolist(), "stability": None if p is None else float(np.sum((p - q) * np.log(p / q))),
            "binned": [np.histogram(a, edges)[0].tolist(), np.histogram(b, edges)[0].tolist()],
            "quantileEdges": inner.tolist(), "quantileBinned": [np.histogram(a, cut)[0].tolist(), np.histogram(b, cut)[0].tolist()]})
    return cases


def large():
    cases = []
    for n, m, shift in [(1000, 1000, 0), (1000, 1000, 30), (3000, 2000, 8), (5000, 7000, 20), (9999, 10000, 12), (10001, 50, 60), (10001, 10, 200),
                        (20000, 3, 500), (12000, 15000, 9), (40000, 50000, 2), (100000, 100000, 1), (100000, 80000, 4), (20000, 200, 0), (60000, 60000, 0)]:
        a, b = made(n, 1, 0.0), made(m, 5, float(shift))
        ks = stats.ks_2samp(a, b)
        cases.append({"n": n, "m": m, "shift": float(shift), "statistic": ks.statistic, "auto": ks.pvalue, "wasserstein": stats.wasserstein_distance(a, b)})
    return cases


def tails():
    cases = []
    for n in [1, 2, 3, 5, 10, 30, 100, 139, 140, 141, 300, 1000, 5000, 30000, 200000, 1000000]:
        for z in [0.05, 0.2, 0.35, 0.5, 0.7, 0.86, 0.87, 1.0, 1.2, 1.48, 1.49, 2.0, 2.1, 3.0, 5.0]:
            d = z / math.sqrt(n)
            if d <= 1:
                cases.append({"n": n, "d": d, "above": stats.kstwo.sf(d, n)})
    return cases


def categories():
    cases = []
    pairs = [([5], [7]), ([10, 0], [0, 10]), ([3, 5], [4, 4]), ([100, 50, 3], [80, 70, 9]), ([1000000, 2000000, 5], [1003000, 1997000, 9]),
             ([0, 40, 60], [10, 40, 50]), ([10, 40, 50], [0, 40, 60]), ([1, 1, 1, 1], [1, 2, 1, 1]), ([10**9, 10**9], [10**9 + 50000, 10**9])]
    for k in [2, 3, 6, 20, 100]:
        for n, m in [(30, 20), (500, 400), (20000, 900)]:
            p = rng.dirichlet(np.ones(k)); q = 0.8 * p + 0.2 * rng.dirichlet(np.ones(k))
            pairs.append((rng.multinomial(n, p).tolist(), rng.multinomial(m, q).tolist()))
    for a, b in pairs:
        a, b = np.array(a, dtype=float), np.array(b, dtype=float)
        kept = (a + b) > 0
        chi = stats.chi2_contingency(np.array([a[kept], b[kept]]), correction=False)
        fit = stats.chisquare(b[kept], a[kept] * b.sum() / a.sum())
        na, nb, ha, hb = a.sum(), b.sum(), a[0], b[0]
        pooled = (ha + hb) / (na + nb)
        z = None if pooled in (0, 1) else float((ha / na - hb / nb) / np.sqrt(pooled * (1 - pooled) * (1 / na + 1 / nb)))
        def rounded(x): return "Infinity" if np.isinf(x) else float(x)
        cases.append({"reference": [int(x) for x in a], "current": [int(x) for x in b], "chi": chi.statistic, "chiP": chi.pvalue,
                      "fit": rounded(fit.statistic), "fitP": float(fit.pvalue) if len(a[kept]) > 1 else 1.0, "z": z, "zP": None if z is None else float(2 * stats.norm.sf(abs(z))),
                      "jensenShannon": float(distance.jensenshannon(a, b)), "jensenShannon2": float(distance.jensenshannon(a, b, 2)), "stability": stability(a, b)})
    return cases


def stability(a, b):
    named = lambda c: pd.Series(np.repeat([f"c{i:03d}" for i in range(len(c))], np.minimum(c, 10**6).astype(int)))
    if max(a.sum(), b.sum()) > 10**5:
        return None
    p, q = utils.get_binned_data(named(a), named(b), ColumnType.Categorical, 30)
    return float(np.sum((p - q) * np.log(p / q)))


def rules():
    """Which test Evidently takes, and what it says, for columns of both kinds."""
    cases = []
    shapes = [(100, 60), (999, 200), (1000, 300), (1001, 300), (1500, 100)]
    for n, m in shapes:
        for levels in [1, 2, 3, 5, 6, 30]:
            cases.append(rule("number", rng.integers(0, levels, n).astype(float), rng.integers(0, levels, m).astype(float), ColumnType.Numerical))
        a, b = rng.integers(0, 50, n) / 8.0, rng.integers(0, 52, m) / 8.0
        a[rng.random(n) < 0.05] = np.nan
        cases.append(rule("number", a, b, ColumnType.Numerical))
        for levels in [1, 2, 4, 8]:
            cases.append(rule("category", rng.integers(0, levels, n), rng.integers(0, levels + 1, m), ColumnType.Categorical))
    return cases


def rule(kind, a, b, type):
    text = kind == "category"
    before = pd.Series([f"c{x}" for x in a] if text else a)
    after = pd.Series([f"c{x}" for x in b] if text else b)
    reference, current = before.dropna(), after.dropna()
    test = registry._get_default_stattest(reference, current, type)
    said = registry.get_stattest(reference, current, type, None)
    result = said(reference, current, type, None) if callable(said) else None
    value = lambda x: None if isinstance(x, float) and math.isnan(x) else x
    return {"kind": kind, "reference": [value(x) for x in before.tolist()], "current": [value(x) for x in after.tolist()], "rule": test.name,
            "score": float(result.drift_score), "isDrift": bool(result.drifted)}


everything = {"scipy": scipy.__version__, "evidently": evidently.__version__, "numbers": numbers(), "large": large(), "tails": tails(), "categories": categories(), "rules": rules()}


def plain(value, at=""):
    """Without numpy's types; what is not a number is null and said."""
    if isinstance(value, dict):
        return {k: plain(v, f"{at}.{k}") for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v, f"{at}[{i}]") for i, v in enumerate(value)]
    if isinstance(value, (float, np.floating)):
        if math.isnan(value):
            print("not a number:", at)
            return None
        return float(value)
    return value


everything = plain(everything)
with open(sys.argv[1], "w") as out:
    json.dump(everything, out, allow_nan=False)
    out.write("\n")
print({k: len(v) for k, v in everything.items()})
