package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.BatchesSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.plan.policy.BatchPolicy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("unit")
class RunPlansTest {
    /**
     * Where all is noise a batch four times as large teaches four times as much: SGD may go four
     * times as far, and what divides by the gradient's own size, which halves, twice as far.
     */
    @ParameterizedTest
    @EnumSource(OptimizerSpec.Kind.class)
    void theRateOfALargerBatchShouldFollowTheOptimizer(OptimizerSpec.Kind kind) {
        BatchPolicy policy = RunPlans.policy(train(kind));
        assertThat(policy.first()).isEqualTo(32);
        assertThat(policy.largest()).isEqualTo(512);
        double expected = kind == OptimizerSpec.Kind.SGD ? 4 : 2;
        assertThat(policy.learningRateScale(128, Double.POSITIVE_INFINITY)).isEqualTo(expected);
        assertThat(policy.learningRateScale(32, 100)).isEqualTo(1);
    }

    private static TrainSpec train(OptimizerSpec.Kind kind) {
        return new TrainSpec(
                        Budget.ofEpochs(1),
                        32,
                        LossSpec.auto(),
                        OptimizerSpec.defaults(kind),
                        ScheduleSpec.defaults(),
                        0,
                        1,
                        Precision.FP32,
                        List.of(),
                        0,
                        StopSpec.never(),
                        List.of(),
                        List.of())
                .with(new BatchesSpec(512, false));
    }
}
