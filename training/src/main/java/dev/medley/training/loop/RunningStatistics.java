package dev.medley.training.loop;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.tensor.layer.RunningMoments;
import dev.medley.tensor.model.Learner;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Keeps the running statistics of layers equal on all members, like parameters. A discarded step
 * leaves no trace in them.
 *
 * <p>Means and variances of normalisations become those of all members' values together, as one
 * process would have found them (law of total variance). With r and v what all had before, and of
 * member i, after k_i steps over n_i values of each channel, r_i and v_i,
 *
 * <pre>
 *     M_i = 1 - 0.9^k_i                              what of r and v is gone here
 *     d_i = (r_i - r) / M_i,  s_i = v + (v_i - v) / M_i      mean, less r, and variance of its values
 *
 *     N = sum(n_i),  q_i = n_i M_i,  Q = sum(q_i),  K = sum(n_i k_i) / N,  d = sum(q_i d_i) / Q
 *     r = r + Q/N d
 *     s = (sum(M_i (n_i - k_i) s_i) + sum(q_i d_i^2) - Q d^2) / (Q - K Q/N)
 *     v = v + Q/N (s - v)
 * </pre>
 *
 * <p>Where each took one step that is exact. In rounds of many steps the spread between members is
 * that of the means over their steps, as theirs lie further back the less they count. A member that
 * keeps statistics of its own, in a gossip, has M_i = 1. Whatever else layers remember is averaged
 * by the weight of samples.
 *
 * <p>Plain Java on all machines, in index order: equal bits everywhere.
 */
public final class RunningStatistics {
    /** Sums of a normalisation beside those of its channels: N, Q and K N. */
    private static final int COUNTS = 3;

    private final Span live;
    private final List<RunningMoments> moments;
    private final Span before;
    private final Span exchanged;
    private final ElementType type;
    private boolean isOffered;

    /** Exchange memory that the statistics of a learner take; none for most. */
    public static long bytes(Learner learner) {
        long counts = (long) COUNTS * learner.moments().size();
        return learner.buffers().bytes() + counts * learner.layout().type().bytes();
    }

    /**
     * Statistics of a learner.
     *
     * @param live where the layers keep them
     * @param moments what of them is means and variances
     * @param exchanged a stretch of exchange memory, {@link #bytes} long
     * @param type of their elements
     */
    public RunningStatistics(
            Span live, List<RunningMoments> moments, Span exchanged, ElementType type) {
        this.live = live;
        this.moments = moments;
        this.exchanged = exchanged;
        this.type = type;
        this.before = Span.allocate(live.bytes());
        before.copyFrom(live);
        moments.forEach(RunningMoments::restart);
    }

    /** Where a member's statistics of a step begin. */
    enum From {
        /** With those that all have. */
        COMMON,
        /** With its own. */
        OWN
    }

    /** Puts this member's statistics into the exchange. */
    void offer(double weight, From from) {
        scale(live, exchanged.slice(0, live.bytes()), weight);
        long counts = live.bytes() / type.bytes();
        for (RunningMoments each : moments) {
            offer(each, from, counts);
            counts += COUNTS;
            each.restart();
        }
        isOffered = true;
    }

    private void offer(RunningMoments of, From from, long counts) {
        double n = of.values();
        double moved = from == From.OWN && n > 0 ? 1 : RunningMoments.moved(of.steps());
        double[] sums = {n, n * moved, n * of.steps()};
        write(sums, exchanged, counts);
        int channels = of.channels();
        double[] mean = read(live, of.meanOffset(), channels);
        double[] variance = read(live, of.varianceOffset(), channels);
        double[] meanBefore = read(before, of.meanOffset(), channels);
        double[] varianceBefore = read(before, of.varianceOffset(), channels);
        for (int i = 0; i < channels; i++) {
            double gone = mean[i] - meanBefore[i];
            double inside = variance[i] - (1 - moved) * varianceBefore[i];
            mean[i] = n * gone;
            variance[i] = n == 0 ? 0 : (n - of.steps()) * inside + n * gone * gone / moved;
        }
        write(mean, exchanged, of.meanOffset());
        write(variance, exchanged, of.varianceOffset());
    }

    /**
     * The step was applied: the statistics of all become the state. Where nobody has offered
     * anything that has a weight, the state stays.
     */
    void applied(double totalWeight) {
        if (totalWeight == 0 || live.bytes() == 0) {
            discarded();
            return;
        }
        if (!isOffered) {
            moments.forEach(RunningMoments::restart); // What came here belongs to no round.
        }
        isOffered = false;
        scale(exchanged.slice(0, live.bytes()), live, 1 / totalWeight);
        long counts = live.bytes() / type.bytes();
        for (RunningMoments each : moments) {
            apply(each, read(exchanged, counts, COUNTS));
            counts += COUNTS;
        }
        before.copyFrom(live);
    }

    private void apply(RunningMoments of, double[] sums) {
        int channels = of.channels();
        double[] mean = read(before, of.meanOffset(), channels);
        double[] variance = read(before, of.varianceOffset(), channels);
        double n = sums[0];
        if (n > 0) {
            double moved = sums[1] / n;
            double degrees = sums[1] - moved * sums[2] / n;
            double[] gone = read(exchanged, of.meanOffset(), channels);
            double[] squares = read(exchanged, of.varianceOffset(), channels);
            for (int i = 0; i < channels; i++) {
                double between = gone[i] * gone[i] / sums[1];
                mean[i] += gone[i] / n;
                if (degrees > 0) {
                    double spread = Math.max(0, squares[i] - between) / degrees;
                    variance[i] += moved * (spread - variance[i]);
                }
            }
        }
        write(mean, live, of.meanOffset());
        write(variance, live, of.varianceOffset());
    }

    /** The step was discarded: what it did to the statistics is undone. */
    void discarded() {
        isOffered = false;
        moments.forEach(RunningMoments::restart);
        live.copyFrom(before);
    }

    private double[] read(Span from, long at, int count) {
        double[] values = new double[count];
        int i = 0;
        for (ByteBuffer piece : from.slice(at * type.bytes(), bytes(count)).buffers()) {
            while (piece.hasRemaining()) {
                values[i++] = type == ElementType.FLOAT64 ? piece.getDouble() : piece.getFloat();
            }
        }
        return values;
    }

    private void write(double[] values, Span into, long at) {
        int i = 0;
        for (ByteBuffer piece : into.slice(at * type.bytes(), bytes(values.length)).buffers()) {
            while (piece.hasRemaining()) {
                if (type == ElementType.FLOAT64) {
                    piece.putDouble(values[i++]);
                } else {
                    piece.putFloat((float) values[i++]);
                }
            }
        }
    }

    private long bytes(int count) {
        return (long) count * type.bytes();
    }

    private void scale(Span from, Span to, double factor) {
        List<ByteBuffer> sources = from.buffers();
        List<ByteBuffer> targets = to.buffers();
        if (sources.size() != targets.size()) {
            throw new IllegalStateException(
                    "statistics cross a chunk of memory: " + from.bytes() + " bytes");
        }
        for (int i = 0; i < sources.size(); i++) {
            scale(sources.get(i), targets.get(i), factor);
        }
    }

    private void scale(ByteBuffer from, ByteBuffer to, double factor) {
        for (int at = 0; at < from.limit(); at += type.bytes()) {
            if (type == ElementType.FLOAT64) {
                to.putDouble(at, from.getDouble(at) * factor);
            } else {
                to.putFloat(at, (float) (from.getFloat(at) * factor));
            }
        }
    }
}
