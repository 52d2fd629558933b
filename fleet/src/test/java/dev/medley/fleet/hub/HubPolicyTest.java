package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.policy.quota.Reservation;
import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hub's promises, asked of its core: who gives way to whom, and who is left in peace. */
@Tag("unit")
class HubPolicyTest {
    private static final double FOREVER = Double.POSITIVE_INFINITY;

    private final HubCore hub;

    HubPolicyTest() {
        Reservation noon = new Reservation("research", "gpu", 1, 100, 200);
        ShareOptions shares = new ShareOptions(Map.of(), List.of(noon), ShareOptions.HALF_LIFE_S);
        HubRules rules = new HubRules(60, 0, 1e9, 5, shares, EgressPrices.NONE);
        hub = HubCore.of(new MemoryJournal(), rules, Policies.named("fifo_fastest"), 0);
    }

    private void machine(String name, String type, double speed) {
        Seen seen = new Seen(2, 1 << 30, "", speed, false, Double.NaN);
        hub.report(new MachineReport(name, type, "here", seen, -1), 0);
    }

    private long submit(String group, int priority, double nowS) {
        JobOwner owner = new JobOwner("u-" + group, group, priority, FOREVER, FOREVER);
        FleetJob job = hub.submit(new JobRequest("j", "mlp/1.0/j", "", "/", owner, 1, 1), nowS);
        return job.id();
    }

    private List<String> held(long job) {
        return hub.job(job).machines();
    }

    @Test
    void shouldGiveWayAtOnceWhereAReservationBegins() {
        machine("g", "gpu", 4);
        long first = submit("interns", 0, 95);
        hub.tick(95);
        assertThat(held(first)).containsExactly("g");
        long reserved = submit("research", 0, 100);
        hub.tick(100);
        assertThat(held(reserved)).as("though the other began 5 s ago").containsExactly("g");
        assertThat(held(first)).isEmpty();
    }

    @Test
    void shouldGiveWayEvenIfNobodyOfTheGroupIsThere() {
        machine("g", "gpu", 4);
        long first = submit("interns", 9, 95);
        hub.tick(95);
        hub.tick(160);
        assertThat(held(first)).isEmpty();
        hub.tick(221);
        assertThat(held(first)).as("when it is over").containsExactly("g");
    }

    @Test
    void shouldKeepAReservationAgainstHigherPriorities() {
        machine("g", "gpu", 4);
        machine("c", "cpu", 1);
        long reserved = submit("research", 0, 110);
        hub.tick(110);
        assertThat(held(reserved)).containsExactly("g");
        long urgent = submit("interns", 99, 150);
        hub.tick(150);
        assertThat(held(reserved)).containsExactly("g");
        assertThat(held(urgent)).containsExactly("c");
    }

    @Test
    void shouldLeaveAJobInPeaceThatJustBeganOnWhatNobodyReserved() {
        machine("c", "cpu", 1);
        long first = submit("interns", 0, 110);
        hub.tick(110);
        long second = submit("research", 0, 115);
        hub.tick(115);
        assertThat(held(first)).containsExactly("c");
        assertThat(held(second)).isEmpty();
    }
}
