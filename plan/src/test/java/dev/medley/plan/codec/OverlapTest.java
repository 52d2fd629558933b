package dev.medley.plan.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.route.SumCost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class OverlapTest {
    private static final ModelFacts FACTS =
            new ModelFacts(1000, 250, 64, 64, 1000, Budget.ofEpochs(1), true);

    /**
     * A step of 12 ms goes forward for 4; when a quarter of the 8 ms of backward is done the first
     * of four buckets leaves, 6 ms before the end.
     *
     * @param sumNs of all parameters
     * @param lastNs of the last bucket
     * @param seenNs of the step in which nobody computes
     */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "5, 1, 1",
        "6, 0, 0",
        "6, 2, 2",
        "7, 0, 1",
        "20, 5, 14",
        "20, 15, 15",
        "1000, 5, 994"
    })
    void aSumShouldBeSeenSoFarAsBackwardDoesNotHideIt(double sumNs, double lastNs, double seenNs) {
        SumCost sum = new SumCost(sumNs, 0, 0);
        SumCost last = new SumCost(lastNs, 0, 0);
        assertThat(Overlap.seenNs(12, sum, last, FACTS)).isCloseTo(seenNs, within(1e-9));
    }
}
