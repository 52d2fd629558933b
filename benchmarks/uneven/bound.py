"""What a cluster could do at most: the speeds of its machines, each measured alone, and what its links let through.

    bound = min(sum_i v_i,  min over links and directions of capacity / bytes per sample)

v_i is what Medley's one worker makes on machine i under its own quota while the other machines stand still (the coordinator runs on
the first one, as in every run), with the part of the batch that its declared quota stands for. Bytes are those that the contender's own
run sent over each link, packets whole, so another strategy has another bound. Latency is not in it: a step that waits for it is below.
"""
import cluster

ALONE = "alone:"


def parts(name, batch):
    """Samples of a step for each machine alone: the batch in proportion to the declared quotas."""
    machines = cluster.declared(name)["machines"]
    total = sum(m["cpu"] for m in machines.values())
    return {node: max(1, round(batch * m["cpu"] / total)) for node, m in machines.items()}


def alone(runs):
    """samples/s of each machine alone, the last measured."""
    return {r["variant"][len(ALONE):]: r["samples_per_s"] for r in runs if r["variant"].startswith(ALONE)}


def of(speeds, run, capacity):
    """Samples/s at most, and why; None where a machine was not measured alone."""
    if set(speeds) != set(capacity["machines"]) or not speeds:
        return None
    compute = sum(speeds.values())
    through = {link: rate / run["links_per_sample"][link] for link, rate in capacity["links"].items()
               if run["links_per_sample"].get(link)}
    thinnest = min(through, key=through.get, default=None)
    if thinnest is not None and through[thinnest] < compute:
        return through[thinnest], f"{thinnest} lets {through[thinnest]:,.0f} samples/s through"
    return compute, "all machines alone"


def sentence(speeds, runs, capacity):
    """What every contender's bound is made of."""
    if set(speeds) != set(capacity["machines"]):
        return ""
    lines = [f"Alone, under their quotas: {', '.join(f'{n} {v:,.0f}' for n, v in sorted(speeds.items()))}; together {sum(speeds.values()):,.0f} samples/s."]
    for name, run in runs.items():
        limit, why = of(speeds, run, capacity)
        lines.append(f"{name}: at most {limit:,.0f} ({why}).")
    return " ".join(lines)
