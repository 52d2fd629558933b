"""Runs the peer's script as it is and prints, as the last line, what one process of it measured.

Usage: peer.py PYTORCH_DDP.PY TASK WARM SECONDS [its other arguments]

The peer reads the clock at the start and at the end of each step: so does this, to know the median step, and the processor
time that was spent since the end of the warm-up.
"""
import json, resource, runpy, sys, time

def cpu():
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime

script, task, warm, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
clock, readings, spent = time.perf_counter, [], []

def reading():
    now = clock()
    readings.append(now)
    if len(readings) == warm + 1:
        spent.append(cpu())
    return now

time.perf_counter = reading
sys.argv = [script, task, "--warm", str(warm), "--seconds", str(seconds)] + sys.argv[5:]
runpy.run_path(script, run_name="__main__")
end = cpu()
timed = readings[warm:]
steps = sorted(b - a for a, b in zip(timed[::2], timed[1::2]))
batch = {"synthetic-mlp": 128, "synthetic-resnet18": 32, "synthetic-gpt": 8, "synthetic-lstm": 32, "synthetic-mf": 8192}[task]
print(json.dumps({"steps": len(steps), "samplesPerSecond": batch * len(steps) / sum(steps), "medianStepMillis": steps[len(steps) // 2] * 1e3,
                  "cpuMillisPerStep": (end - spent[0]) * 1e3 / len(steps)}))
