"""Cells to tables: what a strategy or codec costs in quality, and what a sample is worth under it."""
import json, statistics

from harness import results, stats, tasks
from rows import DATA_PARALLEL, REFERENCE, ROWS

FAMILIES = {"fashion-cnn": "cnn", "shakespeare-gpt": "transformer"}
GOALS = {"fashion-cnn": "goal of strategies for slow links: within 0.5 points", "shakespeare-gpt": "goal: within 0.03"}


def samples_to_target(task, curve):
    """Samples until the first metric is at the target, on the straight line between two evaluations; None if it never was."""
    target, before = tasks.TASKS[task]["target"], None
    for samples, value in curve:
        if tasks.is_reached(task, value):
            if before is None or value == before[1]:
                return samples
            return before[0] + (target - before[1]) / (value - before[1]) * (samples - before[0])
        before = (samples, value)
    return None


def by_seed(cells, task, row, figure):
    """figure(cell) of each seed whose run came through and has one."""
    found = {}
    for (t, r, seed), cell in cells.items():
        if t == task and r == row.name and "failed" not in cell and figure(cell) is not None:
            found[seed] = figure(cell)
    return found


def paired(cells, task, row, other, figure, compare):
    """compare(row's, other's) for each seed that both have."""
    own, base = by_seed(cells, task, row, figure), by_seed(cells, task, other, figure)
    return [compare(own[s], base[s]) for s in own if s in base]


def until(cell):
    return samples_to_target(cell["task"], cell["curve"])


def efficiencies(cells, task, row, other):
    """For each seed with which both got to the target: samples that other needs over those that the row needs."""
    return paired(cells, task, row, other, until, lambda own, base: base / own)


def at_most(cells, task, row, other):
    """The same for seeds with which only other got there: as if the row had, with its last sample."""
    base = by_seed(cells, task, other, until)
    missed = by_seed(cells, task, row, lambda c: c["samples"] if until(c) is None else None)
    return [base[s] / missed[s] for s in missed if s in base]


def task_table(cells, task, seeds):
    is_accuracy = tasks.TASKS[task]["better"] == "higher"
    unit, factor = ("points", 100) if is_accuracy else ("loss", 1)
    lines = [f"### {task}: {'accuracy' if is_accuracy else 'loss'}, target {tasks.TASKS[task]['target']} ({GOALS[task]})", "",
             f"| | seeds | {'accuracy, %' if is_accuracy else 'loss'} | to the single process, {unit} | samples to the target | worth of a sample | samples/s here | bytes between sites per sample |",
             "|---" * 8 + "|"]
    for row in ROWS:
        metric = by_seed(cells, task, row, lambda c: c["metric"])
        failed = sum(1 for (t, r, _), c in cells.items() if t == task and r == row.name and "failed" in c)
        notes = [f"{len(metric)} of {seeds}"] if len(metric) < seeds else [str(seeds)]
        notes += [f"{failed} failed"] if failed else []
        if not metric and not failed and task not in row.short:
            continue
        seen = stats.median(by_seed(cells, task, row, lambda c: c["samples"]).values())
        everybody = stats.median(by_seed(cells, task, REFERENCE, lambda c: c["samples"]).values())
        notes += [f"{seen:,.0f} samples"] if seen and everybody and seen != everybody else []
        if not metric:
            lines.append(f"| {row.name} | {'failed' if failed else 'not run'} |" + " - |" * 6)
            continue
        reached = by_seed(cells, task, row, until)
        apart = paired(cells, task, row, REFERENCE, lambda c: c["metric"], lambda own, base: (own - base) * factor)
        figures = [
            stats.around([v * factor for v in metric.values()], lambda v: f"{v:.2f}" if is_accuracy else f"{v:.3f}"),
            "" if row is REFERENCE else stats.around(apart, lambda v: f"{v:+.2f}" if is_accuracy else f"{v:+.3f}"),
            stats.around(list(reached.values()), lambda v: f"{v:,.0f}") + (f", {len(reached)} of {len(metric)}" if len(reached) < len(metric) else ""),
            "1" if row is REFERENCE else stats.around(efficiencies(cells, task, row, REFERENCE), lambda v: f"{v:.2f}"),
            f"{stats.median(by_seed(cells, task, row, lambda c: c['samples_per_s']).values()) or 0:,.0f}",
            f"{stats.median(by_seed(cells, task, row, lambda c: c['between_sites_per_sample']).values()) or 0:,.0f}",
        ]
        lines.append(f"| {row.name} | {', '.join(notes)} | " + " | ".join(figures) + " |")
    return lines


def entries(cells):
    """Entries of the table of efficiencies, of each task's family of models, from pairs with data-parallel of the same seed."""
    return [entry(cells, task, row) for task in GOALS for row in ROWS
            if row.efficiency and (efficiencies(cells, task, row, DATA_PARALLEL) or at_most(cells, task, row, DATA_PARALLEL))]


def entry(cells, task, row):
    there, short = efficiencies(cells, task, row, DATA_PARALLEL), at_most(cells, task, row, DATA_PARALLEL)
    pairs, mean = there + short, statistics.mean(there + short)
    why = [f"{', '.join(f'{v:.2f}' for v in there)}"] if there else []
    why += [f"below {max(short):.2f} in {len(short)} that did not get there"] if short else []
    kind, every, codec = row.efficiency
    stream = {k: row.strategy[k] for k in ("fragments", "overlap") if k in row.strategy}
    outer = {"rate": row.strategy["outer_lr"], "momentum": row.strategy["outer_momentum"]} if "outer_lr" in row.strategy else {}
    return dict(
        kind=kind, syncEvery=every, compress=codec, family=FAMILIES[task], value=round(mean, 3),
        spread=round(max(abs(v - mean) for v in pairs), 3) if len(pairs) > 1 else None,
        seeds=len(pairs), date=max(c["date"] for (t, r, _), c in cells.items() if (t, r) == (task, row.name))[:10], origin="MEASURED",
        **(dict(stream={"fragments": 1, **stream}) if stream else {}), **(dict(outer=outer) if outer else {}),
        why=f"samples of data-parallel over its own, {task} to {tasks.TASKS[task]['target']}, by seed: {'; '.join(why)} (benchmarks/quality)")


def is_reference(entry):
    return entry["kind"] == "DATA_PARALLEL" and entry["compress"] == "NONE"


def update(cells, path):
    """Puts what was measured in the place of what the table of efficiencies has of the same strategies."""
    with open(path) as f:
        whole = json.load(f)
    strategy = lambda e: (e["kind"], e["syncEvery"], e["compress"], json.dumps([e.get("stream"), e.get("outer")], sort_keys=True))
    measured = [e for e in entries(cells) if not is_reference(e)]
    strategies = {strategy(e) for e in measured}
    kept = [e for e in whole["entries"] if strategy(e) not in strategies]
    lines = []
    for entry in kept + measured:
        why = {"why": entry["why"]}
        first = json.dumps({k: v for k, v in entry.items() if k != "why"}, ensure_ascii=False)
        lines.append("    " + first[:-1] + ",\n     " + json.dumps(why, ensure_ascii=False)[1:])
    with open(path, "w") as f:
        f.write("{\n  \"about\": " + json.dumps(whole["about"], ensure_ascii=False) + ",\n  \"entries\": [\n" + ",\n".join(lines) + "\n  ]\n}\n")


def of(cells, a):
    """The whole page as Markdown."""
    if not cells:
        return "no cell was run yet"
    lines = [f"{results.machines(cells.values())}; {results.states(list(cells.values()))}. {a.epochs:g} passes over the training samples each; four workers of one "
             "thread at two sites, shares 4:1 and 2:1, on this one machine; the single process has all cores. Means, and half of the range over seeds; "
             "differences, and what a sample is worth (samples to the target of the single process over those of the row), are of pairs with the same "
             "seed. Medians of samples/s and bytes. Some rows are of fashion-cnn alone, for the time they take. Command: benchmarks/quality/run.sh", ""]
    for task in ([a.task] if a.task else GOALS):
        lines += task_table(cells, task, a.seeds) + [""]
    measured = entries(cells)
    if measured:
        lines += ["### For the table of efficiencies", "", "What a sample is worth beside data-parallel; the spread is the farthest from the mean.", "",
                  "```json", *(json.dumps(e, ensure_ascii=False) for e in measured), "```"]
    return "\n".join(lines)
