"""Reads the JSON lines of an ingest benchmark, prints a table: medians over the rounds, lowest to highest. Seconds of
the processors, of all threads together, say more than the clock where others use the machine."""

import json
import statistics
import sys

NAMES = {
    "medley-prepare": "Medley: file to encoded shards",
    "medley-epoch": "Medley: shards to batches, one epoch",
    "medley": "Medley: file to batches",
    "duckdb": "DuckDB: reads the file, nothing more",
    "pandas-read": "pandas: reads the file, nothing more",
    "pandas-prepare": "pandas: file to an encoded matrix",
    "pandas-epoch": "pandas: matrix to batches, one epoch",
    "pandas": "pandas: file to batches",
}

measured, cpu = {}, {}
for line in sys.stdin:
    if line.startswith("{"):
        record = json.loads(line)
        if "rows_per_s" in record:
            measured.setdefault((record["format"], record["what"]), []).append(record["rows_per_s"])
        if "cpu_s" in record:
            cpu.setdefault((record["format"], record["what"]), []).append(record["cpu_s"] / record["rows"] * 1e6)

print("| format | what | thousand rows/s | lowest to highest | processor seconds a million rows |")
print("|---|---|---|---|---|")
for form in ("csv", "parquet"):
    for what, name in NAMES.items():
        rates = measured.get((form, what))
        if rates:
            spread = f"{min(rates) / 1e3:,.0f} to {max(rates) / 1e3:,.0f}"
            print(f"| {form} | {name} | {statistics.median(rates) / 1e3:,.0f} | {spread} |"
                  + (f" {statistics.median(cpu[form, what]):.2f} |" if (form, what) in cpu else " |"))


def ratio(form, peer):
    return statistics.median(measured[form, "medley"]) / statistics.median(measured[form, peer])


print()
for form, peer in (("csv", "pandas"), ("csv", "duckdb"), ("parquet", "duckdb")):
    if (form, peer) in measured:
        print(f"{form}: Medley, file to batches, {ratio(form, peer):.2f}x of {NAMES[peer]}")
