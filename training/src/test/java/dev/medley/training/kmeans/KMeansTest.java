package dev.medley.training.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.memory.SpanHash;
import dev.medley.training.kmeans.KMeansRun.Kill;
import dev.medley.training.kmeans.KMeansWorker.Applied;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What learns without gradients is trained by the same loop, exchange and membership. */
@Tag("unit")
class KMeansTest {
    private static final int SAMPLES = 1009;
    private static final KMeansSamples DATA = new KMeansSamples(SAMPLES, 3);

    /** Steps 1 to 3 survey, measure and draw; 12 weighs, and centres move from 13 on. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "2, 3", "0, 7", "1, 12", "2, 13", "0, 15"})
    void threeWorkersOfWhomOneIsKilledShouldComeToTheCentresOfOne(int worker, long step)
            throws Exception {
        List<KMeansWorker> all = train(3, new Kill(worker, step));
        KMeansWorker one = train(1, null).get(0);
        assertThat(one.applied().size()).isGreaterThan(15);
        for (KMeansWorker each : all) {
            assertThat(each.isKilled()).isEqualTo(each == all.get(worker));
            if (!each.isKilled()) {
                assertThat(centres(each)).isEqualTo(centres(one));
            }
            assertThat(each.applied()).allMatch(applied -> applied.samples() == SAMPLES);
        }
        Applied last = one.applied().get(one.applied().size() - 1);
        assertThat(last.inertia()).isPositive().isLessThan(one.applied().get(1).inertia());
    }

    private static List<KMeansWorker> train(int workers, Kill kill) throws Exception {
        try (KMeansRun run = new KMeansRun(DATA, workers, kill)) {
            return run.train();
        }
    }

    private static String centres(KMeansWorker of) {
        return SpanHash.of(List.of(of.learner().parameters()));
    }
}
