"""Runs `medley train` as a user does."""
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def train(job, folder):
    """What a job printed, the steps of its record, and the seconds of the whole command; with a cache of its own, so nothing is prepared before."""
    (folder / "job.yaml").write_text(json.dumps(job))
    begun = time.monotonic()
    words = [os.environ.get("MEDLEY", ROOT / "medley"), "train", folder / "job.yaml", "--run-dir", folder / "runs"]
    out = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, env={**os.environ, "MEDLEY_CACHE": str(folder)})
    whole = time.monotonic() - begun
    if out.returncode != 0:
        sys.exit(out.stdout[-2000:] + out.stderr[-2000:])
    run = next((folder / "runs").iterdir())
    return out.stdout, [json.loads(line) for line in (run / "steps.jsonl").read_text().splitlines()], whole
