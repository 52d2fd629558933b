package dev.medley.training.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.training.kmeans.KMeansRun.Kill;
import dev.medley.training.kmeans.KMeansRun.Moment;
import dev.medley.training.kmeans.KMeansWorker.Applied;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What learns without gradients is trained by the same loop, exchange and membership. */
@Tag("unit")
class KMeansTest {
    private static final int SAMPLES = 1009;
    private static final int STEPS = 8;
    private static final long KILL_STEP = 4;
    private static final KMeansSamples DATA = new KMeansSamples(SAMPLES, 3);

    @Test
    void oneWorkerShouldComeToTheCentresOfLloydsAlgorithm() throws Exception {
        KMeansWorker one = train(1, null).get(0);
        assertThat(centres(one)).isEqualTo(byHand());
        assertThat(steps(one)).containsExactly(upTo(1, STEPS));
        assertSound(one);
    }

    static Stream<Arguments> kills() {
        return Stream.of(0, 1, 2)
                .flatMap(
                        worker ->
                                Stream.of(Moment.values())
                                        .map(moment -> Arguments.of(worker, moment)));
    }

    /** A sample that counted twice, or not at all, would move a centre. */
    @ParameterizedTest
    @MethodSource("kills")
    void threeWorkersOfWhomOneIsKilledShouldTakeTheStepsOfOneProcess(int worker, Moment moment)
            throws Exception {
        List<KMeansWorker> all = train(3, new Kill(worker, KILL_STEP, moment));
        KMeansWorker one = train(1, null).get(0);
        List<String> expected = one.applied().stream().map(Applied::hash).toList();
        assertThat(expected).as("each step moves").doesNotHaveDuplicates();
        for (KMeansWorker each : all) {
            for (Applied step : each.applied()) {
                assertThat(step.hash()).isEqualTo(expected.get((int) step.step() - 1));
            }
            assertThat(each.isKilled()).isEqualTo(each == all.get(worker));
            if (!each.isKilled()) {
                assertThat(centres(each)).isEqualTo(centres(one));
                assertThat(steps(each)).endsWith(upTo(KILL_STEP, STEPS));
            }
            assertSound(each);
        }
        assertThat(steps(all.get(worker))).containsExactly(upTo(1, KILL_STEP - 1));
        assertThat(steps(all.get(3))).as("it came later").doesNotContain(1L, KILL_STEP - 2);
    }

    private static List<KMeansWorker> train(int workers, Kill kill) throws Exception {
        try (KMeansRun run = new KMeansRun(DATA, workers, STEPS, kill)) {
            return run.train();
        }
    }

    private static void assertSound(KMeansWorker worker) {
        double before = Double.POSITIVE_INFINITY;
        for (Applied step : worker.applied()) {
            assertThat(step.samples()).isEqualTo(SAMPLES);
            assertThat(step.inertia())
                    .as("never rises, but for the rounding of a sum")
                    .isPositive()
                    .isLessThanOrEqualTo(before * (1 + 1e-12));
            before = step.inertia();
        }
    }

    /** By plain loops over arrays. */
    private static double[][] byHand() {
        double[][] centres = DATA.start();
        for (int step = 0; step < STEPS; step++) {
            double[][] sums = DATA.nowhere();
            int[] counts = new int[centres.length];
            for (float[] sample : DATA.all()) {
                int nearest = 0;
                for (int c = 1; c < centres.length; c++) {
                    if (distance(sample, centres[c]) < distance(sample, centres[nearest])) {
                        nearest = c;
                    }
                }
                counts[nearest]++;
                for (int d = 0; d < sample.length; d++) {
                    sums[nearest][d] += Math.rint(sample[d] * KMeansLearner.UNITS);
                }
            }
            for (int c = 0; c < centres.length; c++) {
                double[] sum = sums[c];
                int count = counts[c];
                if (count > 0) {
                    Arrays.setAll(centres[c], d -> sum[d] / KMeansLearner.UNITS / count);
                }
            }
        }
        return centres;
    }

    private static double distance(float[] sample, double[] centre) {
        double sum = 0;
        for (int d = 0; d < sample.length; d++) {
            sum += (sample[d] - centre[d]) * (sample[d] - centre[d]);
        }
        return sum;
    }

    private static double[][] centres(KMeansWorker of) {
        DoubleBuffer values = of.learner().export().get(0).data().buffer().asDoubleBuffer();
        double[][] centres = DATA.nowhere();
        Arrays.stream(centres).forEach(values::get);
        return centres;
    }

    private static Long[] upTo(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toArray(Long[]::new);
    }

    private static List<Long> steps(KMeansWorker of) {
        return of.applied().stream().map(Applied::step).toList();
    }
}
