package dev.medley.fleet.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ActionValuesTest {
    @Test
    void shouldComputeWhatTheNetworkComputes() {
        Torch.startIfNeeded();
        Signature signature =
                new Signature(
                        List.of(new Input("x", ElementType.FLOAT32, List.of(3), List.of())),
                        new Target(TargetKind.VALUES, 8, List.of()));
        try (Replica replica =
                Replica.of(
                        new DuelingNetwork(3, 5, 4),
                        (outputs, truth) -> outputs.sum(),
                        signature,
                        ReplicaOptions.of(3, Precision.FP32))) {
            HostArray states = HostArray.allocate(ElementType.FLOAT32, 2, 3);
            float[] numbers = {0.5f, -1, 2, 1, 0.25f, -3};
            states.data().buffer().asFloatBuffer().put(numbers);
            HostArray target = HostArray.allocate(ElementType.FLOAT32, 2, 8);
            FloatBuffer expected =
                    replica.forward(new Batch(List.of(states), target, 2))
                            .data()
                            .buffer()
                            .asFloatBuffer();
            ActionValues values = ActionValues.of(3, 5, 4, replica.export());
            for (int row = 0; row < 2; row++) {
                double[] state = {numbers[3 * row], numbers[3 * row + 1], numbers[3 * row + 2]};
                double[] found = values.of(state);
                for (int action = 0; action < 4; action++) {
                    assertThat(found[action])
                            .isCloseTo(expected.get(4 * row + action), within(1e-5));
                }
            }
        }
    }

    @Test
    void shouldAddUpJobsOverTime() {
        JobsOverTime jobs = new JobsOverTime();
        jobs.set(10, 2);
        jobs.set(20, 5);
        jobs.set(40, 0);
        assertThat(jobs.until(5)).isZero();
        assertThat(jobs.until(15)).isEqualTo(10);
        assertThat(jobs.until(20)).isEqualTo(20);
        assertThat(jobs.until(30)).isEqualTo(70);
        assertThat(jobs.until(400)).isEqualTo(120);
    }
}
