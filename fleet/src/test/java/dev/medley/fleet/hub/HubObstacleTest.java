package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.policy.quota.GroupShare;
import dev.medley.fleet.policy.quota.ShareOptions;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a job waits for that would wait even alone. */
@Tag("unit")
class HubObstacleTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private final HubCore hub;

    HubObstacleTest() {
        ShareOptions shares =
                new ShareOptions(Map.of("few", new GroupShare(1, 1)), List.of(), 1000);
        HubRules rules = new HubRules(60, 0, 1e9, 5, shares, EgressPrices.NONE);
        hub = HubCore.of(new MemoryJournal(), rules, Policies.named("fifo"), 0);
        for (String name : List.of("a1", "a2", "b1", "b2")) {
            Seen seen = new Seen(2, 1 << 20, "", 4, false, Double.NaN);
            hub.report(new MachineReport(name, name.substring(0, 1), "", seen, -1), 0);
        }
    }

    private FleetJob submit(String group, double budget, int machines) {
        JobOwner owner = new JobOwner("ann", group, 0, NEVER, budget);
        return hub.submit(new JobRequest("j", "mlp/1.0/j", "", "/", owner, machines, machines), 0);
    }

    private void assertWaits(FleetJob job, String why, String takes) {
        hub.tick(1);
        assertThat(hub.job(job.id()).machines()).isEmpty();
        assertThat(hub.job(job.id()).why()).contains(why);
        HubObstacle obstacle = hub.obstacle(hub.job(job.id()), 1);
        assertThat(obstacle).isNotNull();
        assertThat(obstacle.takes()).contains(takes);
    }

    @Test
    void shouldSayThatTheFleetIsTooSmall() {
        assertWaits(submit("", NEVER, 6), "it needs 6 machines, and 4 are here", "2 more machines");
    }

    @Test
    void shouldSayThatNoTypeHasAsMany() {
        assertWaits(
                submit("", NEVER, 3),
                "it needs 3 machines of one type that it fits on, and there are 2 at most",
                "1 more machine of one type, or medley change 1 --min 2");
    }

    @Test
    void shouldSayThatPricesAreMissing() {
        assertWaits(submit("", 5, 1), "it has a budget", "medley change 1 --no-budget");
    }

    @Test
    void shouldSayThatAQuotaIsTooSmall() {
        assertWaits(
                submit("few", NEVER, 2),
                "it needs 2 machines, and group few may hold 1",
                "a quota of 2");
    }

    @Test
    void shouldSayThatItsMemoryIsTooSmall() {
        FleetJob job = submit("", NEVER, 1);
        hub.measured(
                job.id(),
                new JobMeasure(0, 10, 0, 0, Map.of("a", 1.0), 1, NEVER, 1 << 21),
                Map.of());
        assertWaits(job, "takes more memory than any machine", "more memory");
    }

    @Test
    void shouldLetOthersOvertakeAJobThatNeverFits() {
        submit("", NEVER, 3);
        FleetJob small = submit("", NEVER, 1);
        hub.tick(1);
        assertThat(hub.job(small.id()).machines()).hasSize(1);
    }
}
