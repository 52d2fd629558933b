package dev.medley.training.loop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import dev.medley.net.membership.Progress;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrainingStateTest {
    private static final Metric ACCURACY =
            Metrics.of(
                    MetricSpec.of(MetricKind.ACCURACY),
                    new Target(TargetKind.CLASSES, 3, List.of()));
    private static final Metric RMSE =
            Metrics.of(MetricSpec.of(MetricKind.RMSE), new Target(TargetKind.VALUE, 1, List.of()));

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldKeepTheBestOfAllAndStopWhenPatienceEnds(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Metric metric = random.nextBoolean() ? ACCURACY : RMSE;
        double sign = metric.isHigherBetter() ? 1 : -1;
        int patience = 1 + random.nextInt(4);
        StopSpec stop = new StopSpec(null, patience, 0);
        TrainingState state = TrainingState.START;
        double best = Double.NEGATIVE_INFINITY;
        long bestStep = 0;
        long bestStepBefore = 0;
        int since = 0;
        while (state.over() == null && state.step() < 200) {
            bestStepBefore = bestStep;
            double figure = random.nextInt(20) / 20.0;
            state = state.stepped().evaluated(figure, Double.NaN, metric, stop);
            since = sign * figure > best ? 0 : since + 1;
            if (sign * figure >= best) { // Of equals the last is kept.
                best = sign * figure;
                bestStep = state.step();
            }
            assertThat(state.best()).isEqualTo(sign * best);
            assertThat(state.bestStep()).isEqualTo(bestStep);
            assertThat(state.isBest()).isEqualTo(bestStep == state.step());
            assertThat(state.over() != null).isEqualTo(since >= patience);
        }
        assertThat(state.over()).contains("has not improved on").contains("step " + bestStepBefore);
    }

    @Test
    @Tag("unit")
    void shouldStopAtATargetFromEitherSide() {
        StopSpec atNine = new StopSpec(0.9, 0, 0);
        assertThat(after(0.8999, ACCURACY, atNine).over()).isNull();
        assertThat(after(0.9, ACCURACY, atNine).over())
                .isEqualTo("accuracy reached its target: 0.90000, asked for 0.90000");
        assertThat(after(0.9001, RMSE, atNine).over()).isNull();
        assertThat(after(0.9, RMSE, atNine).over()).contains("reached its target");
        assertThat(after(Double.NaN, RMSE, atNine).over()).isNull();
    }

    @Test
    @Tag("unit")
    void shouldNotCountAGainThatIsTooSmall() {
        StopSpec stop = new StopSpec(null, 2, 0.01);
        TrainingState state = after(0.5, ACCURACY, stop);
        state = state.stepped().evaluated(0.505, Double.NaN, ACCURACY, stop);
        assertThat(state.sinceBest()).isEqualTo(1);
        assertThat(state.isBest()).as("for the model, not for the patience").isTrue();
        state = state.stepped().evaluated(0.52, Double.NaN, ACCURACY, stop);
        assertThat(state.sinceBest()).isZero();
        assertThat(state.isBest()).isTrue();
        assertThat(state.over()).isNull();
    }

    /** As the record counts: the model that is kept is the one that it calls best. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldKeepTheBestOfAllWhateverGainThePatienceAsksFor(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Metric metric = random.nextBoolean() ? ACCURACY : RMSE;
        Better better = metric.isHigherBetter() ? Better.HIGHER : Better.LOWER;
        double sign = metric.isHigherBetter() ? 1 : -1;
        StopSpec stop = new StopSpec(null, 3, 0.125);
        TrainingState state = TrainingState.START;
        MetricValue best = new MetricValue(metric.name(), Double.NaN, better);
        long bestStep = 0;
        double beaten = Double.NEGATIVE_INFINITY;
        int since = 0;
        while (state.over() == null && state.step() < 200) {
            double figure = random.nextInt(64) / 32.0; // Of which differences are exact.
            state = state.stepped().evaluated(figure, Double.NaN, metric, stop);
            MetricValue now = new MetricValue(metric.name(), figure, better);
            if (!best.beats(now)) {
                best = now;
                bestStep = state.step();
            }
            since = sign * figure - beaten > 0.125 ? 0 : since + 1;
            beaten = since == 0 ? sign * figure : beaten;
            assertThat(state.best()).isEqualTo(best.value());
            assertThat(state.bestStep()).isEqualTo(bestStep);
            assertThat(state.sinceBest()).isEqualTo(since);
            state = Json.parse(Json.bytes(state), TrainingState.class);
        }
        assertThat(state.over())
                .isEqualTo(
                        "%s has not improved on %.5g by more than 0.12500 for 3 evaluations"
                                .formatted(metric.name(), sign * beaten));
    }

    @Test
    @Tag("unit")
    void smallGainsShouldAddUpForThePatience() {
        StopSpec stop = new StopSpec(null, 3, 0.01);
        TrainingState state = after(0.9, ACCURACY, stop);
        for (double figure : new double[] {0.905, 0.909, 0.913, 0.902, 0.902}) {
            state = state.stepped().evaluated(figure, Double.NaN, ACCURACY, stop);
        }
        assertThat(state.over()).as("0.913 is progress on 0.9").isNull();
        assertThat(state.sinceBest()).isEqualTo(2);
        assertThat(state.bestStep()).isEqualTo(4);
    }

    @Test
    @Tag("unit")
    void shouldNotTakeWhatIsNoNumberForTheBest() {
        StopSpec stop = new StopSpec(null, 3, 0);
        TrainingState good =
                after(0.5, RMSE, stop).stepped().evaluated(Double.NaN, Double.NaN, RMSE, stop);
        assertThat(good.best()).isEqualTo(0.5);
        assertThat(good.sinceBest()).isEqualTo(1);
        TrainingState recovered =
                after(Double.NaN, RMSE, stop).stepped().evaluated(9, Double.NaN, RMSE, stop);
        assertThat(recovered.best()).isEqualTo(9);
        TrainingState never = after(Double.NaN, RMSE, stop);
        for (int i = 0; i < 3; i++) {
            assertThat(never.over()).isNull();
            never = never.stepped().evaluated(Double.NaN, Double.NaN, RMSE, stop);
            assertThat(never.isBest()).isTrue();
        }
        assertThat(never.over()).contains("has not improved");
    }

    @Test
    @Tag("unit")
    void aPatienceOfStepsShouldNotEndWhatHasHardlyBegun() {
        StopSpec stop = new StopSpec(null, 3, 0, 20);
        assertThat(stepsUntilOver(stop, Double.NaN, 0)).isEqualTo(200);
        assertThat(stepsUntilOver(stop, Double.NaN, 0.01)).isEqualTo(200);
        assertThat(stepsUntilOver(stop, 0.5, 0.01)).isEqualTo(200);
        assertThat(stepsUntilOver(stop, 0.5, 0)).isEqualTo(21);
        assertThat(stepsUntilOver(new StopSpec(null, 3, 0), 0.5, 0.01)).isEqualTo(4);
        assertThat(stepsUntilOver(new StopSpec(null, 3, 0), Double.NaN, 0.01)).isEqualTo(4);
    }

    /**
     * Of an accuracy that stays, with a loss that falls at every step; none where it falls by 0.
     */
    private static long stepsUntilOver(StopSpec stop, double accuracy, double fall) {
        TrainingState state = TrainingState.START;
        while (state.over() == null && state.step() < 200) {
            double loss = fall == 0 ? Double.NaN : 5 - fall * state.step();
            state = state.stepped().evaluated(accuracy, loss, ACCURACY, stop);
        }
        return state.step();
    }

    @Test
    @Tag("unit")
    void aLossThatStaysShouldEndPatienceWhereTheMetricIsNoNumber() {
        StopSpec stop = new StopSpec(null, 3, 0, 20);
        TrainingState state = TrainingState.START;
        while (state.over() == null && state.step() < 200) {
            state = state.stepped().evaluated(Double.NaN, 1, ACCURACY, stop);
        }
        assertThat(state.step()).isEqualTo(21);
        String older =
                new String(Json.bytes(state), UTF_8)
                        .replaceFirst(",?\"gain\":\\{[^}]*}", "")
                        .replaceFirst(",?\"trainedNs\":\\d+", "");
        TrainingState read = Json.parse(older.getBytes(UTF_8), TrainingState.class);
        assertThat(read.gain()).isNull();
        assertThat(read.trainedNs()).isZero();
    }

    @Test
    @Tag("unit")
    void shouldNotStopEarlyWithoutBeingAsked() {
        TrainingState state = after(0.9, ACCURACY, StopSpec.never());
        for (int i = 0; i < 100; i++) {
            state = state.stepped().evaluated(0.1, Double.NaN, ACCURACY, StopSpec.never());
        }
        assertThat(state.over()).isNull();
        assertThat(state.sinceBest()).isEqualTo(100);
    }

    @Test
    @Tag("unit")
    void shouldKeepTheFirstReasonForTheEnd() {
        TrainingState state = TrainingState.START.stepped().over("first").over("second");
        assertThat(state.over()).isEqualTo("first");
        assertThat(state.evaluated(1, Double.NaN, ACCURACY, new StopSpec(0.9, 0, 0)).over())
                .isEqualTo("first");
    }

    @Test
    @Tag("unit")
    void shouldBeAheadOnceItsEvaluationIsDone() {
        TrainingState stepped = TrainingState.START.stepped();
        TrainingState evaluated = stepped.evaluated(0.5, Double.NaN, ACCURACY, StopSpec.never());
        assertThat(stepped.progress()).isEqualTo(new Progress(1, false));
        assertThat(evaluated.progress()).isGreaterThan(stepped.progress());
        assertThat(evaluated.stepped().progress()).isEqualTo(new Progress(2, false));
    }

    @Test
    @Tag("unit")
    void shouldSurviveACheckpoint() {
        TrainingState state =
                after(0.25, RMSE, StopSpec.never()).stepped().inFullPrecision().over("why");
        assertThat(Json.parse(Json.bytes(state), TrainingState.class)).isEqualTo(state);
        assertThat(Json.parse(Json.bytes(TrainingState.START), TrainingState.class))
                .isEqualTo(TrainingState.START);
    }

    private static TrainingState after(double figure, Metric metric, StopSpec stop) {
        return TrainingState.START.stepped().evaluated(figure, Double.NaN, metric, stop);
    }
}
