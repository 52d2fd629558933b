package dev.medley.inference.metric;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.medley.base.Seeds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The areas under the curves of millions of samples. */
class ScoresTest {
    private static final int MANY = 200_000;

    private record Scored(float score, boolean isPositive, float weight) {}

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    /** In the order of samples within a score, in double. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void figuresShouldBeThoseOfSamplesInOrderToTheBit(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Scored> all = new ArrayList<>();
        List<EvaluatedBlock> blocks = new ArrayList<>();
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
            List<Scored> samples = new ArrayList<>();
            for (int i = 1 + random.nextInt(300); i > 0; i--) {
                float score = (random.nextInt(50) - 25) * 0.1f;
                samples.add(
                        new Scored(
                                random.nextInt(9) == 0 ? -0f : score,
                                random.nextBoolean(),
                                random.nextInt(9) == 0 ? 0 : random.nextFloat()));
            }
            all.addAll(samples);
            blocks.add(block(samples));
        }
        all.sort(Comparator.comparingDouble(sample -> sample.score() + 0.0));
        assertThat(figure(new Auc(), blocks)).isEqualTo(auc(all));
        assertThat(figure(new AveragePrecision(), blocks)).isEqualTo(averagePrecision(all));
    }

    /** A worker's heap holds the samples' doubles, and little besides. */
    @Test
    @Tag("unit")
    void aSampleShouldCostAFewBytes() {
        RandomGenerator random = Seeds.generator(1);
        double[] values = new double[Scores.SOURCE.valuesOf(MANY)];
        for (int i = 0; i < values.length; i += 2) {
            values[i] = random.nextFloat();
            values[i + 1] = random.nextBoolean() ? 1 : -1;
        }
        List<double[]> blocks = List.of(values);
        double first = new Auc().figure(blocks); // Classes are loaded.
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        double figure = new Auc().figure(blocks);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(figure).isEqualTo(first);
        assertThat((long) Scores.SOURCE.valuesOf(1) * Double.BYTES + bytes / MANY)
                .isLessThanOrEqualTo(24);
    }

    private static EvaluatedBlock block(List<Scored> samples) {
        float[] scores = new float[samples.size()];
        float[] targets = new float[samples.size()];
        float[] weights = new float[samples.size()];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = samples.get(i).score();
            targets[i] = samples.get(i).isPositive() ? 1 : 0;
            weights[i] = samples.get(i).weight();
        }
        return Blocks.weighing(Blocks.of(scores, targets), weights);
    }

    private static double figure(Metric metric, List<EvaluatedBlock> blocks) {
        return metric.figure(blocks.stream().map(metric::values).toList());
    }

    private static double auc(List<Scored> sorted) {
        double inOrder = 0;
        double negatives = 0;
        double positives = 0;
        for (List<Scored> level : levels(sorted)) {
            double negative = sum(level, false);
            double positive = sum(level, true);
            inOrder += positive * (negatives + negative / 2);
            negatives += negative;
            positives += positive;
        }
        return inOrder / (positives * negatives);
    }

    private static double averagePrecision(List<Scored> sorted) {
        List<List<Scored>> levels = levels(sorted);
        double found = 0;
        double taken = 0;
        double sum = 0;
        for (int l = levels.size() - 1; l >= 0; l--) {
            double positive = sum(levels.get(l), true);
            found += positive;
            taken += positive + sum(levels.get(l), false);
            if (positive > 0) {
                sum += positive * (found / taken);
            }
        }
        return sum / found;
    }

    private static double sum(List<Scored> level, boolean isPositive) {
        double sum = 0;
        for (Scored sample : level) {
            sum += sample.isPositive() == isPositive ? sample.weight() : 0;
        }
        return sum;
    }

    private static List<List<Scored>> levels(List<Scored> sorted) {
        List<List<Scored>> levels = new ArrayList<>();
        for (Scored sample : sorted) {
            boolean isNew =
                    levels.isEmpty()
                            || levels.get(levels.size() - 1).get(0).score() != sample.score();
            if (isNew) {
                levels.add(new ArrayList<>());
            }
            levels.get(levels.size() - 1).add(sample);
        }
        return levels;
    }
}
