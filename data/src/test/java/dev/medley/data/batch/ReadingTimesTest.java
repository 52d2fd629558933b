package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.base.time.Clock;
import dev.medley.data.encoding.Targets;
import dev.medley.data.order.ShardCut;
import dev.medley.data.shard.BatchBuffers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** By a clock that reading turns on. */
@Tag("unit")
class ReadingTimesTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private ShardCut cut = new ShardCut(1000, 10);
    private final Set<Long> read = new HashSet<>();
    private long nowNs;

    @Test
    void shardsOfLongRecordsShouldTakeLonger() {
        List<Double> times = times(sample -> sample < 500 ? MS / 100 : MS / 50);
        assertThat(times).hasSize(100);
        assertThat(times.subList(0, 50)).allMatch(t -> Math.abs(t - 10 * MS / 100.0) < 1);
        assertThat(times.subList(50, 100)).allMatch(t -> Math.abs(t - 10 * MS / 50.0) < 1);
        assertThat(read).as("all ten of each shard").hasSize(1000);
    }

    /** Time for four rounds only: they lie all over each shard. */
    @Test
    void theSamplesTriedShouldBeSpreadOverTheShard() {
        cut = new ShardCut(100_000, 1000);
        times(any -> 5 * MS);
        assertThat(read).hasSize(4 * 100);
        for (long shard = 0; shard < 100; shard++) {
            long first = 1000 * shard;
            for (long quarter = 0; quarter < 4; quarter++) {
                long from = first + 250 * quarter;
                assertThat(read).anyMatch(sample -> sample >= from && sample < from + 250);
            }
        }
    }

    @Test
    void shouldTryForTwoSecondsAndTakeWhatWasNotTriedForItsNeighbour() {
        List<Double> times = times(sample -> sample < 500 ? 20 * MS : 100 * MS);
        assertThat(nowNs).isBetween(2_000 * MS, 2_200 * MS);
        assertThat(read).hasSizeLessThan(60);
        assertThat(times.get(2)).isCloseTo(200.0 * MS, within(1.0));
        assertThat(times.get(97)).isCloseTo(1_000.0 * MS, within(1.0));
        assertThat(times).containsOnly(200.0 * MS, 1_000.0 * MS);
    }

    private List<Double> times(LongUnaryOperator takesNs) {
        SampleReader reader =
                (sample, batch, row) -> {
                    read.add(sample.index());
                    nowNs += takesNs.applyAsLong(sample.index());
                };
        Signature.Input input =
                new Signature.Input("x", ElementType.FLOAT32, List.of(1), List.of());
        Signature signature = new Signature(List.of(input), Targets.ofClasses(List.of("a", "b")));
        return new ReadingTimes(cut, reader, new BatchBuffers(signature), clock()).all();
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public long nowNs() {
                return nowNs;
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
    }
}
