package dev.medley.data.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.shard.BlockLayout;
import java.util.BitSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Of how many blocks a worker needs a sample that takes a part of each step: why no worker can do
 * with some of a set while the order of samples is what it is (docs/decisions/0015).
 */
@Tag("property")
class BlocksOfAShareTest {
    private static final int BATCH = 256;
    private static final int BLOCKS = 60;

    @ParameterizedTest
    @CsvSource({
        "512, 64, 1.00, 1.00",
        "512, 4, 0.98, 1.00",
        "64, 64, 1.00, 1.00",
        "16, 64, 0.95, 1.00",
        "16, 4, 0.15, 0.35",
    })
    void aWorkerShouldNeedAboutOneMinusTheChanceThatABlockHasNoneOfItsSamples(
            int blockSamples, int share, double least, double most) {
        long samples = (long) blockSamples * BLOCKS;
        BlockLayout layout = new BlockLayout(samples, blockSamples, Integer.MAX_VALUE);
        SampleOrder order = new SampleOrder(layout, 7, 0);
        BitSet needed = new BitSet();
        for (long position = 0; position < samples; position++) {
            if (position % BATCH < share) {
                needed.set((int) (order.sampleAt(position) / blockSamples));
            }
        }
        double expected = 1 - Math.pow(1 - (double) share / BATCH, blockSamples);
        double part = (double) needed.cardinality() / BLOCKS;
        assertThat(part).isBetween(least, most).isBetween(expected - 0.1, expected + 0.1);
    }
}
