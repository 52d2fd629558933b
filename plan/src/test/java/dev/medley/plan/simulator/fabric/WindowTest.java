package dev.medley.plan.simulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowTest {
    private static final double MS = 1e6;
    private static final double ROUND_TRIP_NS = 40 * MS;

    /** 100 Mbit/s: 500 kB in a round trip. */
    private static final double NS_PER_BYTE = 80;

    private static final double PACKET = SimulatedLink.MSS_BYTES;
    private static final Offset<Double> NEARLY = Offset.offset(1e-3 * MS);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    /** Flights of 10, 20, 40 and the remaining 75 packets. */
    @Test
    @Tag("unit")
    void aWindowShouldDoubleInEachRoundTripUntilAllHasLeft() {
        double took = new Window(ROUND_TRIP_NS).send(0, 145 * PACKET, NS_PER_BYTE);
        assertThat(took).isCloseTo(3 * ROUND_TRIP_NS + 75 * PACKET * NS_PER_BYTE, NEARLY);
    }

    @Test
    @Tag("unit")
    void aWindowThatFillsTheLinkShouldCostNothingMore() {
        Window window = new Window(ROUND_TRIP_NS);
        double end = window.send(0, 5_000 * PACKET, NS_PER_BYTE);
        double again = window.send(end, 1_000 * PACKET, NS_PER_BYTE);
        assertThat(again - end).isCloseTo(1_000 * PACKET * NS_PER_BYTE, NEARLY);
    }

    /** Grown to 150 packets, halved by each whole timeout of 240 ms: 75, 37, 18, then 10. */
    @Test
    @Tag("unit")
    void aSilenceShouldHalveAWindowForEachTimeout() {
        assertThat(afterSilence(0.9)).isEqualTo(0);
        assertThat(afterSilence(1.5)).isEqualTo(1);
        assertThat(afterSilence(2.5)).isEqualTo(2);
        assertThat(afterSilence(3.5)).isEqualTo(3);
        assertThat(afterSilence(100)).isEqualTo(3);
    }

    /** Round trips that 150 packets wait for after a silence of so many timeouts. */
    private static int afterSilence(double timeouts) {
        Window window = new Window(ROUND_TRIP_NS);
        double end = window.send(0, 150 * PACKET, NS_PER_BYTE);
        double from = end + timeouts * (ROUND_TRIP_NS + 200 * MS);
        return (int) ((window.send(from, 150 * PACKET, NS_PER_BYTE) - from) / ROUND_TRIP_NS);
    }

    @Test
    @Tag("unit")
    void aWindowThatIsNotUsedUpShouldNotGrow() {
        Window window = new Window(ROUND_TRIP_NS);
        double at = 0;
        for (int i = 0; i < 20; i++) {
            at = window.send(at, 2 * PACKET, NS_PER_BYTE) + ROUND_TRIP_NS;
        }
        double took = window.send(at, 20 * PACKET, NS_PER_BYTE) - at;
        assertThat(took).isCloseTo(ROUND_TRIP_NS + 10 * PACKET * NS_PER_BYTE, NEARLY);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void nothingShouldLeaveFasterThanTheLinkOrBeforeWhatIsAheadOfIt(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Window window = new Window(random.nextDouble() * 100 * MS);
        double at = 0;
        for (int i = 0; i < 200; i++) {
            double from = at + (random.nextInt(3) == 0 ? random.nextDouble() * 2000 * MS : 0);
            double length = Math.pow(10, 1 + 5 * random.nextDouble());
            double nsPerByte = 1 + random.nextDouble() * 200;
            at = window.send(from, length, nsPerByte);
            assertThat(at).isFinite().isGreaterThanOrEqualTo(from + 0.999999 * length * nsPerByte);
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void moreConnectionsShouldNeverBeLaterAfterASilence(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double length = Math.pow(10, 3 + 4 * random.nextDouble());
        double roundTripMs = 1 + random.nextDouble() * 100;
        double before = Double.POSITIVE_INFINITY;
        for (int connections = 1; connections <= 16; connections *= 2) {
            Pipe pipe = Pipe.between(SimulatedLink.of(Clusters.way(roundTripMs / 2, 1e8)), 1);
            double took = pipe.send(0, length, connections);
            assertThat(took).as("%d connections", connections).isLessThan(1.000001 * before);
            before = took;
        }
    }
}
