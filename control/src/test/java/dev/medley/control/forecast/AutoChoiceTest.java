package dev.medley.control.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.control.forecast.Clusters.Drawn;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Way;
import java.util.Comparator;
import java.util.List;
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
        Way good = new Way(50_000, 1.25e9, Origin.MEASURED);
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

    private static AutoChoice choose(ClusterProfile cluster, ModelFacts facts) {
        Drawn drawn = new Drawn(cluster, Clusters.uneven(), facts);
        Forecaster forecaster =
                new Forecaster(facts, cluster, drawn.times(), Clusters.table(), null);
        return AutoChoice.of(drawn.forecasts(), facts, forecaster.leastKnownWay());
    }
}
