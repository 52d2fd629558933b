"""Reads the folder of a run (docs/run-record.md)."""
import json, os

from . import tasks


def lines(path):
    """The values of a file of JSON lines; none if it is missing. A last line that was cut is passed over."""
    if not os.path.exists(path):
        return []
    values = []
    for line in open(path):
        try:
            values.append(json.loads(line))
        except ValueError:
            break
    return values


def value(path):
    with open(path) as f:
        return json.load(f)


def evaluations(run):
    """(samples seen, first metric) of each evaluation."""
    return [(e["samplesSeen"], e["metrics"][0]["value"]) for e in lines(os.path.join(run, "evaluations.jsonl"))]


def bytes_between_sites(run):
    """What workers sent over borders of sites, with what sums, letters and copies of states need beside the values."""
    links = value(os.path.join(run, "summary.json")).get("links") or []
    return sum(l["sentBytes"] for l in links if l["reach"] == "BETWEEN_SITES")


class Steps:
    """The steps of a run, the first warm_samples samples set apart. Times are of the clock, evaluations taken out."""

    def __init__(self, run, warm_samples):
        self.all = lines(os.path.join(run, "steps.jsonl"))
        self.evaluations = lines(os.path.join(run, "evaluations.jsonl"))
        self.begun_millis = self.all[0]["wallMillis"] - self.all[0]["stepNs"] / 1e6
        self.samples = sum(s["samples"] for s in self.all)
        seen, self.start_millis, self.counted = 0, None if warm_samples else self.begun_millis, 0
        for step in self.all:
            seen += step["samples"]
            if self.start_millis is None and seen >= warm_samples:
                self.start_millis, self.counted = step["wallMillis"], seen
        self.warm = [s for s in self.all if self.start_millis is not None and s["wallMillis"] > self.start_millis]

    def evaluating_ms(self, since_millis, until_millis):
        return sum(e["durationNs"] / 1e6 for e in self.evaluations if since_millis < e["wallMillis"] <= until_millis)

    def samples_per_s(self):
        """Of the steps after the warm ones; changes of the plan and forming of groups are in it."""
        if not self.warm:
            return None
        last = self.all[-1]["wallMillis"]
        ms = last - self.start_millis - self.evaluating_ms(self.start_millis, last)
        return (self.samples - self.counted) / ms * 1e3

    def to_target(self, task):
        """(seconds in steps behind the warm ones, samples) until the first metric was at the target; (None, None) if it never was."""
        since = self.begun_millis if self.start_millis is None else self.start_millis
        for e in self.evaluations:
            if tasks.is_reached(task, e["metrics"][0]["value"]):
                ms = e["wallMillis"] - since - self.evaluating_ms(since, e["wallMillis"])
                return max(0, ms) / 1e3, e["samplesSeen"]
        return None, None

    def workers(self):
        """By worker: parts of a step's time in computing, in waiting for others, in the exchange; samples/s while computing."""
        sums = {}
        for s in self.warm:
            for w in s["workers"]:
                t = sums.setdefault(w["worker"], dict(compute=0, waiting=0, exchange=0, step=0, samples=0))
                t["compute"] += w["computeNs"]; t["waiting"] += w["waitingNs"]; t["exchange"] += w["exchangeNs"]
                t["step"] += s["stepNs"]; t["samples"] += w["samples"]
        return {k: dict(compute=t["compute"] / t["step"], waiting=t["waiting"] / t["step"], exchange=t["exchange"] / t["step"],
                        samples_per_s=t["samples"] / t["compute"] * 1e9) for k, t in sums.items() if t["step"] and t["compute"]}
