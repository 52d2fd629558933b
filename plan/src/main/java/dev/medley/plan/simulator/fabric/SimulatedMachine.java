package dev.medley.plan.simulator.fabric;

import static dev.medley.base.ConfigException.check;

import dev.medley.profile.cluster.Machine;
import dev.medley.profile.speed.StepTime;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A number of equal machines at one site.
 *
 * @param machine what each of them is
 * @param count how many there are
 * @param time of a share, forward and backward and update, while nothing disturbs
 * @param bytesPerSecond into and out of each
 * @param unrest what disturbs
 */
public record SimulatedMachine(
        Machine machine, int count, StepTime time, double bytesPerSecond, Disturbance unrest) {
    public SimulatedMachine {
        check(count >= 1, "machine %s: count %d: at least 1", machine.name(), count);
        check(
                bytesPerSecond > 0,
                "machine %s: bandwidth %s bytes per second: above 0",
                machine.name(),
                bytesPerSecond);
    }

    /**
     * Each of them as a kind of its own, by names such as {@code gpu#1} where there are several.
     */
    Stream<SimulatedMachine> singles() {
        return count == 1
                ? Stream.of(this)
                : IntStream.rangeClosed(1, count)
                        .mapToObj(i -> machine.called(machine.name() + "#" + i))
                        .map(m -> new SimulatedMachine(m, 1, time, bytesPerSecond, unrest));
    }

    /** As many as that. */
    SimulatedMachine times(int machines) {
        return new SimulatedMachine(machine, machines, time, bytesPerSecond, unrest);
    }
}
