package dev.medley.exchange.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains over made-up ways, read by a process that may have a part of a core only. */
@Tag("property")
class TrainsTest {
    private static final long MS = 1_000_000;
    private static final long PERIOD_NS = 100 * MS;
    private static final int SEGMENT_BYTES = 1_448;
    private static final int MOST_BYTES = 64 << 10;
    private static final double NS_PER_S = 1e9;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    /** A wide way may look less wide, since a reader costs time; no way looks wider than it is. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aReceiverThatStandsStillShouldNotSeeAWiderWay(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double rate = Math.pow(10, 6 + 2.4 * random.nextDouble());
        Wire wire = new Wire(rate, (long) (20 * MS * random.nextDouble()), random);
        assertThat(wire.trains(0.2 + 0.8 * random.nextDouble()) / rate).isBetween(0.2, 1.15);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aReceiverThatIsThereShouldSeeTheWayAsItIs(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double rate = Math.pow(10, 6 + 2.4 * random.nextDouble());
        Wire wire = new Wire(rate, (long) (20 * MS * random.nextDouble()), random);
        assertThat(wire.trains(1) / rate).isBetween(0.85, 1.15);
    }

    /** Nobody waits for bytes on a way that is as fast as memory. */
    @Test
    void aWayThatIsFasterThanItsReaderShouldHaveTheReadersPace() {
        Trains trains = new Trains();
        while (!trains.areEnough()) {
            Train train = new Train(MS, 0);
            int reads = Math.max(1, Trains.bytes(trains.count()) / MOST_BYTES);
            for (int i = 1; i <= reads; i++) {
                train.arrived(MOST_BYTES, MS + 20_000L * i, false);
            }
            trains.arrived(train);
        }
        assertThat(trains.count()).isEqualTo(9);
        assertThat((double) trains.bytesPerSecond()).isCloseTo(MOST_BYTES * 50e3, within(2.0));
    }

    /** A way into a kernel's buffer, and a process that reads it with a part of a core. */
    private static final class Wire {
        private final double bytesPerNs;
        private final long roundTripNs;
        private final RandomGenerator random;
        private long nowNs;

        Wire(double bytesPerSecond, long roundTripNs, RandomGenerator random) {
            this.bytesPerNs = bytesPerSecond / NS_PER_S;
            this.roundTripNs = roundTripNs;
            this.random = random;
        }

        double trains(double quota) {
            nowNs = (long) (PERIOD_NS * random.nextDouble());
            Trains trains = new Trains();
            while (!trains.areEnough()) {
                trains.arrived(train(Trains.bytes(trains.count()), quota));
            }
            return trains.bytesPerSecond();
        }

        private Train train(int bytes, double quota) {
            Train train = new Train(roundTripNs, nowNs);
            long beginNs = nowNs + roundTripNs;
            for (int read = 0; read < bytes; ) {
                boolean waits = there(beginNs, bytes) <= read;
                while (there(beginNs, bytes) <= read) {
                    nowNs += 1_000;
                }
                nowNs = quota < 1 ? awake(nowNs, quota) : nowNs;
                int count = Math.min(MOST_BYTES, there(beginNs, bytes) - read);
                nowNs += 2_000 + count / 10; // A system call, and 10 GB/s of copying.
                read += count;
                train.arrived(count, nowNs, waits);
            }
            return train;
        }

        /** Whole segments that arrived so far. */
        private int there(long beginNs, int bytes) {
            double sent = Math.max(0, nowNs - beginNs) * bytesPerNs;
            return sent >= bytes ? bytes : (int) (sent / SEGMENT_BYTES) * SEGMENT_BYTES;
        }

        /** Runs in the first part of each period only. */
        private static long awake(long atNs, double quota) {
            boolean runs = atNs % PERIOD_NS < quota * PERIOD_NS;
            return runs ? atNs : (atNs / PERIOD_NS + 1) * PERIOD_NS;
        }
    }
}
