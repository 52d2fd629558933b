package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.fleet.state.JobData;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What leaving the hub's site costs, in what a hub decides and says. */
@Tag("unit")
class EgressTest {
    private static final EgressPrices PRICES =
            new EgressPrices("rack", Map.of("aws", 0.1, "gcp", 0.2));

    private static final long TEN_GB = 10_000_000_000L;

    private double nowS;

    private HubCore hub(EgressPrices prices) {
        HubRules rules = new HubRules(60, 0, 1e9, 5, null, prices);
        return HubCore.of(new MemoryJournal(), rules, Policies.named("fifo_fastest"), 0);
    }

    private void machine(HubCore hub, String name, String type, String site, double price) {
        Seen seen = new Seen(2, 1 << 30, "", 1, false, price);
        hub.report(new MachineReport(name, type, site, seen, -1), nowS);
    }

    private long submit(HubCore hub, String kind, double budget) {
        JobOwner owner = new JobOwner("u", "", 0, Double.POSITIVE_INFINITY, budget);
        JobRequest request = new JobRequest("j", kind, "", "/", owner, 1, 1, new JobData(TEN_GB));
        return hub.submit(request, nowS).id();
    }

    private void tick(HubCore hub) {
        nowS += 100;
        hub.tick(nowS);
    }

    private static String why(HubCore hub, long job, double nowS) {
        return String.join("; ", hub.forecasts(hub.job(job), nowS));
    }

    @Test
    void shouldTakeTheMachineToWhichDataComeCheapest() {
        HubCore hub = hub(PRICES);
        machine(hub, "a-gcp", "gpu", "gcp", 1);
        machine(hub, "b-aws", "gpu", "aws", 1);
        machine(hub, "c-rack", "gpu", "rack", 1);
        long first = submit(hub, "mlp/1.0/a", 1e9);
        assertThat(why(hub, first, nowS))
                .contains(
                        "Its data, 9.31 GiB at rack, cost in egress: on rack none, on aws 1.00, on"
                                + " gcp 2.00");
        tick(hub);
        long second = submit(hub, "mlp/1.0/b", 1e9);
        tick(hub);
        assertThat(hub.job(first).machines()).containsExactly("c-rack");
        assertThat(hub.job(second).machines()).containsExactly("b-aws");
        assertThat(hub.job(second).times().cost()).isCloseTo(1, within(1e-9));
        assertThat(hub.state().sentences(second).toString())
                .contains("bringing its data there costs 1.00 of egress");
        assertThat(hub.state().sentences(first).toString()).doesNotContain("egress");
    }

    @Test
    void shouldPayNothingWhereItsDataAre() {
        HubCore hub = hub(PRICES);
        machine(hub, "b-aws", "gpu", "aws", 1);
        long first = submit(hub, "mlp/1.0/a", 1e9);
        tick(hub);
        hub.cancel(first, nowS);
        machine(hub, "a-aws", "gpu", "aws", 1);
        long second = submit(hub, "mlp/1.0/a", 1e9);
        tick(hub);
        assertThat(hub.job(second).machines()).containsExactly("b-aws");
        assertThat(hub.job(second).times().cost()).isZero();
    }

    @Test
    void shouldWeighEgressAgainstSpeedAndPriceAmongTypes() {
        for (double price : new double[] {0.01, 100}) {
            HubCore hub = hub(PRICES);
            machine(hub, "f", "fast", "aws", price);
            machine(hub, "s", "slow", "rack", price);
            long id = submit(hub, "mlp/1.0/a", 1e9);
            Map<String, Double> rates = Map.of("fast", 4.0, "slow", 1.0);
            hub.measured(
                    id,
                    new JobMeasure(0, 7200, 0, 0, rates, 0, Double.POSITIVE_INFINITY, 0),
                    Map.of());
            tick(hub);
            // Half an hour there, two hours here; 1.00 of egress is 100 h of a cheap machine.
            assertThat(hub.job(id).machines()).containsExactly(price < 1 ? "s" : "f");
        }
    }

    @Test
    void shouldTakeASiteWithoutAPriceForTheDearestAndSaySo() {
        HubCore hub = hub(PRICES);
        machine(hub, "a-oci", "gpu", "oci", 1);
        machine(hub, "b-gcp", "gpu", "gcp", 1);
        long id = submit(hub, "mlp/1.0/a", 1e9);
        assertThat(why(hub, id, nowS))
                .contains("on oci 2.00 (nobody said its price: as the dearest)");
    }

    @Test
    void shouldEndABudgetByEgress() {
        HubCore hub = hub(PRICES);
        machine(hub, "b-gcp", "gpu", "gcp", 1);
        long id = submit(hub, "mlp/1.0/a", 1.5);
        tick(hub);
        tick(hub);
        assertThat(hub.job(id).why()).contains("its budget of 1.50 is used up");
    }

    @Test
    void shouldDecideAndSayTheSameWithoutPrices() {
        HubCore hub = hub(EgressPrices.NONE);
        machine(hub, "a-gcp", "gpu", "gcp", 1);
        machine(hub, "c-rack", "gpu", "rack", 1);
        long id = submit(hub, "mlp/1.0/a", 1e9);
        assertThat(why(hub, id, nowS)).doesNotContain("egress");
        tick(hub);
        assertThat(hub.job(id).machines()).containsExactly("a-gcp");
        assertThat(hub.job(id).times().cost()).isZero();
    }

    @Test
    void shouldCountTheSecondsInWhichAJobHeldMachines() {
        HubCore hub = hub(EgressPrices.NONE);
        machine(hub, "a", "gpu", "rack", 1);
        long id = submit(hub, "mlp/1.0/a", 1e9);
        tick(hub);
        assertThat(hub.job(id).times().servedS(nowS + 40)).isEqualTo(40);
        nowS += 50;
        hub.pause(id, "asked", nowS);
        assertThat(hub.job(id).times().servedS(nowS + 70)).isEqualTo(50);
        assertThat(hub.job(id).times().servedS(0)).as("a clock that goes back").isEqualTo(50);
    }

    @Test
    void shouldReadAJournalFromBeforeAndRefuseAPriceBelowNothing() {
        FleetJob job =
                FleetJob.submitted(1, new JobRequest("j", "k", "", "/", JobOwner.of("u"), 1, 1), 0);
        String line = Json.line(job);
        String before = line.replace(",\"data\":{\"bytes\":0}", "");
        assertThat(before).isNotEqualTo(line);
        assertThat(Json.parse(before, FleetJob.class)).isEqualTo(job);
        assertThatThrownBy(() -> new EgressPrices("rack", Map.of("aws", -1.0)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("egress to aws costs -1.0 a GB");
    }
}
