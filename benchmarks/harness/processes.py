"""Processes whose words are read as they come, with the time of each."""
import os, queue, signal, subprocess, threading, time


class Process:
    """A process in a group of its own; what it says goes to a log file and is kept with the second at which it was said."""

    def __init__(self, command, log, **environment):
        self.begun = time.time()
        self.said = []
        self.lines = queue.Queue()
        self.log = log
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                        start_new_session=True, env=dict(os.environ, **environment))
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        with open(self.log, "w") as log:
            for line in self.process.stdout:
                log.write(line); log.flush()
                self.said.append((time.time(), line.rstrip("\n")))
                self.lines.put(line)
        self.lines.put(None)

    def await_line(self, part, seconds):
        """Waits for a line that has part in it; RuntimeError if it does not come in time, or the process ends."""
        until = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise RuntimeError(f"no '{part}' within {seconds} s:\n{self.tail()}") from None
            if line is None:
                raise RuntimeError(f"ended before '{part}':\n{self.tail()}")
            if part in line:
                return line

    def wait(self, seconds):
        """The exit code; RuntimeError if the process takes longer."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"still runs after {seconds:.0f} s:\n{self.tail()}") from None
        self.reader.join(5)
        return code

    def first(self, part):
        """When it first said that; None if it never did."""
        return next((at for at, line in self.said if part in line), None)

    def tail(self):
        return "\n".join(line for _, line in self.said[-15:])

    def end(self):
        """Ends it and what it started in its group."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def end_on_signal():
    """A terminated harness ends its processes as an interrupted one does."""
    def stop(number, frame):
        raise SystemExit(f"ended by signal {number}")
    signal.signal(signal.SIGTERM, stop)
