package dev.medley.control.coordinator;

import dev.medley.base.time.Clock;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Effects;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.StepMerger;

/**
 * Shows all workers and agents a sign of life once in a heartbeat, however much there is to do in
 * between. Owned by the coordinator.
 */
final class Heartbeats {
    private final Roster roster;
    private final Machines machines;
    private final StepMerger merger;
    private final Effects effects;
    private final Clock clock;
    private final long heartbeatNs;
    private long nextNs = Long.MIN_VALUE;

    Heartbeats(
            Roster roster,
            Machines machines,
            StepMerger merger,
            Effects effects,
            Clock clock,
            long heartbeatNs) {
        this.roster = roster;
        this.machines = machines;
        this.merger = merger;
        this.effects = effects;
        this.clock = clock;
        this.heartbeatNs = heartbeatNs;
    }

    /** Shows it, if it is time. */
    void beat() {
        long nowNs = clock.awakeNs();
        if (nowNs >= nextNs) {
            effects.add(new Effect.Beat(roster.callers(), machines.callers(), merger.lastStep()));
            nextNs = nowNs + heartbeatNs;
        }
    }

    /** When it is time. */
    long nextNs() {
        return nextNs;
    }
}
