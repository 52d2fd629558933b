package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.state.FleetEntry.OfJob;
import dev.medley.fleet.state.FleetEntry.OfMachine;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.JobRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class HubCountsTest {
    private final FleetState state = new FleetState();
    private final HubCounts counts = new HubCounts();
    private final FleetMachine first = machine("m1");
    private FleetJob job =
            FleetJob.submitted(1, new JobRequest("a", "a", "", "/", JobOwner.of("ann"), 1, 4), 0);

    @Test
    void aLostMachineShouldNotCountAsPreempted() {
        state.fold(new OfMachine(first));
        state.fold(new OfMachine(machine("m2")));
        counts.found(state);
        hold("m1");
        hold("m1", "m2");
        hold("m1");
        state.fold(new OfMachine(first.lost()));
        hold();
        hold("m2");
        hold();
        assertThat(counts.counters().changes())
                .isEqualTo(
                        Map.of(
                                "started",
                                1L,
                                "grown",
                                1L,
                                "shrunk",
                                1L,
                                "lost",
                                1L,
                                "restarted",
                                1L,
                                "preempted",
                                1L));
    }

    @Test
    void aTimedPolicyShouldOrderByPriorityWhereItsOwnDoes() {
        for (String word : List.of("index", "fifo")) {
            Policy own = Policies.inHub(Policies.named(word));
            Policy timed = counts.timed(own, Clock.system());
            assertThat(timed.ordersByPriority()).as(word).isEqualTo(own.ordersByPriority());
        }
    }

    private void hold(String... machines) {
        job = job.holding(List.of(machines), "so").in(JobPhase.RUNNING, "so");
        if (machines.length > 0) {
            job = job.with(job.times().started(5));
        }
        state.fold(new OfJob(job));
        counts.look(state);
    }

    private static FleetMachine machine(String name) {
        FleetMachine.Seen seen = new FleetMachine.Seen(2, 1, "", Double.NaN, false, Double.NaN);
        return new FleetMachine(name, "cpu", "", seen, 0, Double.POSITIVE_INFINITY, false);
    }
}
