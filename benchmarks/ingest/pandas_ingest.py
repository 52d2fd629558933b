"""The peer for ingest: pandas, as its documentation teaches it. Reads a table, standardises numbers and one-hot
encodes categories (fitted on all rows), and takes shuffled batches of 1,024 rows as float32.

  pandas_ingest.py FOLDER ROWS ROUNDS     prints one JSON line a round and format; the first round does not count
"""
import json, os, sys, time
import numpy as np, pandas as pd

def run(path, rows, report):
    t, cpu = time.perf_counter(), time.process_time()
    frame = pd.read_csv(path) if path.endswith("csv") else pd.read_parquet(path)
    read = time.perf_counter()
    label = (frame.pop("label") == "yes").to_numpy(np.float32)
    numbers = frame.select_dtypes("number")
    values = ((numbers - numbers.mean()) / numbers.std(ddof=0)).to_numpy(np.float32)
    codes = pd.get_dummies(frame.select_dtypes(exclude="number"), dtype=np.float32).to_numpy()
    x = np.hstack([values, codes])
    encoded = time.perf_counter()
    order, total = np.random.default_rng(1).permutation(rows), 0.0
    for at in range(0, rows, 1024):
        k = order[at : at + 1024]
        total += float(x[k][0, 0]) + float(label[k][0])
    end, used = time.perf_counter(), time.process_time() - cpu
    for what, seconds in (("pandas-read", read - t), ("pandas-prepare", encoded - t), ("pandas-epoch", end - encoded), ("pandas", end - t)):
        if report:
            print(json.dumps({"what": what, "format": path.rsplit(".", 1)[1], "rows": rows, "seconds": round(seconds, 3),
                              "rows_per_s": round(rows / seconds), "check": total,
                              **({"cpu_s": round(used, 2)} if what == "pandas" else {})}), flush=True)

def main():
    folder, rows, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for round_ in range(rounds + 1):
        for kind in ("csv", "parquet"):
            path = os.path.join(folder, f"rows-{rows}.{kind}")
            try:
                run(path, rows, round_ > 0)
            except ImportError as e:
                if round_ == 0:
                    print(json.dumps({"what": "pandas", "format": kind, "skipped": str(e).splitlines()[0]}), flush=True)

main()
