package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks that are set, and hubs that stand still, while agents go on. */
@Tag("unit")
class HubClockTest {
    private static final double NOW_S = 1_000_000;

    private static HubCore hub(boolean isShared) {
        HubRules rules =
                new HubRules(60, 1, 30, 5, isShared ? ShareOptions.EQUAL : null, EgressPrices.NONE);
        return HubCore.of(new MemoryJournal(), rules, Policies.named("index"), NOW_S);
    }

    private static void report(HubCore hub, double nowS, String... names) {
        for (String name : names) {
            Seen seen = new Seen(2, 1 << 30, "", 4, false, 3600);
            hub.report(new MachineReport(name, "t", "here", seen, -1), nowS);
        }
    }

    private static FleetJob submit(HubCore hub, int priority, double nowS) {
        double never = Double.POSITIVE_INFINITY;
        JobOwner owner = new JobOwner("ann", "", priority, never, never);
        return hub.submit(new JobRequest("j", "mlp/1.0/j", "", "/", owner, 1, 1), nowS);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-5, -3600, -500_000, 31, 3600, 1e8})
    void shouldDecideAndLoseNoMachineWhereTheClockWasSet(double jumpS) {
        for (boolean isShared : List.of(false, true)) {
            HubCore hub = hub(isShared);
            report(hub, NOW_S, "a", "b");
            FleetJob first = submit(hub, 0, NOW_S);
            hub.tick(NOW_S);
            double nowS = NOW_S + 2 + jumpS;
            hub.tick(nowS);
            assertThat(hub.state().machines()).noneMatch(FleetMachine::isLost);
            assertThat(hub.job(first.id()).machines()).hasSize(1);
            assertThat(hub.state().cost(hub.job(first.id()), nowS)).isNotNegative();
            FleetJob second = submit(hub, 0, nowS + 1);
            hub.tick(nowS + 2);
            assertThat(hub.job(second.id()).machines()).as("at once").hasSize(1);
            hub.cancel(first.id(), nowS + 3);
            assertThat(hub.job(first.id()).times().cost()).isNotNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-3600, 3600})
    void shouldStillLoseAMachineThatIsSilentSince(double jumpS) {
        HubCore hub = hub(false);
        report(hub, NOW_S, "a", "b");
        hub.tick(NOW_S);
        double nowS = NOW_S + jumpS;
        for (int second = 0; second <= 32; second++) {
            report(hub, nowS + second, "a");
            hub.tick(nowS + second);
        }
        assertThat(hub.state().machines())
                .filteredOn(FleetMachine::isLost)
                .extracting(FleetMachine::name)
                .containsExactly("b");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-3600, 0})
    void shouldGiveWayToAHigherPriorityWhereTheClockWasSetBack(double jumpS) {
        HubCore hub = hub(false);
        report(hub, NOW_S, "a");
        FleetJob low = submit(hub, 0, NOW_S);
        hub.tick(NOW_S);
        FleetJob high = submit(hub, 1, NOW_S + jumpS + 2);
        hub.tick(NOW_S + jumpS + 2);
        hub.tick(NOW_S + jumpS + 4);
        assertThat(hub.job(high.id()).machines()).containsExactly("a");
        assertThat(hub.job(low.id()).machines()).isEmpty();
    }
}
