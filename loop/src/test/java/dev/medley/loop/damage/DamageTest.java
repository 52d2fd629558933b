package dev.medley.loop.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is expected without outcomes is what comes, where a score means the same chance. */
@Tag("property")
class DamageTest {
    @Test
    void shouldReckonQualityOfKnownOutcomes() {
        double[] scores = {0.1, 0.4, 0.35, 0.8, 0.4};
        double[] outcomes = {0, 0, 1, 1, 1};
        ClassifierQuality quality = ClassifierQuality.known(scores, outcomes, 0.5);
        assertThat(quality.accuracy()).isCloseTo(0.6, within(1e-12));
        assertThat(quality.auc()).isCloseTo(4.5 / 6, within(1e-12));
        double loss = -(Math.log(0.9) + Math.log(0.6) + Math.log(0.35 * 0.8 * 0.4)) / 5;
        assertThat(quality.logLoss()).isCloseTo(loss, within(1e-12));
    }

    @Test
    void shouldExpectWhatComesAfterAShiftOfScores() {
        RandomGenerator random = Seeds.generator(3);
        double[][] before = rows(random, 20_000, 0);
        ScoreCalibration calibration = ScoreCalibration.of(before[0], before[1]);
        for (double shift : new double[] {-1, 0, 1}) {
            double[][] now = rows(random, 20_000, shift);
            ClassifierQuality expected = ClassifierQuality.expected(now[0], calibration, 0.5);
            ClassifierQuality known = ClassifierQuality.known(now[0], now[1], 0.5);
            assertThat(expected.auc()).isCloseTo(known.auc(), within(0.02));
            assertThat(expected.accuracy()).isCloseTo(known.accuracy(), within(0.02));
            assertThat(expected.logLoss()).isCloseTo(known.logLoss(), within(0.03));
        }
    }

    @Test
    void shouldCalibrateWithoutFalling() {
        RandomGenerator random = Seeds.generator(4);
        double[][] rows = rows(random, 500, 0);
        ScoreCalibration calibration = ScoreCalibration.of(rows[0], rows[1]);
        double last = 0;
        for (double score = 0; score <= 1; score += 0.01) {
            double chance = calibration.probability(score);
            assertThat(chance).isBetween(last, 1.0);
            last = chance;
        }
        ScoreCalibration one = ScoreCalibration.of(new double[] {0.3, 0.3}, new double[] {1, 0});
        assertThat(one.probability(0.9)).isEqualTo(0.5);
        assertThatThrownBy(() -> ScoreCalibration.of(new double[0], new double[0]))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldPutHarmfulShiftsBeforeLargeOnes() {
        long[] rows = {500, 500};
        ColumnDamage large =
                ColumnDamage.of(
                        "large",
                        rows,
                        new double[] {100, 102},
                        new double[] {30, 30},
                        new long[] {50, 950});
        ColumnDamage harmful =
                ColumnDamage.of(
                        "harmful",
                        rows,
                        new double[] {20, 300},
                        new double[] {2, 200},
                        new long[] {400, 600});
        List<ColumnDamage> ranked = ColumnDamage.ranked(List.of(large, harmful));
        assertThat(ranked.get(0).column()).isEqualTo("harmful");
        assertThat(harmful.damage()).isCloseTo(0.1 * (0.6 - 0.04), within(1e-12));
        assertThat(harmful.why()).contains("harmful alone raises the mean loss by 0.0560");
        ColumnDamage unseen =
                ColumnDamage.of(
                        "x",
                        new long[] {10, 0},
                        new double[] {1, 0},
                        new double[] {1, 0},
                        new long[] {5, 5});
        assertThat(unseen.why()).contains("of 50.0 % of rows nothing is known");
    }

    /** Scores, and outcomes that come as often as another function of the score says. */
    private static double[][] rows(RandomGenerator random, int count, double shift) {
        double[] scores = new double[count];
        Arrays.setAll(scores, i -> 1 / (1 + Math.exp(-1.5 * random.nextGaussian() - shift)));
        double[] outcomes = new double[count];
        Arrays.setAll(outcomes, i -> random.nextDouble() < Math.pow(scores[i], 1.5) ? 1 : 0);
        return new double[][] {scores, outcomes};
    }
}
