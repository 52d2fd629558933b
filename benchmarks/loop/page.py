"""Writes the tables of a results page from lines of drift.py: python benchmarks/loop/page.py runs.jsonl"""
import json, statistics, sys

runs = [json.loads(line) for line in open(sys.argv[1])]


def cell(firsts, drift):
    found = [f for f in firsts if f]
    share = f"{100 * len(found) / len(firsts):.1f} %"
    return f"{share}, {statistics.median(found):.0f}" if drift and found else share


for drift, title in ((False, "Without a change"), (True, "With a change, and the median look of the first alarm")):
    print(f"\n## {title}\n\n| rows | reference | streams | monitor, ever 5 % | monitor, 0.05 % a window | Evidently's test | its test, threshold of 5 % |\n|---|---|---|---|---|---|---|")
    for run in runs:
        if run["drift"] == drift:
            known = run["threshold"] is not None
            cells = [cell(run[k], drift) for k in ("ever", "perWindow", "evidently")] + [cell(run["calibrated"], drift) if known else ""]
            print(f"| {run['name']} | {run['reference']:,} | {len(run['ever']):,} | " + " | ".join(cells) + " |")
print(f"\nEvidently itself agreed in {sum(len(r['real']) for r in runs if r['agree'])} of {sum(len(r['real']) for r in runs)} streams.")
