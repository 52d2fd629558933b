package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TrainSpecTest {
    @Test
    void shouldChooseTheMetricsThatSuitTheTarget() {
        TrainSpec train = train(List.of());
        assertThat(train.metricsFor(Signature.TargetKind.BINARY))
                .first()
                .isEqualTo(MetricSpec.of(MetricKind.AUC));
        assertThat(train.metricsFor(Signature.TargetKind.VALUE))
                .containsExactly(
                        MetricSpec.of(MetricKind.RMSE),
                        MetricSpec.of(MetricKind.MAE),
                        MetricSpec.of(MetricKind.R2));
    }

    @Test
    void shouldKeepTheMetricsThatWereAskedFor() {
        List<MetricSpec> asked = List.of(MetricSpec.of(MetricKind.LOSS));
        assertThat(train(asked).metricsFor(Signature.TargetKind.BINARY)).isEqualTo(asked);
    }

    @Test
    void shouldWarmUpForAQuarterOfAShortRun() {
        ScheduleSpec schedule = new ScheduleSpec(ScheduleSpec.Kind.COSINE, 100, 10, 0.1, 0);
        assertThat(schedule.factor(5, 40, 10)).isEqualTo(0.5);
        assertThat(schedule.factor(11, 40, 10)).isEqualTo(1);
        assertThat(schedule.factor(40, 40, 10)).isLessThan(0.01);
        assertThat(schedule.factor(50, 1000, 10)).isCloseTo(0.5, within(1e-12));
    }

    private static TrainSpec train(List<MetricSpec> metrics) {
        return new TrainSpec(
                TrainSpec.Budget.ofEpochs(2),
                32,
                TrainSpec.LossSpec.auto(),
                OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM),
                ScheduleSpec.defaults(),
                0,
                1,
                TrainSpec.Precision.FP32,
                metrics,
                0,
                TrainSpec.StopSpec.never(),
                List.of(),
                List.of());
    }
}
