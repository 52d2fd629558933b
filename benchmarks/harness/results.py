"""Raw runs as JSON lines, and results as dated pages."""
import json, os, subprocess, time

from .tasks import ROOT

# What a run is made of: another commit with the same sources gives the same program.
SOURCES = ["pom.xml", "*/pom.xml", "*/src/main/*", "medley", ":!benchmarks/*", ":!simulation/*", ":!examples/*"]


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT] + list(arguments), capture_output=True, text=True, check=True).stdout.strip()


def provenance():
    """Of which state a figure is: commit, the last commit that changed the sources (+ if they were changed since), date; and of which machine."""
    changed = "+" if git("status", "--porcelain", "--", *SOURCES) else ""
    return dict(commit=git("log", "-1", "--format=%h"), sources=git("log", "-1", "--format=%h", "--", *SOURCES) + changed,
                date=time.strftime("%Y-%m-%dT%H:%M:%S"), machine=hardware())


def occasion(run):
    """Machine and day of a run: figures of two occasions are not compared."""
    return run.get("machine"), run["date"][:10]


def hardware():
    cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown processor")
    return f"{cpu}, {os.cpu_count()} cores"


def machines(runs):
    """The machines that runs were made on, in words; those from before 2026-11-23 did not note it."""
    return "; ".join(sorted({r.get("machine", "a machine that was not noted") for r in runs})) or hardware()


def read(path):
    """The values of a file of JSON lines; none if there is no such file."""
    return [json.loads(line) for line in open(path)] if path and os.path.exists(path) else []


def append(path, line):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "a") as f:
        f.write(json.dumps(line) + "\n")


def page(name, title, text):
    """Writes results/DATE-name.md and says so."""
    file = os.path.join(ROOT, "benchmarks", "results", f"{time.strftime('%Y-%m-%d')}-{name}.md")
    with open(file, "w") as f:
        f.write(f"# {title}, {time.strftime('%Y-%m-%d')}\n\n{text}\n")
    print("wrote", os.path.relpath(file, ROOT))


def states(runs):
    """Which states runs are of, in words."""
    dates = sorted({r["date"][:10] for r in runs})
    return f"commits {', '.join(sorted({r['commit'] for r in runs}))}; {' to '.join(dict.fromkeys([dates[0], dates[-1]]))}"


class Allowance:
    """So many minutes in which runs may begin; None for as long as it takes."""

    def __init__(self, minutes):
        self.until = None if minutes is None else time.monotonic() + 60 * minutes

    def is_used_up(self):
        return self.until is not None and time.monotonic() >= self.until
