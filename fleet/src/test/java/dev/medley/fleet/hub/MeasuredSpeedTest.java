package dev.medley.fleet.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.fleet.state.FleetEntry.OfMachine;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class MeasuredSpeedTest {
    private static FleetState fleet() {
        FleetState state = new FleetState();
        add(state, "a", "fast", 2);
        add(state, "b", "slow", 1);
        return state;
    }

    private static void add(FleetState state, String name, String type, double speed) {
        Seen seen = new Seen(2, 1 << 30, "", speed, false, Double.NaN);
        state.fold(
                new OfMachine(
                        new FleetMachine(
                                name, type, "s", seen, 0, Double.POSITIVE_INFINITY, false)));
    }

    private static FleetJob job(Map<String, Double> rates, double exchangeRate) {
        JobRequest request = new JobRequest("j", "mlp/1.0/j", "", "/", JobOwner.of("u"), 1, 4);
        return FleetJob.submitted(1, request, 0)
                .with(new JobMeasure(1, 10, 1, 0.5, rates, 1, exchangeRate, 0));
    }

    private static MeasuredSpeed measured(
            Map<String, Double> rates, double exchangeRate, double perSecond, String... names) {
        return MeasuredSpeed.of(fleet(), job(rates, exchangeRate), List.of(names), perSecond);
    }

    @Test
    void shouldTakeAFasterFigureAtOnceAndASlowerOneLittleByLittle() {
        double unknown = Double.POSITIVE_INFINITY;
        assertThat(measured(Map.of(), unknown, 100, "a").rates()).containsEntry("fast", 100.0);
        Map<String, Double> known = Map.of("fast", 100.0);
        assertThat(measured(known, unknown, 400, "a").rates()).containsEntry("fast", 400.0);
        assertThat(measured(known, unknown, 50, "a").rates()).containsEntry("fast", 90.0);
        assertThat(measured(known, unknown, 98, "a").news()).isEmpty();
    }

    @Test
    void shouldTellWhatTalkingCostsAmongSeveral() {
        Map<String, Double> known = Map.of("fast", 100.0, "slow", 50.0);
        MeasuredSpeed slower = measured(known, Double.POSITIVE_INFINITY, 75, "a", "b");
        assertThat(slower.rates()).isEqualTo(known);
        assertThat(slower.exchangeRate()).isCloseTo(150, within(1e-9));
        assertThat(measured(known, Double.POSITIVE_INFINITY, 160, "a", "b").exchangeRate())
                .as("not felt")
                .isCloseTo(6000, within(1e-9));
    }

    @Test
    void shouldDivideAFirstFigureBySpeedsAndPassOverWhatIsNotKnown() {
        double unknown = Double.POSITIVE_INFINITY;
        assertThat(measured(Map.of(), unknown, 90, "a", "b").rates())
                .isEqualTo(Map.of("fast", 60.0, "slow", 30.0));
        assertThat(measured(Map.of(), unknown, 90, "a", "gone").rates()).isEmpty();
        assertThat(measured(Map.of(), unknown, 0, "a").rates()).isEmpty();
    }
}
