package dev.medley.inference.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.Link;
import dev.medley.base.job.Signature.Target;
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

    /** scikit-learn: mean_poisson_deviance([0, 2, 4], [0.5, 2, 1]) = 2.0300... */
    @Test
    @Tag("unit")
    void devianceShouldBeThatOfCountsFromTheirRates() {
        EvaluatedBlock block = Blocks.of(new float[] {0.5f, 2, 1}, new float[] {0, 2, 4});
        Target rate = new Target(TargetKind.VALUE, 1, List.of(), 2, 1, Link.LOG);
        Metric metric = Metrics.of(MetricSpec.of(MetricKind.POISSON_DEVIANCE), rate);
        assertThat(metric.figure(List.of(metric.values(block))))
                .isCloseTo((1 + 0 + 2 * (4 * Math.log(4) - 3)) / 3, within(1e-12));
        assertThat(metric.name()).isEqualTo("poisson_deviance");
        EvaluatedBlock off =
                Blocks.of(new float[] {0, Float.POSITIVE_INFINITY}, new float[] {3, 3});
        assertThat(metric.figure(List.of(metric.values(off)))).isFinite();
        assertThatThrownBy(() -> figure(MetricKind.POISSON_DEVIANCE, TargetKind.VALUE, List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("poisson_deviance is not defined");
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

    /** A class of three with random outputs, weights from 0 to 3, in one to four blocks. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void aWeightShouldCountAsSoManySamplesInEveryMetric(long seed) {
        for (TargetKind kind : List.of(TargetKind.BINARY, TargetKind.CLASSES, TargetKind.VALUE)) {
            RandomGenerator random = Seeds.generator(seed);
            List<EvaluatedBlock> weighted = new ArrayList<>();
            List<EvaluatedBlock> doubled = new ArrayList<>();
            List<EvaluatedBlock> repeated = new ArrayList<>();
            for (int b = 1 + random.nextInt(4); b > 0; b--) {
                Drawn drawn = Drawn.of(kind, 5 + random.nextInt(40), random);
                weighted.add(drawn.block(kind, drawn.weights()));
                doubled.add(drawn.block(kind, drawn.timesTwo()));
                repeated.add(drawn.repeated().block(kind, null));
            }
            for (String name : names(kind)) {
                Metric metric =
                        Metrics.of(
                                MetricSpec.named(name), new Target(kind, outputs(kind), List.of()));
                assertThat(figure(metric, weighted))
                        .as(name)
                        .isCloseTo(figure(metric, repeated), withinPercentage(1e-9));
                assertThat(figure(metric, doubled)).as(name).isEqualTo(figure(metric, weighted));
            }
        }
    }

    private static List<String> names(TargetKind kind) {
        String names =
                switch (kind) {
                    case BINARY -> "auc pr_auc accuracy log_loss precision recall f1";
                    case CLASSES -> "accuracy log_loss precision recall f1 top_2_accuracy";
                    case VALUE -> "mse rmse mae r2";
                    case VALUES, GRADE, TOKENS, NONE -> "";
                };
        return List.of(names.split(" "));
    }

    /** Rows of outputs, with what is true and what each counts. */
    private record Drawn(float[][] outputs, int[] truths, float[] values, int[] counts) {
        static Drawn of(TargetKind kind, int samples, RandomGenerator random) {
            float[][] outputs = new float[samples][MetricsTest.outputs(kind)];
            int[] truths = new int[samples];
            float[] values = new float[samples];
            int[] counts = new int[samples];
            for (int i = 0; i < samples; i++) {
                for (int c = 0; c < outputs[i].length; c++) {
                    outputs[i][c] = (random.nextInt(9) - 4) / 2f;
                }
                truths[i] = i % (kind == TargetKind.CLASSES ? 3 : 2);
                values[i] = 1_000_000 + random.nextInt(100);
                counts[i] = i < 3 ? 1 : random.nextInt(4);
            }
            return new Drawn(outputs, truths, values, counts);
        }

        Drawn repeated() {
            int[] from =
                    java.util.stream.IntStream.range(0, counts.length)
                            .flatMap(
                                    i -> java.util.stream.IntStream.range(0, counts[i]).map(n -> i))
                            .toArray();
            float[][] rows = new float[from.length][];
            int[] labels = new int[from.length];
            float[] numbers = new float[from.length];
            for (int i = 0; i < from.length; i++) {
                rows[i] = outputs[from[i]];
                labels[i] = truths[from[i]];
                numbers[i] = values[from[i]];
            }
            return new Drawn(rows, labels, numbers, new int[0]);
        }

        float[] weights() {
            float[] weights = new float[counts.length];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = counts[i];
            }
            return weights;
        }

        float[] timesTwo() {
            float[] weights = weights();
            for (int i = 0; i < weights.length; i++) {
                weights[i] *= 2;
            }
            return weights;
        }

        EvaluatedBlock block(TargetKind kind, float[] weights) {
            int width = outputs[0].length;
            float[] flat = new float[outputs.length * width];
            float[] targets = new float[outputs.length];
            long[] indices = new long[outputs.length];
            for (int i = 0; i < outputs.length; i++) {
                System.arraycopy(outputs[i], 0, flat, i * width, width);
                targets[i] = kind == TargetKind.VALUE ? values[i] : truths[i];
                indices[i] = truths[i];
            }
            EvaluatedBlock plain =
                    kind == TargetKind.CLASSES
                            ? Blocks.ofClasses(flat, indices)
                            : Blocks.of(flat, targets);
            return weights == null ? plain : Blocks.weighing(plain, weights);
        }
    }

    @Test
    @Tag("unit")
    void shouldScoreTheSecondOfTwoClasses() {
        EvaluatedBlock block =
                Blocks.of(new float[] {1, 1, 1, -1, -1, -1}, new float[] {1, 0, 1, 1, 0, 0});
        assertThat(figure(MetricKind.PRECISION, TargetKind.BINARY, List.of(block)))
                .isEqualTo(2.0 / 3);
        assertThat(figure(MetricKind.RECALL, TargetKind.BINARY, List.of(block))).isEqualTo(2.0 / 3);
        assertThat(figure(MetricKind.F1, TargetKind.BINARY, List.of(block))).isEqualTo(2.0 / 3);
        EvaluatedBlock nothing = Blocks.of(new float[] {-1, -1}, new float[] {1, 0});
        assertThat(figure(MetricKind.PRECISION, TargetKind.BINARY, List.of(nothing))).isZero();
        EvaluatedBlock none = Blocks.of(new float[] {-1, -1}, new float[] {0, 0});
        assertThat(figure(MetricKind.F1, TargetKind.BINARY, List.of(none))).isNaN();
    }

    @Test
    @Tag("unit")
    void ofSeveralClassesTheyShouldBeMeansOverTheClassesThatOccur() {
        // True 0, 0, 1; taken for 0, 1, 1: the third class is nowhere.
        EvaluatedBlock block = Blocks.ofClasses(new float[] {2, 1, 0, 1, 2, 0, 1, 2, 0}, 0, 0, 1);
        assertThat(figure(MetricKind.PRECISION, TargetKind.CLASSES, List.of(block)))
                .isEqualTo((1 + 0.5) / 2);
        assertThat(figure(MetricKind.RECALL, TargetKind.CLASSES, List.of(block)))
                .isEqualTo((0.5 + 1) / 2);
        assertThat(figure(MetricKind.F1, TargetKind.CLASSES, List.of(block)))
                .isCloseTo((2.0 / 3 + 2.0 / 3) / 2, within(1e-15));
    }

    @Test
    @Tag("unit")
    void averagePrecisionShouldTakeTiesAsOnePoint() {
        // scikit-learn's average_precision_score of the same samples.
        assertThat(prAuc(new float[] {0.1f, 0.4f, 0.35f, 0.8f}, new float[] {0, 0, 1, 1}))
                .isCloseTo(0.8333333333333333, within(1e-15));
        assertThat(prAuc(new float[] {5, 5, 5, 5}, new float[] {0, 1, 0, 0})).isEqualTo(0.25);
        assertThat(prAuc(new float[] {1, 2}, new float[] {0, 0})).isNaN();
    }

    private static double prAuc(float[] scores, float[] target) {
        return figure(MetricKind.PR_AUC, TargetKind.BINARY, List.of(Blocks.of(scores, target)));
    }

    @Test
    @Tag("unit")
    void shouldKeepDigitsWhereTargetsAreFarFromZero() {
        float far = 1 << 23;
        EvaluatedBlock first = Blocks.of(new float[] {far, far + 3}, new float[] {far, far + 2});
        EvaluatedBlock second = Blocks.of(new float[] {far + 4}, new float[] {far + 4});
        assertThat(figure(MetricKind.R2, TargetKind.VALUE, List.of(first, second)))
                .isEqualTo(1 - 1.0 / 8);
        EvaluatedBlock flat = Blocks.of(new float[] {1, 2}, new float[] {3, 3});
        assertThat(figure(MetricKind.R2, TargetKind.VALUE, List.of(flat))).isNaN();
        assertThat(figure(MetricKind.MAE, TargetKind.VALUE, List.of(flat))).isEqualTo(1.5);
    }

    @Test
    @Tag("unit")
    void topAccuracyShouldLookAtSoManyAndBreakTiesAsAccuracyDoes() {
        Target three = new Target(TargetKind.CLASSES, 3, List.of());
        Metric two = Metrics.of(MetricSpec.named("top_2_accuracy"), three);
        assertThat(two.name()).isEqualTo("top_2_accuracy");
        EvaluatedBlock block =
                Blocks.ofClasses(new float[] {3, 2, 1, 3, 2, 1, 1, 1, 1, 1, 1, 1}, 1, 2, 1, 2);
        assertThat(figure(two, List.of(block))).isEqualTo(0.5);
        assertThatThrownBy(() -> Metrics.of(MetricSpec.named("top_3_accuracy"), three))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("top_3_accuracy is 1 for whatever");
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
        return figure(metric(kind, target), blocks);
    }

    private static double figure(Metric metric, List<EvaluatedBlock> blocks) {
        List<double[]> values = new ArrayList<>();
        for (EvaluatedBlock block : blocks) {
            values.add(metric.values(block));
            assertThat(values.get(values.size() - 1)).hasSize(metric.valuesOf(block.samples()));
        }
        return metric.figure(values);
    }

    private static int outputs(TargetKind target) {
        return target == TargetKind.CLASSES ? 3 : target == TargetKind.TOKENS ? 2 : 1;
    }

    private static Metric metric(MetricKind kind, TargetKind target) {
        return Metrics.of(MetricSpec.of(kind), new Target(target, outputs(target), List.of()));
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
