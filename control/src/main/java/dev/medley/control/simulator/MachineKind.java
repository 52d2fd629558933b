package dev.medley.control.simulator;

import static dev.medley.base.ConfigException.check;

import dev.medley.profile.cluster.Machine;
import dev.medley.profile.speed.StepTime;

/**
 * Some equal machines of a site.
 *
 * @param machine what each of them is
 * @param count how many there are
 * @param time of a share, forward and backward and update, while nothing disturbs
 * @param bytesPerSecond into and out of each
 * @param unrest what disturbs
 */
public record MachineKind(
        Machine machine, int count, StepTime time, double bytesPerSecond, Unrest unrest) {
    public MachineKind {
        check(count >= 1, "machine %s: count %d: at least 1", machine.name(), count);
        check(
                bytesPerSecond > 0,
                "machine %s: bandwidth %s bytes per second: above 0",
                machine.name(),
                bytesPerSecond);
    }

    /** The i-th of them, from 1, by a name of its own. */
    MachineKind single(int i) {
        return new MachineKind(
                machine.called(machine.name() + " " + i), 1, time, bytesPerSecond, unrest);
    }

    /** As many as that. */
    MachineKind times(int machines) {
        return new MachineKind(machine, machines, time, bytesPerSecond, unrest);
    }
}
