package dev.medley.tensor.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.KMeansSpec.Algorithm;
import dev.medley.tensor.kmeans.KMeansState.Array;
import dev.medley.tensor.kmeans.KMeansState.Number;
import dev.medley.tensor.kmeans.KMeansState.Phase;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("property")
class KMeansFitTest {
    private static final int COUNT = 3001;
    private static final Blobs DATA = Blobs.of(1, COUNT, 6, 9, 0);

    @Test
    void centresShouldBeTheMeansOfTheSamplesThatAreNearestToThem() {
        double[] centres = new Workers(DATA, Workers.lloyd(1), 9, COUNT).finish().centres();
        double[] sums = new double[centres.length];
        int[] counts = new int[9];
        for (int i = 0; i < COUNT; i++) {
            int c = DATA.nearest(i, centres);
            counts[c]++;
            for (int j = 0; j < 6; j++) {
                sums[c * 6 + j] += DATA.values()[i * 6 + j];
            }
        }
        for (int at = 0; at < sums.length; at++) {
            assertThat(centres[at]).isCloseTo(sums[at] / counts[at / 6], within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void centresShouldNotDependOnWhereSamplesLie(long seed) {
        Blobs data = Blobs.of(seed, COUNT, 6, 9, 100);
        double[] one = new Workers(data, Workers.lloyd(2), 11, COUNT).finish().centres();
        Workers three = new Workers(data, Workers.lloyd(2), 11, 1000, 1, 2000);
        assertThat(three.finish().centres()).isEqualTo(one);
        assertThat(new Workers(data, Workers.lloyd(2), 11, 0, 3001).finish().centres())
                .isEqualTo(one);
    }

    @Test
    void aGroupThatFormsAnewInAnyStepShouldChangeNothing() {
        Workers undisturbed = new Workers(DATA, Workers.lloyd(1), 9, 1500, 1501).finish();
        for (int at = 1; at < undisturbed.steps(); at++) {
            Workers disturbed = new Workers(DATA, Workers.lloyd(1), 9, 1500, 1501);
            for (int step = 0; step < at; step++) {
                disturbed.step();
            }
            disturbed.deal(1, 3000);
            assertThat(disturbed.finish().centres())
                    .as("after step %d", at)
                    .isEqualTo(undisturbed.centres());
        }
    }

    @Test
    void theFitWithTheLowestInertiaShouldBeTaken() {
        Blobs data = Blobs.of(3, COUNT, 2, 12, 0);
        Workers workers = new Workers(data, Workers.lloyd(6), 12, COUNT).finish();
        KMeansState state = workers.first().learner().fit();
        double[] inertias = state.get(Array.INERTIAS);
        assertThat(inertias).doesNotContain(0).hasSize(6);
        double least = java.util.Arrays.stream(inertias).min().orElseThrow();
        assertThat(java.util.Arrays.stream(inertias).max().orElseThrow()).isGreaterThan(least);
        assertThat(data.inertia(workers.centres())).isCloseTo(least, within(1e-6 * least));
        assertThat(workers.first().done()).contains("the lowest of 6 fits");
        assertThat(state.get(Array.SIZES)).isSortedAccordingTo(java.util.Comparator.reverseOrder());
    }

    @Test
    void meansFarFromZeroShouldCostNoDigits() {
        double near = inertiaAt(0);
        assertThat(inertiaAt(30_000)).isCloseTo(near, within(2e-3 * near));
    }

    private static double inertiaAt(double offset) {
        Blobs data = Blobs.of(5, COUNT, 4, 5, offset);
        return data.inertia(new Workers(data, Workers.lloyd(3), 5, COUNT).finish().centres());
    }

    @Test
    void aStartShouldNearlyBeAFit() {
        Blobs data = Blobs.of(8, COUNT, 6, 20, 0);
        KMeansSpec once = new KMeansSpec(Algorithm.LLOYD, 1, 1, 0);
        double started = data.inertia(new Workers(data, once, 20, COUNT).finish().centres());
        double fitted =
                data.inertia(new Workers(data, Workers.lloyd(5), 20, COUNT).finish().centres());
        assertThat(started).isLessThan(1.25 * fitted);
    }

    /** What a run leaves that is out of time: centres are means of as many samples as it says. */
    @Test
    void aFitThatIsCutShortShouldKnowItsSizes() {
        Workers workers = new Workers(DATA, Workers.lloyd(3), 9, COUNT);
        int moved = 0;
        while (moved < 2) {
            moved += workers.first().learner().fit().phase() == Phase.MOVE ? 1 : 0;
            workers.step();
            double all = Arrays.stream(workers.first().learner().fit().get(Array.SIZES)).sum();
            assertThat(all).isEqualTo(moved == 0 ? 0 : COUNT);
        }
    }

    @Test
    void aCentreWithoutSamplesShouldBeGivenOthers() {
        Workers workers = new Workers(DATA, Workers.lloyd(1), 9, 1000, 2001);
        workers.step();
        while (workers.first().learner().fit().phase() != Phase.MOVE) {
            workers.step();
        }
        for (KMeansFit each : workers.all()) {
            for (int j = 0; j < 6; j++) {
                each.learner().fit().set(Array.CENTRES, 3 * 6 + j, 1e4);
            }
        }
        workers.finish();
        KMeansState state = workers.first().learner().fit();
        assertThat(state.whole(Number.MENDED)).isEqualTo(1);
        assertThat(state.get(Array.SIZES)).doesNotContain(0);
        assertThat(workers.first().done()).contains("the farthest of those drawn, 1 in all");
    }

    @Test
    void fewerDifferentSamplesThanCentresShouldLeaveClustersEmpty() {
        float[] values = new float[40];
        for (int i = 0; i < values.length; i++) {
            values[i] = i / 2 % 3;
        }
        Workers workers = new Workers(new Blobs(20, 2, values), Workers.lloyd(2), 5, 20).finish();
        assertThat(workers.first().done()).contains("2 clusters are empty");
    }

    @Test
    void asManyCentresAsSamplesShouldLeaveNoInertia() {
        Blobs data = Blobs.of(2, 12, 3, 4, 0);
        Workers workers = new Workers(data, Workers.lloyd(4), 12, 5, 7).finish();
        assertThat(data.inertia(workers.centres())).isCloseTo(0, within(1e-9));
    }
}
