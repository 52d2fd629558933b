package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.medley.base.table.TermSpec;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sums by hand, in one piece and in several. */
@Tag("unit")
class NumberStatsTest {
    private static final double NONE = Double.NaN;

    private static void add(NumberStats stats, double... values) {
        boolean[] isTrain = new boolean[values.length + 1];
        for (int i = 0; i < values.length; i++) {
            isTrain[i] = values[i] != 1000;
        }
        isTrain[values.length] = true;
        stats.add(java.util.Arrays.copyOf(values, values.length + 1), isTrain, values.length);
    }

    @Test
    void piecesShouldGiveWhatTheWholeGives() {
        for (double shift : new double[] {0, 1e9}) {
            NumberStats whole = new NumberStats();
            add(whole, shift + 1, NONE, shift + 2, 1000, shift + 6, shift + 7);
            NumberStats pieces = new NumberStats();
            add(pieces, shift + 1);
            add(pieces, NONE, 1000);
            add(pieces, shift + 2, shift + 6);
            add(pieces, shift + 7);
            for (NumberStats stats : List.of(whole, pieces)) {
                assertThat(stats.mean()).isEqualTo(shift + 4);
                // Squares 9 + 4 + 4 + 9 over 4.
                assertThat(stats.deviation()).isEqualTo(Math.sqrt(6.5), offset(1e-12));
                assertThat(stats.missing()).isEqualTo(1);
                assertThat(stats.least()).isEqualTo(shift + 1);
                assertThat(stats.most()).isEqualTo(shift + 7);
                assertThat(stats.isConstant()).isFalse();
            }
        }
    }

    @Test
    void oneValueOrNoneShouldHaveADeviationOf1() {
        NumberStats none = new NumberStats();
        add(none, NONE, 1000, NONE);
        assertThat(none.isConstant()).isTrue();
        assertThat(none.deviation()).isEqualTo(1);
        assertThat(none.missing()).isEqualTo(2);
        NumberStats same = new NumberStats();
        add(same, 0.1, 0.1);
        add(same, 0.1);
        assertThat(same.isConstant()).isTrue();
        assertThat(same.deviation()).isEqualTo(1);
        NumberStats near = new NumberStats();
        add(near, 0, Double.MIN_VALUE);
        assertThat(near.isConstant()).isFalse();
        assertThat(near.deviation()).isEqualTo(1);
    }

    @Test
    void aSampleShouldHoldAllUpToItsLimit() {
        double[] values = {5, 3, NONE, 4, 9, 1, 2};
        boolean[] isTrain = {true, true, true, true, false, true, true};
        QuantileSample all = new QuantileSample(5);
        all.add(values, isTrain, 7);
        assertThat(all.sorted()).containsExactly(1, 2, 3, 4, 5);
        assertThat(all.isEstimate()).isFalse();
        QuantileSample fewer = new QuantileSample(4);
        fewer.add(values, isTrain, 6);
        assertThat(fewer.sorted()).containsExactly(1, 3, 4, 5);
        assertThat(fewer.isEstimate()).isFalse();
        fewer.add(new double[] {2}, new boolean[] {true}, 1);
        assertThat(fewer.sorted().length).isBetween(1, 4);
        assertThat(fewer.isEstimate()).isTrue();
    }

    @Test
    void frequentValuesShouldHaveEnoughRowsAndComeFirstOfEquals() {
        long[] rows = {99, 3, 5, 2, 5, 3};
        assertThat(FrequentValues.of(rows, 1, terms(3, 0)))
                .containsExactly(false, true, true, false, true, true);
        assertThat(FrequentValues.of(rows, 1, terms(4, 0)))
                .containsExactly(false, false, true, false, true, false);
        assertThat(FrequentValues.of(rows, 1, terms(1, 3)))
                .containsExactly(false, true, true, false, true, false);
        assertThat(FrequentValues.of(rows, 0, terms(1, 1)))
                .containsExactly(true, false, false, false, false, false);
    }

    private static TermSpec terms(int minFrequency, int maxCategories) {
        return new TermSpec(minFrequency, maxCategories, List.of(), List.of(), 10, 5, false);
    }
}
