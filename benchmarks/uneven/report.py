"""Raw runs in one cluster to a page: medians, ratios of runs with the same seed, bounds, and what is not steps."""
import bound
import cluster
from harness import results, stats

WHOLE = "{:,.0f}".format


def latest(runs):
    """The last run of each variant and seed, by variant: a repeated run replaces the one before."""
    found = {}
    for run in runs:
        found.setdefault(run["variant"], {})[run["seed"]] = run
    return found


def pairs(own, base):
    """Runs with the same seed, of one machine and day."""
    return [(own[s], base[s]) for s in own if s in base and results.occasion(own[s]) == results.occasion(base[s])]


def ratios(own, base, key):
    """Own over base for each pair that has both."""
    return [a[key] / b[key] for a, b in pairs(own, base) if a.get(key) and b.get(key)]


def split(found):
    """Why the time to the target differs: by samples a second, and by the samples that it takes. Time over time is samples over rate."""
    rows = ["| | seconds in steps to target, over | samples to target, over | samples/s until then, over | whole command, over |", "|---" * 5 + "|"]
    for name, by_seed in found.items():
        for base in (b for b in found if b.startswith("ddp") and not name.startswith("ddp")):
            both = [(a, b) for a, b in pairs(by_seed, found[base]) if a.get("samples_to_target") and b.get("samples_to_target")
                    and a["seconds_to_target"] and b["seconds_to_target"]]
            if both:
                times = [a["seconds_to_target"] / b["seconds_to_target"] for a, b in both]
                samples = [a["samples_to_target"] / b["samples_to_target"] for a, b in both]
                whole = [a["command_s"] / b["command_s"] for a, b in both]
                rates = [s / t for s, t in zip(samples, times)]
                rows.append(f"| {name} over {base} | " + " | ".join(stats.cell(v, "{:.2f}".format) for v in (times, samples, rates, whole)) + " |")
    return rows if len(rows) > 2 else []


def best_of(found):
    """The peer's best option here, in words."""
    peers = {name: stats.median([r.get("seconds_to_target") for r in by_seed.values()]) for name, by_seed in found.items() if name.startswith("ddp")}
    reached = {name: seconds for name, seconds in peers.items() if seconds}
    if not reached:
        return None
    best = min(reached, key=reached.get)
    return f"Of the peer's options tried ({', '.join(peers)}) the best is {best}: {reached[best]:.1f} s in steps to the target (median)."


def crossing(name, by_seed, found):
    """Bytes between sites for each sample, and how many times less that is than the peer's as it is by default."""
    own = [r["crossing_per_sample"] for r in by_seed.values()]
    less = ratios(found.get("ddp", {}), by_seed, "crossing_per_sample")
    return stats.cell(own, WHOLE) + (f", 1/{stats.median(less):,.0f} of ddp's" if less and name != "ddp" else "")


def fastest_waits(run):
    """Part of the time in which the worker that computes fastest waits for others; None for the peer, which does not tell."""
    workers = (run.get("workers") or {}).values()
    return max(workers, key=lambda w: w["samples_per_s"])["waiting"] if workers else None


def table(found, key, speeds, capacity):
    bases = [name for name in found if name.startswith("ddp")]
    heads = ["", "seeds", "samples/s", "of the speeds in the run", "of the bound", "fastest worker waits", "s to target", "metric at the end",
             "bytes between sites per sample"] + [f"over {b}" for b in bases]
    rows = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, by_seed in found.items():
        runs = list(by_seed.values())
        limits = [(r["samples_per_s"], bound.of(speeds, r, capacity)) for r in runs]
        cells = [
            str(len(runs)),
            stats.cell([r["samples_per_s"] for r in runs], WHOLE),
            stats.cell([r["samples_per_s"] / r["bound"] for r in runs if r.get("bound") and r["samples_per_s"]], "{:.0%}".format),
            stats.cell([v / limit[0] for v, limit in limits if v and limit], "{:.0%}".format),
            stats.cell([fastest_waits(r) for r in runs], "{:.1%}".format),
            stats.cell([r["seconds_to_target"] for r in runs], "{:.1f}".format),
            stats.cell([r["metric"] for r in runs], "{:.4f}".format),
            crossing(name, by_seed, found),
        ] + ["" if b == name else stats.cell(ratios(by_seed, found[b], key), "{:.2f}".format) for b in bases]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return rows


def by_hand(found):
    """How auto compares with the variant of Medley picked by hand that does best beside it, by seconds to the target in pairs."""
    auto = found.get("medley-auto", {})
    pairs = {name: ratios(auto, by_seed, "seconds_to_target") for name, by_seed in found.items()
             if name.startswith("medley") and name != "medley-auto"}
    pairs = {name: values for name, values in pairs.items() if values}
    if not pairs:
        return None
    best = max(pairs, key=lambda name: stats.median(pairs[name]))
    return (f"auto's seconds to the target over those of the best by hand, {best} (of {', '.join(pairs)}), in {len(pairs[best])} pairs with the same "
            f"seed: {stats.cell(pairs[best], '{:.2f}'.format)}. Goal: 1.10 at most.")


def beside(found):
    """Seconds that are in no figure above, and how often quotas were used up."""
    rows = ["| | whole command, s | set-up, s | evaluations, s | shipping of data, s | periods in which a quota was used up, by machine |", "|---" * 6 + "|"]
    for name, by_seed in found.items():
        runs = list(by_seed.values())
        used = ", ".join(f"{n} {stats.median([r['throttled'].get(n) for r in runs]):.0%}" for n in sorted(runs[0]["throttled"]))
        rows.append(f"| {name} | " + " | ".join(stats.cell([r.get(k) for r in runs], "{:.1f}".format)
                                                for k in ("command_s", "setup_s", "evaluation_s", "shipping_s")) + f" | {used} |")
    return rows


def newest(runs):
    """Those of the machine and day of the last one: figures of two occasions are not compared."""
    last = max(runs, key=lambda r: r["date"], default=None)
    return [r for r in runs if results.occasion(r) == results.occasion(last)]


def of(runs, a):
    """The page of these runs, all of one cluster, task and kind."""
    runs = newest(runs)
    failed = [r for r in runs if r.get("failed")]
    runs = [r for r in runs if not r.get("failed")]
    capacity = dict(machines=cluster.declared(a.cluster)["machines"], links=cluster.capacity(a.cluster))
    speeds = bound.alone(runs)
    found = latest([r for r in runs if not r["variant"].startswith(bound.ALONE)])
    key = "seconds_to_target" if a.target else "samples_per_s"
    one = {name: list(by_seed.values())[-1] for name, by_seed in found.items()}
    home = next(iter(capacity["machines"]))
    states = results.states(runs) if runs else ""
    lines = [f"{results.machines(runs)}, emulated cluster; {states}. Medians (least to most) over seeds; ratios are of {'times to the target' if a.target else 'samples/s'} "
             f"with the same seed. Medley's coordinator ran on {home}, in its quota. Steps alone are timed. A worker's waiting is without the time for which it "
             "had no processor, so quotas that are used up are not in it; cpu.stat counts them below."
             + ("" if a.target else " The set-up of ddp has its warm-up in it, which it does not time."), ""]
    lines += table(found, key, speeds, capacity) + [""]
    lines += split(found) + [""] if a.target else []
    none = [f"No figure of {r['variant']} with seed {r['seed']}: {r['failed']}." for r in failed]
    said = none + [s for s in (bound.sentence(speeds, one, capacity), *((best_of(found), by_hand(found)) if a.target else ())) if s]
    return "\n".join(lines + [line for s in said for line in (s, "")] + beside(found))
