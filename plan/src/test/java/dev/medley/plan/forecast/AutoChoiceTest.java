package dev.medley.plan.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.efficiency.Efficiency;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.forecast.Clusters.Drawn;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AutoChoiceTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    @Test
    @Tag("unit")
    void shouldTakeWhatWasMeasuredBestBetweenTwoClouds() {
        AutoChoice choice = choose(Clusters.twoClouds(), Clusters.FASHION);
        assertThat(choice.chosen().name()).isEqualTo("diloco every 64 steps, int8 between sites");
        assertThat(choice.why())
                .startsWith("auto: diloco every 64 steps, int8 between sites: 3,2")
                .contains("counts 1.00 (1.12 once)", "against data-parallel with 1,")
                .doesNotContain("assumed");
    }

    @Test
    @Tag("unit")
    void shouldStayWithDataParallelWhereLinksAreGood() {
        LinkPath good = new LinkPath(50_000, 1.25e9, Origin.MEASURED);
        ClusterProfile cluster =
                Clusters.ways(Clusters.machines("here", "here", "here", "here"), good, good);
        AutoChoice choice = choose(cluster, Clusters.FASHION);
        assertThat(choice.chosen().name()).isEqualTo("data-parallel");
        assertThat(choice.why()).contains("which is not 10 % better");
    }

    @Test
    @Tag("unit")
    void shouldTakeNoRoundsInARunThatIsTooShortForThem() {
        assertThat(inEpochs(0.25).hasRounds()).as("three of the shortest").isFalse();
        assertThat(inEpochs(0.56).hasRounds()).as("hardly less than eight").isFalse();
        assertThat(inEpochs(0.58).syncEvery()).as("hardly more than eight").isEqualTo(16);
    }

    private static Candidate inEpochs(double epochs) {
        ModelFacts f = Clusters.FASHION;
        ModelFacts brief =
                new ModelFacts(
                        f.parameterBytes(),
                        f.bucketBytes(),
                        f.batch(),
                        f.innerBatch(),
                        f.samplesPerEpoch(),
                        Budget.ofEpochs(epochs),
                        true);
        return choose(Clusters.twoClouds(), brief).chosen().candidate();
    }

    @Test
    @Tag("unit")
    void shouldPreferWhatWasMeasuredToAGuessThatIsHardlyBetter() {
        AutoChoice choice = between(1000, 1090);
        assertThat(choice.chosen().effectiveSamplesPerSecond()).isCloseTo(1000, within(1e-6));
        assertThat(choice.why()).doesNotContain("guess");
    }

    @Test
    @Tag("unit")
    void shouldSayWhenAGuessDecides() {
        AutoChoice choice = between(1000, 1110);
        assertThat(choice.chosen().effectiveSamplesPerSecond()).isCloseTo(1110, within(1e-6));
        assertThat(choice.why()).contains("of which a sample counts 0.85 guess");
    }

    /** A choice of a strategy that was measured and a guess, with so many samples that count. */
    private static AutoChoice between(double measured, double guessed) {
        List<Forecast> all =
                new Drawn(Clusters.twoClouds(), Clusters.uneven(), Clusters.FASHION).forecasts();
        List<Forecast> table =
                List.of(
                        making(all, "data-parallel", 100),
                        making(all, "diloco every 32 steps, int8 between sites", guessed),
                        making(all, "diloco every 64 steps, int8 between sites", measured));
        return AutoChoice.of(table, Clusters.FASHION, Origin.MEASURED);
    }

    private static Forecast making(List<Forecast> all, String name, double effective) {
        Forecast one = all.stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
        return one.making(effective / one.efficiency().counted());
    }

    @Test
    @Tag("unit")
    void shouldSayWhenWaysAreAssumed() {
        ClusterProfile assumed =
                ClusterProfile.assumed(Clusters.machines("aws", "aws", "gcp", "gcp"));
        AutoChoice choice = choose(assumed, Clusters.FASHION);
        assertThat(choice.why()).contains("with ways between machines that are assumed");
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNeverTakeWhatIsMuchSlowerThanTheBestOfThePlain(long seed) {
        Drawn drawn = Drawn.of(seed);
        AutoChoice choice = AutoChoice.of(drawn.forecasts(), drawn.facts(), Origin.MEASURED);
        double plain =
                choice.table().stream()
                        .filter(f -> !f.candidate().hasRounds())
                        .max(Comparator.comparingDouble(Forecast::effectiveSamplesPerSecond))
                        .orElseThrow()
                        .effectiveSamplesPerSecond();
        assertThat(choice.chosen().effectiveSamplesPerSecond() * (1 + AutoChoice.MARGIN))
                .isGreaterThanOrEqualTo(plain);
        assertThat(choice.why()).startsWith("auto: " + choice.chosen().name());
    }

    /** Runs of any length, models of any number of arrays, and strategies by letters too. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void nothingThatMayBeTakenShouldBeBetterByATenth(long seed) {
        Drawn drawn = drawn(seed);
        ModelFacts facts = drawn.facts();
        RandomGenerator random = Seeds.generator(seed, 5);
        List<Forecast> table =
                shown(drawn, figures(seed)).stream()
                        .map(f -> seed % 3 == 0 ? f : nearly(f, 1000 + 200 * random.nextDouble()))
                        .toList();
        AutoChoice choice = AutoChoice.of(table, facts, Origin.MEASURED);
        Forecast chosen = choice.chosen();
        Forecast plain = choice.table().get(0);
        List<Forecast> allowed = choice.table().stream().filter(f -> isAllowed(f, facts)).toList();
        assertThat(allowed).contains(chosen);
        assertThat(allowed).noneMatch(f -> isBetterByATenth(f, chosen));
        boolean isPlainAsGood = allowed.stream().noneMatch(f -> isBetterByATenth(f, plain));
        assertThat(chosen.equals(plain)).isEqualTo(isPlainAsGood);
        if (chosen.efficiency().isGuess()) {
            assertThat(allowed)
                    .filteredOn(f -> !f.efficiency().isGuess())
                    .as("what was measured and is as good")
                    .allMatch(f -> allowed.stream().anyMatch(best -> isBetterByATenth(best, f)));
        }
    }

    /** As the documentation of the choice says it: eight rounds, and an epoch for each. */
    private static boolean isAllowed(Forecast forecast, ModelFacts facts) {
        Candidate candidate = forecast.candidate();
        double round = (double) candidate.syncEvery() * facts.batch();
        double roundsOfEpoch = Math.ceil(facts.samplesPerEpoch() / round);
        double rounds = facts.budgetSamples() * roundsOfEpoch / facts.samplesPerEpoch();
        return !candidate.hasRounds()
                || (!candidate.isByLetters()
                        && rounds >= 8
                        && round <= facts.samplesPerEpoch()
                        && candidate.stream().fragments() <= facts.mostFragments());
    }

    private static Forecast nearly(Forecast forecast, double effective) {
        return forecast.making(effective / forecast.efficiency().counted());
    }

    private static boolean isBetterByATenth(Forecast one, Forecast other) {
        return one.effectiveSamplesPerSecond() > 1.1 * other.effectiveSamplesPerSecond();
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void ordersShouldNotMatter(long seed) {
        Drawn drawn = drawn(seed);
        EfficiencyTable figures = figures(seed);
        List<Forecast> table = shown(drawn, figures);
        Forecast chosen = AutoChoice.of(table, drawn.facts(), Origin.MEASURED).chosen();
        RandomGenerator random = Seeds.generator(seed, 3);
        Forecast ofShuffled =
                AutoChoice.of(shuffled(table, random), drawn.facts(), Origin.MEASURED).chosen();
        assertThat(ofShuffled.effectiveSamplesPerSecond())
                .as("%s, or one that is exactly as good", chosen.name())
                .isEqualTo(chosen.effectiveSamplesPerSecond());
        assertThat(ofShuffled.efficiency().isGuess()).isEqualTo(chosen.efficiency().isGuess());
        List<Integer> all = IntStream.range(0, drawn.times().size()).boxed().toList();
        Drawn other = inOrder(drawn, shuffled(all, random));
        Forecast ofOther =
                AutoChoice.of(shown(other, figures), other.facts(), Origin.MEASURED).chosen();
        assertThat(ofOther.name()).isEqualTo(chosen.name());
    }

    private static <T> List<T> shuffled(List<T> of, RandomGenerator random) {
        List<T> shuffled = new ArrayList<>();
        for (T one : of) {
            shuffled.add(random.nextInt(shuffled.size() + 1), one);
        }
        return shuffled;
    }

    private static Drawn inOrder(Drawn drawn, List<Integer> order) {
        ClusterProfile cluster = drawn.cluster();
        List<List<LinkPath>> ways =
                order.stream()
                        .map(from -> order.stream().map(to -> cluster.way(from, to)).toList())
                        .toList();
        return new Drawn(
                new ClusterProfile(order.stream().map(cluster.machines()::get).toList(), ways),
                order.stream().map(drawn.times()::get).toList(),
                drawn.facts());
    }

    private static Drawn drawn(long seed) {
        Drawn drawn = Drawn.of(seed);
        RandomGenerator random = Seeds.generator(seed, 2);
        ModelFacts f = drawn.facts();
        return new Drawn(
                drawn.cluster(),
                drawn.times(),
                new ModelFacts(
                        f.parameterBytes(),
                        f.bucketBytes(),
                        f.batch(),
                        f.innerBatch(),
                        f.samplesPerEpoch(),
                        Budget.ofEpochs(0.05 + 3 * random.nextDouble()),
                        f.followsSpeed(),
                        1 + random.nextInt(6),
                        BatchRoom.UNLIMITED));
    }

    /** By figures some of which were measured, of others than those that tests go by. */
    private static EfficiencyTable figures(long seed) {
        RandomGenerator random = Seeds.generator(seed, 4);
        EfficiencyTable figures = Clusters.table();
        for (Efficiency of :
                Clusters.table().entries().subList(1, Clusters.table().entries().size())) {
            boolean isMeasured = random.nextBoolean();
            figures =
                    figures.with(
                            new Efficiency(
                                    of.kind(),
                                    of.syncEvery(),
                                    of.compress(),
                                    0.6 + 0.7 * random.nextDouble(),
                                    0.1,
                                    isMeasured ? 3 : 0,
                                    of.date(),
                                    isMeasured
                                            ? Efficiency.Origin.MEASURED
                                            : Efficiency.Origin.GUESSED,
                                    "what the test says",
                                    of.stream(),
                                    null,
                                    of.outer()));
        }
        return figures;
    }

    private static List<Forecast> shown(Drawn drawn, EfficiencyTable figures) {
        return new Forecaster(drawn.facts(), drawn.cluster(), drawn.times(), figures, null)
                .of(Candidate.shown(Clusters.open(), drawn.cluster().sites().size()));
    }

    private static AutoChoice choose(ClusterProfile cluster, ModelFacts facts) {
        Drawn drawn = new Drawn(cluster, Clusters.uneven(), facts);
        Forecaster forecaster =
                new Forecaster(facts, cluster, drawn.times(), Clusters.table(), null);
        return AutoChoice.of(drawn.forecasts(), facts, forecaster.leastKnownWay());
    }
}
