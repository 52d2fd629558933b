package dev.medley.plan.efficiency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.plan.efficiency.Efficiency.Origin;
import dev.medley.plan.efficiency.Efficiency.OuterStep;
import dev.medley.plan.forecast.Candidate;
import dev.medley.plan.forecast.Clusters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class EfficiencyTableTest {
    private static final Efficiency REFERENCE =
            entry(Kind.DATA_PARALLEL, 1, Compress.NONE, 1, 0.0, 1, Origin.MEASURED);

    @Test
    void shouldShipAFigureForEveryCandidate() {
        EfficiencyTable table = EfficiencyTable.shipped();
        for (Candidate candidate : Candidate.all(Clusters.open(), 2)) {
            assertThat(table.entries())
                    .as(candidate.name())
                    .anyMatch(
                            e ->
                                    e.kind() == candidate.strategy().kind()
                                            && e.syncEvery() == candidate.syncEvery()
                                            && e.compress() == candidate.strategy().compress()
                                            && e.stream().equals(candidate.stream())
                                            && e.outer().equals(outer(candidate)));
        }
    }

    @Test
    void shouldNotCountASingleLuckyRunForMoreThanOne() {
        Efficiency once = entry(Kind.DILOCO, 64, Compress.INT8, 1.2, null, 1, Origin.MEASURED);
        Efficiency thrice = entry(Kind.DILOCO, 64, Compress.INT8, 1.2, 0.1, 3, Origin.MEASURED);
        assertThat(once.counted()).isEqualTo(1);
        assertThat(thrice.counted()).isCloseTo(1.1, within(1e-12));
        assertThat(once.words()).isEqualTo("1.00 (1.20 once)");
        assertThat(thrice.words()).isEqualTo("1.10");
    }

    @Test
    void shouldGuessByTheNearestNumberOfSteps() {
        StrategySpec hundred =
                StrategySpec.defaults(Kind.DILOCO).with(RoundSpec.defaults(Kind.DILOCO).every(100));
        Efficiency guess = Clusters.table().of(hundred);
        assertThat(guess.isGuess()).isTrue();
        assertThat(guess.value()).isEqualTo(0.85);
        assertThat(guess.counted()).isLessThan(0.85);
        assertThat(guess.why()).contains("as for 128 steps");
    }

    @Test
    void shouldTellCommonStepsApart() {
        RoundSpec usual = RoundSpec.defaults(Kind.DILOCO).every(16);
        StrategySpec diloco = StrategySpec.defaults(Kind.DILOCO);
        EfficiencyTable table =
                new EfficiencyTable(
                        "",
                        List.of(
                                REFERENCE,
                                entry(Kind.DILOCO, 16, Compress.NONE, 0.8, 0.0, 3, Origin.MEASURED),
                                calm(0.9)));
        assertThat(table.of(diloco.with(usual)).value()).isEqualTo(0.8);
        Efficiency same = table.of(diloco.with(usual.outer(1, 0.5)));
        assertThat(same.value()).isEqualTo(0.9);
        assertThat(same.isGuess()).isFalse();
        Efficiency further = table.of(diloco.with(usual.outer(1, 0.5).every(64)));
        assertThat(further.isGuess()).isTrue();
        assertThat(further.value()).as("the same common step, other steps").isEqualTo(0.9);
        assertThat(table.of(diloco.with(usual.outer(0.5, 0))).isGuess()).isTrue();
    }

    private static Efficiency calm(double value) {
        return new Efficiency(
                Kind.DILOCO,
                16,
                Compress.NONE,
                value,
                0.0,
                3,
                "2026-11-22",
                Origin.MEASURED,
                "in a test",
                StreamSpec.NONE,
                null,
                new OuterStep(1, 0.5));
    }

    @Test
    void shouldSayOfAFamilyWhatWasMeasuredWithItElseTheLeastOfOthersAsAGuess() {
        StrategySpec diloco = StrategySpec.defaults(Kind.DILOCO);
        EfficiencyTable table =
                new EfficiencyTable(
                        "", List.of(REFERENCE, of("cnn", 1.5, 0.1), of("transformer", 0.8, 0.05)));
        assertThat(table.of("cnn").of(diloco).counted()).isCloseTo(1.4, within(1e-12));
        assertThat(table.of("transformer").of(diloco).isGuess()).isFalse();
        Efficiency other = table.of("mlp").of(diloco);
        assertThat(other.isGuess()).isTrue();
        assertThat(other.value()).isEqualTo(0.8);
        assertThat(other.why()).contains("as measured with transformer");
        assertThat(table.of("mlp").of(StrategySpec.defaults()).value()).isEqualTo(1);
    }

    private static Efficiency of(String family, double value, double spread) {
        return new Efficiency(
                Kind.DILOCO,
                64,
                Compress.NONE,
                value,
                spread,
                3,
                "2026-11-21",
                Origin.MEASURED,
                "in a test",
                StreamSpec.NONE,
                family,
                null);
    }

    private static OuterStep outer(Candidate candidate) {
        return OuterStep.of(candidate.strategy().round());
    }

    @Test
    void shouldRefuseWhatIsNoTable() {
        assertThatThrownBy(() -> new EfficiencyTable("", List.of(REFERENCE, REFERENCE)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> new EfficiencyTable("", List.of()))
                .hasMessageContaining("lacks what all others are compared with");
    }

    @Test
    void shouldRefuseFiguresWithoutTheirOrigin() {
        assertThatThrownBy(() -> entry(Kind.DILOCO, 64, Compress.NONE, 1, 0.1, 0, Origin.MEASURED))
                .hasMessageContaining("measured needs one at least");
        assertThatThrownBy(() -> entry(Kind.DILOCO, 64, Compress.NONE, 1, null, 0, Origin.GUESSED))
                .hasMessageContaining("no spread");
        assertThatThrownBy(() -> entry(Kind.DILOCO, 64, Compress.NONE, 0, 0.1, 0, Origin.GUESSED))
                .hasMessageContaining("0.0 is not from above 0");
        assertThatThrownBy(() -> entry(Kind.AUTO, 1, Compress.NONE, 1, 0.1, 0, Origin.GUESSED))
                .hasMessageContaining("auto");
    }

    private static Efficiency entry(
            Kind kind,
            int steps,
            Compress codec,
            double value,
            @Nullable Double spread,
            int seeds,
            Origin origin) {
        return new Efficiency(
                kind,
                steps,
                codec,
                value,
                spread,
                seeds,
                "2026-11-21",
                origin,
                "in a test",
                StreamSpec.NONE,
                null,
                null);
    }
}
