package dev.medley.training.loop;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Running statistics of normalisation layers: every member's, weighted like its gradient and
 * averaged with every step, so that they are equal on all members like parameters, and a discarded
 * step leaves no trace in them.
 *
 * <p>Plain Java on all machines, in index order: equal bits everywhere.
 */
public final class RunningStatistics {
    private final Span live;
    private final Span before;
    private final Span exchanged;
    private final ElementType type;

    /**
     * Statistics of a replica.
     *
     * @param live where the layers keep them
     * @param exchanged as long a stretch of exchange memory
     * @param type of their elements
     */
    public RunningStatistics(Span live, Span exchanged, ElementType type) {
        this.live = live;
        this.exchanged = exchanged;
        this.type = type;
        this.before = Span.allocate(live.bytes());
        before.copyFrom(live);
    }

    /** Puts this member's statistics into the exchange. */
    void offer(double weight) {
        scale(live, exchanged, weight);
    }

    /**
     * The step was applied: the average becomes the state. Where nobody has offered anything that
     * has a weight, the state stays.
     */
    void applied(double totalWeight) {
        if (totalWeight == 0) {
            discarded();
        } else if (live.bytes() > 0) {
            scale(exchanged, live, 1 / totalWeight);
            before.copyFrom(live);
        }
    }

    /** The step was discarded: what it did to the statistics is undone. */
    void discarded() {
        live.copyFrom(before);
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
