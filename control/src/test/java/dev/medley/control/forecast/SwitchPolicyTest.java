package dev.medley.control.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.control.forecast.Clusters.Drawn;
import dev.medley.control.forecast.ForecastCheck.Seen;
import dev.medley.control.forecast.SwitchPolicy.Course;
import dev.medley.control.forecast.SwitchPolicy.Decision;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Way;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a run takes another strategy, and when it had better not. */
class SwitchPolicyTest {
    private static final double ENOUGH = 1e9;
    private static final Course FRESH = new Course(Map.of(), 0, ENOUGH);
    private static final Way GOOD = new Way(50_000, 1.25e9, Origin.MEASURED);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void whatComesAsForetoldShouldStay(long seed) {
        Forecaster forecaster = forecaster(Drawn.of(seed));
        AutoChoice choice = choice(forecaster);
        Decision decision =
                SwitchPolicy.decide(choice, forecaster, as(choice.chosen()), left(choice));
        assertThat(decision.next()).as(decision.why()).isNull();
    }

    /** Machines are half as fast, and nobody computes for five times as long. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void aCorrectionShouldAgreeWithWhatWasSeen(long seed) {
        Forecaster forecaster = forecaster(Drawn.of(seed));
        Candidate running = choice(forecaster).chosen().candidate();
        Forecast.Rate rate = forecaster.of(running).rate();
        double batch = forecaster.facts().batch();
        double restNs = rate.stepNs() - rate.computeNs();
        Seen seen = new Seen(batch, 2 * rate.computeNs() + 5 * restNs, 2 * rate.computeNs());
        Forecast.Rate now = Correction.of(forecaster, running, seen).of(running).rate();
        assertThat(now.computeNs()).isCloseTo(seen.computeNs(), within(1e-6 * seen.computeNs()));
        assertThat(now.stepNs()).isGreaterThanOrEqualTo(0.98 * seen.stepNs());
        assertThat(now.stepNs()).isLessThanOrEqualTo(1.03 * seen.stepNs());
    }

    @Test
    @Tag("unit")
    void shouldLeaveDataParallelWhereTheLinkTurnsOutThin() {
        Forecaster good = good();
        AutoChoice choice = choice(good);
        assertThat(choice.chosen().name()).isEqualTo("data-parallel");
        Decision decision = SwitchPolicy.decide(choice, good, slow(), FRESH);
        assertThat(decision.next()).isNotNull();
        assertThat(decision.next().chosen().candidate().hasRounds()).isTrue();
        assertThat(decision.why())
                .startsWith("auto: data-parallel makes 427 samples/s, 3,")
                .contains("were predicted; as things are diloco", "a sample of which counts");
        Forecast plain = decision.next().table().get(0);
        assertThat(plain.rate().samplesPerSecond())
                .as("as it was seen")
                .isCloseTo(427, within(10.0));
    }

    @Test
    @Tag("unit")
    void shouldStayNearTheEndAndAfterManyChanges() {
        Forecaster good = good();
        AutoChoice choice = choice(good);
        Course nearTheEnd = new Course(Map.of(), 0, 8 * 256);
        assertThat(SwitchPolicy.decide(choice, good, slow(), nearTheEnd).next()).isNull();
        Course often = new Course(Map.of(), SwitchPolicy.MOST_SWITCHES, ENOUGH);
        Decision decision = SwitchPolicy.decide(choice, good, slow(), often);
        assertThat(decision.next()).isNull();
        assertThat(decision.why()).contains("has changed its strategy 3 times, which is enough");
    }

    /** Whatever is foretold of them: all but data-parallel were slower when they ran. */
    @Test
    @Tag("unit")
    void shouldNotGoBackToWhatWasSlower() {
        Forecaster good = good();
        AutoChoice choice = choice(good);
        Map<String, Double> ran = new java.util.HashMap<>();
        choice.table().forEach(f -> ran.put(f.name(), 400.0));
        Course course = new Course(ran, 1, ENOUGH);
        Decision decision = SwitchPolicy.decide(choice, good, slow(), course);
        assertThat(decision.next()).isNull();
        assertThat(decision.why()).endsWith("no other strategy would do better");
    }

    private static Seen slow() {
        return new Seen(256, 600_000_000, 77_000_000);
    }

    private static Seen as(Forecast forecast) {
        Forecast.Rate rate = forecast.rate();
        double batch = rate.samplesPerSecond() * rate.stepNs() / 1e9;
        return new Seen(batch, rate.stepNs(), rate.computeNs());
    }

    private static Course left(AutoChoice choice) {
        Forecast.Spend budget = choice.chosen().budget();
        return new Course(Map.of(), 0, budget == null ? 0 : budget.samples());
    }

    private static Forecaster good() {
        ClusterProfile cluster = Clusters.ways(Clusters.twoClouds().machines(), GOOD, GOOD);
        return forecaster(new Drawn(cluster, Clusters.uneven(), Clusters.FASHION));
    }

    private static Forecaster forecaster(Drawn drawn) {
        return new Forecaster(
                drawn.facts(), drawn.cluster(), drawn.times(), Clusters.table(), null);
    }

    private static AutoChoice choice(Forecaster forecaster) {
        List<Candidate> candidates =
                Candidate.all(Clusters.open(), forecaster.cluster().sites().size());
        return AutoChoice.of(
                forecaster.of(candidates), forecaster.facts(), forecaster.leastKnownWay());
    }
}
