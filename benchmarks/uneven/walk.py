"""Every way to train on machines, and what may befall them, once and by command in emulated clusters (root needed): does it end as it should?

Usage: python3 benchmarks/uneven/walk.py [--only PART,...] [--list] [--keep FOLDER] [--result]

Nothing is measured here. Each line of the table is one call of the command, on agents that stay from run to run: its exit code, the samples that it
counted, what it has to say. --only takes lines whose name begins with PART. Exit code 1 if a line did not hold.
"""
import argparse, os, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import walk_lines
from harness import processes, results


def walked(name, line, cluster):
    """(held, seconds, what there is to say)"""
    begun = time.monotonic()
    try:
        said = line(cluster) or ""
        held = True
    except (AssertionError, RuntimeError, OSError, subprocess.CalledProcessError) as e:
        said, held = str(e), False
    finally:
        cluster.end_calls()
    return held, time.monotonic() - begun, said.replace(cluster.work + "/", "")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--only", default="", help="beginnings of names, with commas between")
    p.add_argument("--list", action="store_true", help="names alone")
    p.add_argument("--keep", help="folder for what processes said")
    p.add_argument("--result", action="store_true", help="write results/DATE-walk.md")
    a = p.parse_args()
    wanted = tuple(a.only.split(","))
    if a.list:
        print("\n".join(name for _, lines in walk_lines.ALL for name in lines))
        return
    processes.end_on_signal()
    os.environ.setdefault("CE_NAME", "walk")
    os.environ.setdefault("CE_NET", "10.93")
    rows, failed = ["| line | | s | |", "|---" * 4 + "|"], 0
    work = a.keep or tempfile.mkdtemp(prefix="medley-walk-")
    os.makedirs(work, exist_ok=True)
    try:
        for topology, lines in walk_lines.ALL:
            chosen = {name: line for name, line in lines.items() if name.startswith(wanted)}
            if not chosen:
                continue
            with walk_lines.Cluster(topology, work) as cluster:
                for name, line in chosen.items():
                    held, seconds, said = walked(name, line, cluster)
                    failed += not held
                    rows.append(f"| {name} | {'ok' if held else 'NOT'} | {seconds:.0f} | {said.strip().replace(chr(10), ' / ')} |")
                    print(rows[-1] if held else f"{name}: NOT\n{said}", flush=True)
    finally:
        if not a.keep:
            shutil.rmtree(work, ignore_errors=True)
    print("\n".join(rows))
    if a.result:
        results.page("walk", "Every way by command", f"{results.hardware()}. Emulated clusters, as in `benchmarks/uneven/walk_lines.py`. "
                     f"Command: benchmarks/uneven/walk.py {' '.join(sys.argv[1:])}\n\n" + "\n".join(rows))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
