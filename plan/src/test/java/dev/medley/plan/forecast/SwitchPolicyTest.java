package dev.medley.plan.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.plan.forecast.Clusters.Drawn;
import dev.medley.plan.forecast.ForecastCheck.Seen;
import dev.medley.plan.forecast.SwitchPolicy.Course;
import dev.medley.plan.forecast.SwitchPolicy.Decision;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a run takes another strategy, and when it had better not. */
class SwitchPolicyTest {
    private static final double ENOUGH = 1e9;
    private static final Course FRESH = new Course(Map.of(), 0, ENOUGH);
    private static final LinkPath GOOD = new LinkPath(50_000, 1.25e9, Origin.MEASURED);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    /** For what decides many times. */
    static LongStream fewSeeds() {
        return LongStream.rangeClosed(1, 15);
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

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void onlyWhatIsBetterByAFifthAndSavesSecondsShouldBeTaken(long seed) {
        for (int i = 0; i < 2; i++) {
            Turned turned = Turned.of(seed, i);
            Decision decision = turned.decide(turned.course());
            List<Forecast> better = turned.better(decision.asSeen());
            AutoChoice next = decision.next();
            if (next == null) {
                assertThat(turned.course().switches() >= 3 || better.isEmpty())
                        .as(decision.why())
                        .isTrue();
                continue;
            }
            assertThat(turned.course().switches()).isLessThan(3);
            double best =
                    better.stream()
                            .mapToDouble(Forecast::effectiveSamplesPerSecond)
                            .max()
                            .orElse(0);
            assertThat(better.stream().map(Forecast::name)).contains(next.chosen().name());
            assertThat(next.chosen().effectiveSamplesPerSecond()).isEqualTo(best);
            assertThat(decision.why()).contains("as things are " + next.chosen().name());
        }
    }

    /** What pays for a short way pays for a longer one. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("fewSeeds")
    void moreThatIsLeftAndFewerChangesShouldNotSpeakAgainstIt(long seed) {
        Turned turned = Turned.of(seed, 5);
        double least = 0;
        for (double left = 1e3; left < 1e10; left *= 100) {
            Course often = new Course(turned.course().ran(), 2, left);
            AutoChoice next = turned.decide(often).next();
            double taken = next == null ? 0 : next.chosen().effectiveSamplesPerSecond();
            assertThat(taken).isGreaterThanOrEqualTo(least);
            least = taken;
            AutoChoice first = turned.decide(new Course(often.ran(), 0, left)).next();
            assertThat(first == null).isEqualTo(next == null);
        }
    }

    /** Data-parallel talks most: the longer its exchanges take, the more speaks for others. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("fewSeeds")
    void thinnerLinksShouldNeverSpeakForDataParallel(long seed) {
        Forecaster forecaster = forecaster(Drawn.of(seed));
        AutoChoice choice = AutoChoice.plain(choice(forecaster).table(), "what the test says");
        Forecast.Rate rate = choice.chosen().rate();
        double restNs = Math.max(rate.stepNs() - rate.computeNs(), rate.stepNs() / 100);
        boolean isLeft = false;
        for (double times = 1; times < 1000; times *= 4) {
            double stepNs = rate.stepNs() + (times - 1) * restNs;
            Seen seen = new Seen(forecaster.facts().batch(), stepNs, rate.computeNs());
            Decision decision = SwitchPolicy.decide(choice, forecaster, seen, FRESH);
            assertThat(decision.next() != null || !isLeft).as(decision.why()).isTrue();
            isLeft = decision.next() != null;
        }
    }

    /** A run under any strategy, of which other things were seen than foretold. */
    private record Turned(Forecaster by, AutoChoice made, Seen seen, Course course) {
        static Turned of(long seed, long stream) {
            Forecaster forecaster = forecaster(Drawn.of(seed));
            RandomGenerator random = Seeds.generator(seed, stream);
            List<Forecast> table = choice(forecaster).table();
            Forecast running = table.get(random.nextInt(table.size()));
            Forecast.Rate rate = running.rate();
            double computeNs = rate.computeNs() * Math.pow(2, 3 * random.nextDouble() - 1);
            double restNs =
                    (rate.stepNs() - rate.computeNs()) * Math.pow(2, 6 * random.nextDouble());
            Map<String, Double> ran = new HashMap<>();
            table.stream()
                    .filter(f -> random.nextInt(3) == 0)
                    .forEach(
                            f ->
                                    ran.put(
                                            f.name(),
                                            f.rate().samplesPerSecond() * random.nextDouble()));
            Seen seen = new Seen(forecaster.facts().batch(), computeNs + restNs, computeNs);
            double seconds = Math.pow(10, (random.nextBoolean() ? 2 : 8) * random.nextDouble());
            double left = seen.samplesPerSecond() * seconds;
            return new Turned(
                    forecaster,
                    new AutoChoice(running, table, "what the test says"),
                    seen,
                    new Course(ran, random.nextInt(5), left));
        }

        Decision decide(Course of) {
            return SwitchPolicy.decide(made, by, seen, of);
        }

        /** Others that are better by a fifth, save five seconds and are not too coarse. */
        List<Forecast> better(Forecaster asSeen) {
            double now = seen.samplesPerSecond() * made.chosen().efficiency().counted();
            double left = course.samplesLeft();
            return made.table().stream()
                    .filter(f -> !f.equals(made.chosen()))
                    .map(f -> asSeen.of(f.candidate()))
                    .map(
                            f ->
                                    course.ran().containsKey(f.name())
                                            ? f.making(course.ran().get(f.name()))
                                            : f)
                    .filter(f -> f.effectiveSamplesPerSecond() > 1.2 * now)
                    .filter(f -> left / now - left / f.effectiveSamplesPerSecond() >= 5)
                    .filter(f -> AutoChoice.isUsable(f.candidate(), by.facts(), left))
                    .toList();
        }
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
        Map<String, Double> ran = new HashMap<>();
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
