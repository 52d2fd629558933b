package dev.medley.training.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetricsTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void aucShouldEqualTheShareOfPairsInOrderWithTiesForHalf(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int levels = 2 + random.nextInt(random.nextBoolean() ? 5 : 1000);
        List<EvaluatedBlock> blocks = new ArrayList<>();
        List<float[]> samples = new ArrayList<>();
        samples.add(new float[] {random.nextInt(levels), 1});
        samples.add(new float[] {random.nextInt(levels), 0});
        blocks.add(block(samples));
        for (int b = random.nextInt(4); b > 0; b--) {
            List<float[]> more = new ArrayList<>();
            for (int i = 1 + random.nextInt(60); i > 0; i--) {
                float score = (random.nextInt(levels) - levels / 2) * 0.25f;
                more.add(new float[] {score == 0 && random.nextBoolean() ? -0f : score, 0});
                more.get(more.size() - 1)[1] = random.nextInt(3) == 0 ? 1 : 0;
            }
            blocks.add(block(more));
            samples.addAll(more);
        }
        double inOrder = 0;
        double pairs = 0;
        for (float[] positive : samples) {
            for (float[] negative : samples) {
                if (positive[1] == 1 && negative[1] == 0) {
                    pairs++;
                    inOrder += positive[0] > negative[0] ? 1 : positive[0] == negative[0] ? 0.5 : 0;
                }
            }
        }
        assertThat(figure(MetricKind.AUC, TargetKind.BINARY, blocks))
                .isCloseTo(inOrder / pairs, within(1e-12));
    }

    @Test
    @Tag("unit")
    void aucShouldKnowItsExtremes() {
        float[] target = {0, 0, 1, 1};
        assertThat(auc(new float[] {1, 2, 3, 4}, target)).isEqualTo(1);
        assertThat(auc(new float[] {4, 3, 2, 1}, target)).isZero();
        assertThat(auc(new float[] {5, 5, 5, 5}, target)).isEqualTo(0.5);
        assertThat(auc(new float[] {0f, -0f, 0f, -0f}, target)).isEqualTo(0.5);
        assertThat(auc(new float[] {1, 2}, new float[] {1, 1})).isNaN();
    }

    @Test
    @Tag("unit")
    void accuracyShouldCountTheLargestOutput() {
        EvaluatedBlock first = Blocks.ofClasses(new float[] {1, 2, 0, 5, -1, 4}, 1, 2);
        EvaluatedBlock second = Blocks.ofClasses(new float[] {-3, -2, -1}, 2);
        assertThat(figure(MetricKind.ACCURACY, TargetKind.CLASSES, List.of(first, second)))
                .isEqualTo(2.0 / 3);
        assertThat(
                        figure(
                                MetricKind.ACCURACY,
                                TargetKind.BINARY,
                                List.of(
                                        Blocks.of(
                                                new float[] {-0.1f, 0.1f, 3, -3},
                                                new float[] {0, 1, 0, 1}))))
                .isEqualTo(0.5);
    }

    @Test
    @Tag("unit")
    void accuracyShouldLeaveTokensOutThatNobodyAsksFor() {
        float[] outputs = {0, 1, 1, 0, 0, 1, 1, 0};
        EvaluatedBlock block = Blocks.ofTokens(2, outputs, 0, 3, 1, 1, -1, 0);
        assertThat(figure(MetricKind.ACCURACY, TargetKind.TOKENS, List.of(block)))
                .isEqualTo(2.0 / 3);
    }

    @Test
    @Tag("unit")
    void rmseShouldBeTheRootOfTheMeanOverAllBlocks() {
        EvaluatedBlock first = Blocks.of(new float[] {1, 2, 3}, new float[] {1, 4, 3});
        EvaluatedBlock second = Blocks.of(new float[] {0}, new float[] {-3});
        assertThat(figure(MetricKind.RMSE, TargetKind.VALUE, List.of(first, second)))
                .isCloseTo(Math.sqrt(13.0 / 4), within(1e-15));
    }

    @Test
    @Tag("unit")
    void lossShouldWeighBlocksByWhatTheyCount() {
        EvaluatedBlock first = Blocks.ofTokens(1, new float[4], 6, 3, 0, 0);
        EvaluatedBlock second = Blocks.ofTokens(1, new float[4], 1, 1, 0, -1);
        assertThat(figure(MetricKind.LOSS, TargetKind.TOKENS, List.of(first, second)))
                .isEqualTo(7.0 / 4);
    }

    @Test
    @Tag("unit")
    void perplexityShouldBeThatOfTheTokensThatHaveATargetWhateverIsMinimised() {
        double custom = 99;
        float log3 = (float) Math.log(3);
        EvaluatedBlock first = Blocks.ofTokens(1, new float[] {0, 0, log3, 0}, custom, 3, 1, 0);
        EvaluatedBlock second = Blocks.ofTokens(1, new float[] {0, 0, 7, 8}, custom, 1, 0, -1);
        List<EvaluatedBlock> blocks = List.of(first, second);
        double mean = -(Math.log(0.5) + Math.log(0.75) + Math.log(0.5)) / 3;
        assertThat(figure(MetricKind.LOG_LOSS, TargetKind.TOKENS, blocks))
                .isCloseTo(mean, within(1e-7));
        assertThat(figure(MetricKind.PERPLEXITY, TargetKind.TOKENS, blocks))
                .isCloseTo(Math.exp(mean), within(1e-7));
    }

    @Test
    @Tag("unit")
    void logLossShouldNotDependOnWhatIsMinimised() {
        double hinge = 99;
        EvaluatedBlock two = Blocks.of(new float[] {2, -1, 200}, new float[] {1, 1, 0}, hinge);
        assertThat(figure(MetricKind.LOG_LOSS, TargetKind.BINARY, List.of(two)))
                .isCloseTo(
                        (Math.log(1 + Math.exp(-2)) + Math.log(1 + Math.exp(1)) + 200) / 3,
                        within(1e-12));
        EvaluatedBlock three = Blocks.ofClasses(new float[] {1, 2, 3, 500, 0, 0}, 0, 0);
        double rest = Math.log(Math.exp(1) + Math.exp(2) + Math.exp(3)) - 1;
        assertThat(figure(MetricKind.LOG_LOSS, TargetKind.CLASSES, List.of(three)))
                .isCloseTo(rest / 2, within(1e-12));
    }

    @Test
    @Tag("unit")
    void everyMetricShouldSayWhatIsBetter() {
        assertThat(metric(MetricKind.AUC, TargetKind.BINARY).isHigherBetter()).isTrue();
        assertThat(metric(MetricKind.ACCURACY, TargetKind.CLASSES).isHigherBetter()).isTrue();
        assertThat(metric(MetricKind.LOSS, TargetKind.CLASSES).isHigherBetter()).isFalse();
        assertThat(metric(MetricKind.LOG_LOSS, TargetKind.CLASSES).isHigherBetter()).isFalse();
        assertThat(metric(MetricKind.RMSE, TargetKind.VALUE).isHigherBetter()).isFalse();
        assertThat(metric(MetricKind.PERPLEXITY, TargetKind.TOKENS).isHigherBetter()).isFalse();
    }

    @Test
    @Tag("unit")
    void shouldRefuseAMetricThatHasNoMeaningForTheTarget() {
        assertThatThrownBy(() -> metric(MetricKind.AUC, TargetKind.CLASSES))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("auc is not defined for a target of kind classes");
        assertThatThrownBy(() -> metric(MetricKind.RMSE, TargetKind.BINARY))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> metric(MetricKind.ACCURACY, TargetKind.VALUE))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> metric(MetricKind.PERPLEXITY, TargetKind.CLASSES))
                .isInstanceOf(ConfigException.class);
    }

    private static double auc(float[] scores, float[] target) {
        return figure(MetricKind.AUC, TargetKind.BINARY, List.of(Blocks.of(scores, target)));
    }

    private static double figure(MetricKind kind, TargetKind target, List<EvaluatedBlock> blocks) {
        Metric metric = metric(kind, target);
        List<double[]> values = new ArrayList<>();
        for (EvaluatedBlock block : blocks) {
            values.add(metric.values(block));
            assertThat(values.get(values.size() - 1)).hasSize(metric.valuesOf(block.samples()));
        }
        return metric.figure(values);
    }

    private static Metric metric(MetricKind kind, TargetKind target) {
        return Metrics.of(MetricSpec.of(kind), target);
    }

    private static EvaluatedBlock block(List<float[]> samples) {
        float[] scores = new float[samples.size()];
        float[] target = new float[samples.size()];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = samples.get(i)[0];
            target[i] = samples.get(i)[1];
        }
        return Blocks.of(scores, target);
    }
}
