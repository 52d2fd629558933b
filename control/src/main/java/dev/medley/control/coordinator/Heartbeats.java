package dev.medley.control.coordinator;

import dev.medley.base.time.Clock;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunWatcher;
import dev.medley.control.watch.StepMerger;
import dev.medley.net.control.Message;

/**
 * Shows all workers and agents a sign of life once in a heartbeat, however much there is to do in
 * between. Owned by the coordinator's agent.
 */
final class Heartbeats {
    private final Roster roster;
    private final Machines machines;
    private final StepMerger merger;
    private final RunWatcher watcher;
    private final Clock clock;
    private final long heartbeatNs;
    private long nextNs;

    Heartbeats(
            Roster roster,
            Machines machines,
            StepMerger merger,
            RunWatcher watcher,
            Clock clock,
            long heartbeatNs) {
        this.roster = roster;
        this.machines = machines;
        this.merger = merger;
        this.watcher = watcher;
        this.clock = clock;
        this.heartbeatNs = heartbeatNs;
        this.nextNs = clock.awakeNs();
    }

    /** Shows it, if it is time. */
    void beat() {
        long nowNs = clock.awakeNs();
        if (nowNs >= nextNs) {
            Message beat = new Message.Beat(watcher.recorded(merger.lastStep()));
            roster.connections().forEach(c -> c.send(beat));
            machines.beat();
            nextNs = nowNs + heartbeatNs;
        }
    }

    /** When it is time. */
    long nextNs() {
        return nextNs;
    }
}
