package dev.medley.fleet.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.fleet.elastic.trace.MeasuredModel;
import dev.medley.fleet.elastic.trace.NoiseAt;
import dev.medley.fleet.elastic.trace.StepCost;
import dev.medley.fleet.elastic.trace.WorkloadJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class StepTableTest {
    @TempDir static Path folder;
    private static MeasuredModel model;

    @BeforeAll
    static void read() throws Exception {
        model = MadeTraces.read(folder, 3).get("made");
    }

    @Test
    void shouldRepeatWhatWasMeasuredForAnyRotation() {
        assertThat(model.steps().at(new int[] {1, 4}, 64)).isEqualTo(MadeTraces.cost(2, 5, 64));
        assertThat(model.steps().at(new int[] {4, 1}, 64)).isEqualTo(MadeTraces.cost(2, 5, 64));
    }

    @Test
    void shouldInterpolateBetweenLocalBatchesAndBetweenNodes() {
        assertThat(model.steps().at(new int[] {2}, 100).stepS())
                .isCloseTo(MadeTraces.cost(1, 2, 100).stepS(), within(1e-12));
        assertThat(model.steps().at(new int[] {4, 4, 4, 4, 4, 4, 4, 4}, 32).syncS())
                .isCloseTo(MadeTraces.cost(8, 32, 32).syncS(), within(1e-12));
    }

    @Test
    void shouldRefuseLocalBatchesBeyondWhatWasMeasured() {
        assertThatThrownBy(() -> model.steps().at(new int[] {1}, 129))
                .hasMessageContaining("129 was not measured, only 8 to 128");
    }

    @Test
    void shouldInterpolateNoiseBetweenBatches() {
        assertThat(model.curves().noise(544, 1)).isEqualTo(new NoiseAt(1, 2));
        assertThat(model.curves().work(3)).isEqualTo(1200);
        assertThat(new NoiseAt(1, 1e9).gain(4)).isCloseTo(4, within(1e-6));
        assertThat(new NoiseAt(1, 0).gain(4)).isEqualTo(1);
        assertThat(new NoiseAt(1, 1).gain(3)).isCloseTo(1.5, within(1e-12));
    }

    @Test
    void shouldFitWhatItTriedAndThinkTheRestCheap() {
        Map<JobAgent.Shape, StepCost> seen = new HashMap<>();
        for (int workers : new int[] {1, 2, 4}) {
            for (int local : new int[] {16, 64}) {
                seen.put(new JobAgent.Shape(1, workers, local), MadeTraces.cost(1, workers, local));
            }
        }
        SpeedFit fit = new SpeedFit(seen);
        assertThat(fit.at(1, 3, 100).stepS())
                .isCloseTo(MadeTraces.cost(1, 3, 100).stepS(), within(1e-9));
        assertThat(fit.at(2, 8, 64).syncS())
                .isCloseTo(1.1 * MadeTraces.cost(1, 8, 64).syncS(), within(1e-9));
    }

    @Test
    void shouldSayWhereAWorkloadNamesNoModel(@TempDir Path here) throws Exception {
        Path file = here.resolve("w.csv");
        Files.writeString(file, "name,time,application,num_replicas,batch_size\na,1,bort,1,64\n");
        assertThatThrownBy(() -> WorkloadJob.read(file, Map.of("made", model)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("row 1 has model 'bort'; choose one of [made]");
    }
}
