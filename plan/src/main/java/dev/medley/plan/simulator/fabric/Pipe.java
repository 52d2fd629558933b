package dev.medley.plan.simulator.fabric;

import dev.medley.base.Seeds;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages in one direction of a link or of a machine's connection, in the order in which
 * they were given to it. Messages that are given to it at once for several flows share it evenly:
 * they are one message here, which ends when the last of them does.
 *
 * <p>TCP gets less out of a link with a long path than its rate: its window grows until packets are
 * lost and falls back; after a pause the bytes that it releases at once are more than a queue
 * holds; and after a silence it has to grow again ({@link Window}). The first two figures fit the
 * sums between two sites of benchmarks/results/2026-11-21-exchange-sites.md (1 MB in 123 ms, 16 MB
 * in 1610 ms).
 */
public final class Pipe {
    /** What connections carry; those of one use are silent together. */
    public enum Use {
        /** Values and sums of sites. */
        VALUES,
        /** Whole sums on their way back. */
        SUMS,
        /** Messages of one rank to another. */
        LETTERS
    }

    private static final double MOST_DEVIATIONS = 3;

    /**
     * Of 1,500 bytes of an IP packet so many are the user's: 20 are IP's, 32 TCP's with time
     * stamps.
     */
    private static final double PAYLOAD = SimulatedLink.MSS_BYTES / 1500;

    /** Part of a link between sites that windows keep filled. */
    private static final double FILLED = 0.87;

    /** After a pause the first bytes that fill a round trip take so many round trips more. */
    private static final double RAMP = 0.7;

    private static final double NS_PER_SECOND = 1e9;

    private final double nsPerByte;
    private final double roundTripNs;
    private final @Nullable SimulatedLink link;
    private final RandomGenerator random;
    private final Map<Use, Window> windows = new EnumMap<>(Use.class);
    private double freeNs;
    private double rampBytes;
    private double bytes;
    private List<SlowSpell> spells = List.of();

    private Pipe(
            double bytesPerSecond, double roundTripNs, @Nullable SimulatedLink link, long seed) {
        this.nsPerByte = NS_PER_SECOND / bytesPerSecond;
        this.roundTripNs = roundTripNs;
        this.link = link;
        this.random = Seeds.generator(seed);
    }

    /** A machine's own connection to its site. */
    static Pipe ofMachine(double bytesPerSecond) {
        return new Pipe(bytesPerSecond * PAYLOAD, 0, null, 0);
    }

    /** The same with times in which it is slow. */
    static Pipe ofMachine(double bytesPerSecond, List<SlowSpell> spells) {
        Pipe pipe = ofMachine(bytesPerSecond);
        pipe.spells = List.copyOf(spells);
        return pipe;
    }

    /**
     * One direction of a link between sites that all their machines share.
     *
     * @param seed of what is drawn of its messages
     */
    static Pipe between(SimulatedLink link, long seed) {
        double rate = link.way().bytesPerSecond() * partBetweenSites();
        return new Pipe(rate, link.roundTripNs(), link, seed);
    }

    /** Part of a link between sites that is the user's, once windows have grown. */
    public static double partBetweenSites() {
        return PAYLOAD * FILLED;
    }

    /** When the last byte has left that is given to it now for one connection, of letters. */
    public double send(double nowNs, double length) {
        return send(nowNs, length, 1);
    }

    /** The same of letters on so many connections, which share the bytes evenly. */
    public double send(double nowNs, double length, int connections) {
        return send(nowNs, length, connections, Use.LETTERS);
    }

    /** The same of connections of a use, which fall asleep by themselves. */
    public double send(double nowNs, double length, int connections, Use use) {
        Window window = windows.computeIfAbsent(use, any -> new Window(roundTripNs));
        bytes += length;
        double from = Math.max(freeNs, nowNs);
        double times = timesAt(from);
        double own = Math.max(nsPerByte, lossyNsPerByte() / connections) * times;
        double filled = window.filled(from, own * connections);
        if (nowNs - freeNs > roundTripNs) {
            rampBytes = filled * roundTripNs / nsPerByte; // A small window fills no queue.
        }
        double slow = Math.min(rampBytes, length);
        rampBytes -= slow;
        double sent = window.send(from, length / connections, own * connections);
        freeNs = sent + RAMP * slow * nsPerByte * times;
        return freeNs;
    }

    /** How slow it is at a moment, which holds for a whole message. */
    private double timesAt(double ns) {
        double times = 1;
        for (SlowSpell spell : spells) {
            times = Math.max(times, spell.timesAt(ns));
        }
        return times;
    }

    /** What it would carry at a moment if nothing were on it. */
    double bytesPerSecond(double ns) {
        return NS_PER_SECOND / (nsPerByte * timesAt(ns));
    }

    private double lossyNsPerByte() {
        return link == null ? 0 : NS_PER_SECOND / link.bytesPerSecondOfOne();
    }

    /**
     * How long a message is on its way beside what its bytes take: the latency, sooner or later by
     * a normal deviate of the jitter, cut at three deviations; and a round trip more if one of its
     * packets is lost, which is then sent again.
     */
    double wayNs(double length) {
        if (link == null) {
            return 0;
        }
        double ns = link.way().latencyNs();
        if (link.jitterNs() > 0) {
            double deviate = random.nextGaussian();
            double cut = Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, deviate));
            ns = Math.max(0, ns + cut * link.jitterNs());
        }
        if (link.loss() > 0) {
            double packets = Math.ceil(length / SimulatedLink.MSS_BYTES);
            boolean isWhole = random.nextDouble() < Math.pow(1 - link.loss(), packets);
            ns += isWhole ? 0 : roundTripNs;
        }
        return ns;
    }

    /** The user's bytes so far. */
    double bytes() {
        return bytes;
    }
}
