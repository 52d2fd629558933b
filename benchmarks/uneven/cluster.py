"""The emulated cluster (cluster-emu.sh): its machines, what crosses its links, how often quotas are used up."""
import os, re, subprocess

from harness.processes import Process
from harness.tasks import SHARED

EMU = ["bash", os.path.join(SHARED, "tools", "cluster-emu.sh")]


OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "topologies")


def topology(cluster):
    """The file of a cluster's machines and links: of this folder, or of those that come with the emulator."""
    own = os.path.join(OWN, cluster + ".topo")
    return own if os.path.exists(own) else os.path.join(SHARED, "tools", "topologies", cluster + ".topo")


def emu(*args):
    return subprocess.run(EMU + list(args), check=True, capture_output=True, text=True).stdout


def nodes():
    """(name, site, address) of each machine."""
    return [tuple(line.split()[:3]) for line in emu("nodes").splitlines() if line.strip()]


def on(node, command, log, **environment):
    """A process on a machine of the cluster."""
    return Process(EMU + ["exec", node, "env"] + [f"{k}={v}" for k, v in environment.items()] + command, log)


def everywhere(*command):
    """Runs a command on each machine, one after the other."""
    for node, _, _ in nodes():
        emu("exec", node, *command)


def traffic():
    """Bytes so far by link and direction, packets whole: "aws->gcp" between sites, "n1 out" and "n1 in" of a machine."""
    found = {}
    for line in emu("stats").splitlines():
        wan = re.search(r"^wan (\S+) bytes=(\d+)", line)
        nic = re.search(r"^nic (\S+) tx_bytes=(\d+) rx_bytes=(\d+)", line)
        if wan:
            found[wan[1]] = int(wan[2])
        elif nic:
            found[nic[1] + " out"], found[nic[1] + " in"] = int(nic[2]), int(nic[3])
    return found


def crossing(traffic):
    """Bytes over links between sites, both ways."""
    return sum(count for link, count in traffic.items() if "->" in link)


def quota_periods():
    """By machine: (periods of its CPU quota so far, those in which it was used up), as cpu.stat has them."""
    name = os.environ.get("CE_NAME", "ce")
    tops = [f"/sys/fs/cgroup/cpu/cemu-{name}", f"/sys/fs/cgroup/cemu-{name}"]
    found = {}
    for node, _, _ in nodes():
        for top in tops:
            path = os.path.join(top, node, "cpu.stat")
            if os.path.exists(path):
                stat = dict(line.split() for line in open(path))
                found[node] = (int(stat.get("nr_periods", 0)), int(stat.get("nr_throttled", 0)))
    return found


def throttled(before, after):
    """By machine: part of the periods between two looks in which the quota was used up."""
    return {n: (after[n][1] - before[n][1]) / max(1, after[n][0] - before[n][0]) for n in before if n in after}


UNITS = {"gbit": 1e9, "mbit": 1e6, "kbit": 1e3, "bit": 1}


def bits(rate):
    number, unit = re.fullmatch(r"([\d.]+)([gmk]?bit)", rate.lower()).groups()
    return float(number) * UNITS[unit]


def milliseconds(time):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", time).groups()
    return float(number) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]


def declared(cluster):
    """What the topology file says: machines (site, cpu as a part of a core, bits/s) and links (bits/s, one way ms, jitter ms, part of packets lost) by pair of sites."""
    machines, links, usual, period = {}, {}, {}, 20_000
    for line in open(topology(cluster)):
        words = line.split("#")[0].split()
        options = dict(w.split("=", 1) for w in words if "=" in w)
        if words[:1] == ["period"]:
            period = int(words[1])
        elif words[:1] == ["node"]:
            machines[words[1]] = dict(site=words[2], cpu=float(options.get("cpu", 100)) / 100,
                                      bits=bits(options["bw"]) if options.get("bw", "none") != "none" else None)
        elif words[:1] == ["link"]:
            link = dict(bits=bits(options["bw"]) if options.get("bw", "none") != "none" else None,
                        ms=milliseconds(options["delay"]) if options.get("delay", "0") != "0" else 0.0,
                        jitter_ms=milliseconds(options.get("jitter", "0ms")), loss=float(options.get("loss", "0%").rstrip("%")) / 100)
            if words[1] == "*":
                usual = link
            else:
                links[words[1], words[2]] = link
    sites = list(dict.fromkeys(m["site"] for m in machines.values()))
    for i, one in enumerate(sites):
        for other in sites[i + 1:]:
            if (one, other) not in links and (other, one) not in links and usual:
                links[one, other] = usual
    return dict(machines=machines, links=links, period_us=period)


def capacity(cluster):
    """Bytes a second by link and direction, under the names of traffic(); what is not limited is left out."""
    plan, found = declared(cluster), {}
    for (one, other), link in plan["links"].items():
        if link["bits"]:
            found[f"{one}->{other}"] = found[f"{other}->{one}"] = link["bits"] / 8
    for name, machine in plan["machines"].items():
        if machine["bits"]:
            found[name + " out"] = found[name + " in"] = machine["bits"] / 8
    return found
