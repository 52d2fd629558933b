package dev.medley.serving.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.load.LoadReport.ModelLoad;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes are kept until they are old, used up, or crowded out. */
@Tag("property")
class ProbePoolTest {
    private static final RouterSettings USUAL = RouterSettings.usual();
    private static final long MANY_NS = USUAL.probeAgeNs();

    private static LoadReport report(int inFlight, long latencyUs) {
        return new LoadReport(LoadReport.READY, inFlight, latencyUs, Map.of());
    }

    private static List<String> names(ProbePool pool, long nowNs) {
        return pool.fresh(nowNs).stream().map(ProbePool.Kept::name).toList();
    }

    @Test
    void shouldForgetWhatIsOld() {
        ProbePool pool = new ProbePool(USUAL);
        pool.add("a", report(1, 1), 0, 0);
        pool.add("b", report(1, 1), 0, 10);
        assertThat(names(pool, MANY_NS)).containsExactly("a", "b");
        assertThat(names(pool, MANY_NS + 1)).containsExactly("b");
        assertThat(names(pool, MANY_NS + 11)).isEmpty();
    }

    @Test
    void shouldKeepOneOfEachServer() {
        ProbePool pool = new ProbePool(USUAL);
        pool.add("a", report(1, 5), 0, 0);
        pool.add("a", report(2, 6), 0, 1);
        assertThat(names(pool, 2)).containsExactly("a");
        assertThat(pool.fresh(2).get(0).now(0, null)).isEqualTo(new ReplicaLoad("a", 2, 6_000));
    }

    @Test
    void shouldCountWhatTheRouterSentSince() {
        ProbePool pool = new ProbePool(USUAL);
        pool.add("a", report(7, 5), 3, 0);
        ProbePool.Kept kept = pool.fresh(0).get(0);
        assertThat(kept.now(6, null).inFlight()).isEqualTo(10);
        assertThat(kept.now(1, null).inFlight()).isEqualTo(5);
        assertThat(kept.now(0, null).inFlight()).isEqualTo(4);
    }

    @Test
    void shouldGoByTheModelWhereItIsKnown() {
        ProbePool pool = new ProbePool(USUAL);
        pool.add(
                "a",
                new LoadReport(LoadReport.READY, 1, 50, Map.of("slow", new ModelLoad(1, 900))),
                0,
                0);
        ProbePool.Kept kept = pool.fresh(0).get(0);
        assertThat(kept.now(0, "slow").latencyNs()).isEqualTo(900_000);
        assertThat(kept.now(0, "other").latencyNs()).isEqualTo(50_000);
    }

    /** b_reuse of the paper: (1 + delta) / ((1 - m / n) * r_probe - r_remove). */
    @Test
    void shouldUseAProbeAsOftenAsThePoolCanBear() {
        assertThat(USUAL.uses(3)).isInfinite();
        assertThat(USUAL.uses(16)).isInfinite();
        assertThat(USUAL.uses(20)).isInfinite(); // The pool grows by less than it loses.
        assertThat(USUAL.uses(32)).isEqualTo(4);
        assertThat(USUAL.uses(1_000_000)).isBetween(1.0, 1.001);
    }

    @Test
    void shouldRemoveTheOldestAndTheWorstInTurn() {
        RouterSettings small = new RouterSettings(3, 4, MANY_NS, 1, 0.84, 1, 1, 1, 0.1);
        ProbePool pool = new ProbePool(small);
        pool.add("old", report(1, 10), 0, 0);
        pool.add("slow", report(1, 90), 0, 1);
        pool.add("good", report(1, 10), 0, 2);
        pool.add("best", report(0, 5), 0, 3);
        pool.used("good", 100);
        assertThat(names(pool, 4)).doesNotContain("old");
        pool.used("best", 100);
        assertThat(names(pool, 4)).doesNotContain("slow");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldNeverHoldMoreThanItMay(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        ProbePool pool = new ProbePool(USUAL);
        for (int i = 0; i < 5_000; i++) {
            String name = "s" + random.nextInt(60);
            if (random.nextBoolean()) {
                pool.add(name, report(random.nextInt(9), random.nextInt(900)), 0, i);
            } else {
                pool.used(name, 60);
            }
            assertThat(pool.size()).isLessThanOrEqualTo(USUAL.poolSize());
        }
        assertThat(pool.hotAbove()).isBetween(6.0, 8.0);
    }
}
