"""Trains on this machine: on workers of the command itself, or on agents that join on loopback, each at a declared site."""
import glob, json, os, socket, time

from .processes import Process
from .tasks import MEDLEY

JOIN_S = 60


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def train(job, agents, work, cap_s):
    """Runs a job and returns the run's folder.

    agents: (name, site) of each machine that joins, one after another so that they get ranks in this order; none for workers of the
    command. RuntimeError, with the last words, for a run that fails or takes longer than cap_s.
    """
    folder = os.path.join(work, f"run-{time.time_ns()}")
    os.makedirs(folder)
    path = os.path.join(folder, "job.yaml")
    command = [MEDLEY, "train", path, "--run-dir", os.path.join(folder, "runs")]
    if agents:
        address = f"127.0.0.1:{free_port()}"
        command += ["--listen", address, "--expect", str(len(agents))]
    with open(path, "w") as f:
        json.dump(job, f)
    processes = [Process(command, os.path.join(folder, "train.log"))]
    try:
        if agents:
            processes[0].await_line(f"waiting for {len(agents)} machine", JOIN_S)
        for name, site in agents:
            offer = [MEDLEY, "agent", "--join", address, "--name", name, "--once", "--folder", os.path.join(folder, name)]
            processes.append(Process(offer + (["--site", site] if site else []), os.path.join(folder, name + ".log")))
            processes[0].await_line(f"{name}{f' (site {site})' if site else ''} has joined", JOIN_S)
        code = processes[0].wait(cap_s)
        if code != 0:
            raise RuntimeError(f"exit code {code}:\n{processes[0].tail()}")
    finally:
        for process in processes:
            process.end()
    return max(glob.glob(os.path.join(folder, "runs", "*", "")))
