"""A machine that stands still now and then, as one does whose neighbours take its processor: all its processes are stopped and go on."""
import contextlib, threading

import cluster

LOOK_S = 0.2


class Pause:
    """NODE:EVERY:FOR: of each EVERY seconds of training that machine stands still for FOR."""

    def __init__(self, text):
        node, every, length = text.split(":")
        self.node, self.every_s, self.for_s = node, float(every), float(length)
        if not 0 < self.for_s < self.every_s:
            raise ValueError(f"{text}: the pause is shorter than the time from one to the next")


@contextlib.contextmanager
def during(text, has_begun):
    """Pauses from when has_begun() until the body ends; nothing for no text."""
    if not text:
        yield
        return
    pause, over = Pause(text), threading.Event()
    if pause.node not in [name for name, _, _ in cluster.nodes()]:
        raise SystemExit(f"--pause={text}: the cluster has no machine {pause.node}")
    thread = threading.Thread(target=_pauses, args=(pause, has_begun, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _pauses(pause, has_begun, over):
    while not has_begun():
        if over.wait(LOOK_S):
            return
    while not over.wait(pause.every_s - pause.for_s):
        cluster.emu("pause", pause.node)
        over.wait(pause.for_s)
        cluster.emu("resume", pause.node)
