package dev.medley.plan.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.forecast.Clusters.Drawn;
import dev.medley.plan.forecast.ForecastCheck.Seen;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Origin;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When judgements become a wish for another strategy. */
@Tag("property")
class SwitchingTest {
    private static final LinkPath GOOD = new LinkPath(50_000, 1.25e9, Origin.MEASURED);
    private static final Seen AS_FORETOLD = new Seen(256, 78_000_000, 77_000_000);
    private static final Seen SLOW = new Seen(256, 600_000_000, 77_000_000);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 6);
    }

    /** Whatever happens in which order: stretches, groups, workers that sit out and come back. */
    @ParameterizedTest
    @MethodSource("seeds")
    void onlyTwoInARowWhileAllTakePartShouldBeAWish(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Run run = new Run();
        for (int i = 0; i < 50; i++) {
            int what = random.nextInt(20);
            if (what < 12) {
                run.judge(random.nextInt(5) > 0 ? SLOW : AS_FORETOLD);
            } else if (what == 12) {
                run.sitsOut(new WorkerId(1 + random.nextInt(3)));
            } else if (what < 15) {
                List.copyOf(run.out).forEach(run::comesBack);
            } else {
                run.form();
            }
            assertThat(run.switching.wished() != null).as("after %d", i).isEqualTo(run.isWished);
            assertThat(run.switches).isLessThanOrEqualTo(3);
        }
    }

    /** A run by data-parallel, and what is to come of what is told to it. */
    private static final class Run {
        private final Switching switching = new Switching();
        private final Set<WorkerId> out = new TreeSet<>();
        private final Forecaster forecaster;
        private final AutoChoice choice;
        private int inARow;
        private int switches;
        private boolean isWished;

        Run() {
            Drawn drawn =
                    new Drawn(
                            Clusters.ways(Clusters.twoClouds().machines(), GOOD, GOOD),
                            Clusters.uneven(),
                            Clusters.FASHION);
            forecaster =
                    new Forecaster(
                            drawn.facts(), drawn.cluster(), drawn.times(), Clusters.table(), null);
            choice = AutoChoice.plain(drawn.forecasts(), "what the test says");
        }

        /** Nobody judges while a wish waits. */
        void judge(Seen seen) {
            if (isWished) {
                return;
            }
            SwitchPolicy.Decision decision = switching.judge(choice, forecaster, seen, 1e9);
            assertThat(decision.next() != null).isEqualTo(seen.equals(SLOW) && switches < 3);
            inARow = decision.next() == null ? 0 : inARow + 1;
            isWished = inARow >= 2 && out.isEmpty();
        }

        /** Its group would take the plans that know of it for others. */
        void sitsOut(WorkerId worker) {
            switching.sitOut(List.of(worker));
            out.add(worker);
            isWished = false;
        }

        void comesBack(WorkerId worker) {
            switching.comeBack(List.of(worker));
            out.remove(worker);
        }

        void form() {
            SwitchPolicy.Decision decision = switching.atBorder();
            assertThat(decision != null).isEqualTo(isWished);
            if (decision != null) {
                switching.granted();
                switching.began();
                switches++;
                inARow = 0;
                isWished = false;
            }
        }
    }
}
