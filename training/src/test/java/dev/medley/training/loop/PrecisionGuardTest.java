package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.GivenTrain;
import dev.medley.training.Samples;
import java.nio.FloatBuffer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PrecisionGuardTest {
    @Test
    void shouldAllowTwoPerCent() {
        assertThat(PrecisionGuard.differs(1.019, 1)).isFalse();
        assertThat(PrecisionGuard.differs(0.981, 1)).isFalse();
        assertThat(PrecisionGuard.differs(1.021, 1)).isTrue();
        assertThat(PrecisionGuard.differs(0.979, 1)).isTrue();
        assertThat(PrecisionGuard.differs(-102.1, -100)).isTrue();
        assertThat(PrecisionGuard.differs(1e-5, 0)).as("a loss of nothing").isFalse();
    }

    @Test
    void shouldBlameBf16ForWhatIsNoNumberThereAlone() {
        assertThat(PrecisionGuard.differs(Double.NaN, 1)).isTrue();
        assertThat(PrecisionGuard.differs(Double.POSITIVE_INFINITY, 1)).isTrue();
        assertThat(PrecisionGuard.differs(Double.NaN, Double.NaN)).isFalse();
        assertThat(PrecisionGuard.differs(1, Double.POSITIVE_INFINITY)).isFalse();
    }

    @Test
    void shouldLookEarlyAndThenNowAndThen() {
        StepSchedule schedule = new StepSchedule(GivenTrain.of(0, 800, 32).spec(), 1000);
        assertThat(due(schedule)).containsExactly(10L, 250L, 500L, 750L);
        StepSchedule rounds =
                new StepSchedule(schedule.train(), new StepSchedule.Round(16, 16), 1L << 20);
        assertThat(due(rounds)).as("rounds of 16 batches").containsExactly(1L, 16L, 32L, 47L);
    }

    private static LongStream due(StepSchedule schedule) {
        return LongStream.rangeClosed(1, schedule.lastStep())
                .filter(step -> PrecisionGuard.isDue(schedule, step));
    }

    @Test
    void shouldTellWhatBf16CanHoldFromWhatItCannot() {
        Torch.start(1);
        Batch batch = Samples.of(TargetKind.VALUE, 64, 1);
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.BF16)) {
            PrecisionGuard guard = new PrecisionGuard(replica);
            assertThat(guard.isTooCoarse(batch.rows(0, 0))).as("no samples").isFalse();
            assertThat(guard.isTooCoarse(batch)).isFalse();
            FloatBuffer parameters = replica.parameters().buffer().asFloatBuffer();
            for (int i = 0; i < parameters.limit(); i++) {
                parameters.put(i, 20 * parameters.get(i));
            }
            batch.target().data().copyFrom(replica.forward(batch).data());
            assertThat(guard.isTooCoarse(batch))
                    .as("large outputs that fp32 has right: all that is lost is bf16's error")
                    .isTrue();
        }
    }
}
