package dev.medley.base.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How good rankings are: figures computed by hand. */
@Tag("unit")
class NdcgTest {
    private static final float[] GRADES = {3, 2, 0, 1};

    @Test
    void theBestOrderShouldCountOneWhateverItsScoresAre() {
        assertThat(Ndcg.of(new float[] {9, 1, -8, 0}, GRADES, 0)).isEqualTo(1);
        assertThat(Ndcg.of(new float[] {-1, -2, -9, -3}, GRADES, 2)).isEqualTo(1);
    }

    /** 7 at the second place and 3 at the last, by 1 / log2 of 2 to 5. */
    @Test
    void aWorseOrderShouldCountWhatItGains() {
        float[] scores = {3, 1, 4, 2};
        double best = 7 + 3 * 0.6309297535714575 + 0.5;
        double gained = 7 * 0.6309297535714575 + 0.5 + 3 * 0.43067655807339306;
        assertThat(Ndcg.of(scores, GRADES, 0)).isCloseTo(gained / best, within(1e-12));
        double two = 7 * 0.6309297535714575 / (7 + 3 * 0.6309297535714575);
        assertThat(Ndcg.of(scores, GRADES, 2)).isCloseTo(two, within(1e-12));
        assertThat(Ndcg.of(scores, GRADES, 1)).isZero();
    }

    /** Each of three stands at each of the first three places as often. */
    @Test
    void equalScoresShouldShareTheirPlacesWhateverTheOrder() {
        double places = 1 + 0.6309297535714575 + 0.5;
        double best = 7 + 3 * 0.6309297535714575 + 0.5;
        double gained = (7 + 3 + 0) / 3.0 * places + 0.43067655807339306;
        assertThat(Ndcg.of(new float[] {0f, -0f, 0f, -1}, GRADES, 0))
                .isCloseTo(gained / best, within(1e-12));
        assertThat(Ndcg.of(new float[] {5, 5, 5, 5}, new float[] {0, 0, 0, 1}, 2))
                .isCloseTo((1 + 0.6309297535714575) / 4, within(1e-12));
    }

    @Test
    void whereNothingIsToBeFoundAllOrdersShouldBeTheBest() {
        assertThat(Ndcg.of(new float[] {1, 2}, new float[] {0, 0}, 0)).isEqualTo(1);
    }

    @Test
    void theHighestGradeShouldStillBeCounted() {
        float[] grades = {Ndcg.HIGHEST_GRADE, Ndcg.HIGHEST_GRADE - 1};
        assertThat(Ndcg.of(new float[] {0, 1}, grades, 1)).isCloseTo(0.5, within(1e-9));
    }
}
