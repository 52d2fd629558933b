package dev.medley.exchange.peer;

/**
 * Measures the rate at which one train of bytes arrives at the receiver. This is packet-train
 * dispersion (Dovrolis, Ramanathan, Moore 2001): it counts how far apart bytes are, so that latency
 * does not matter.
 *
 * <p>A receiver that is held up (its quota is used up, others have the core) finds in the kernel
 * what came meanwhile, and reads it as fast as memory is. So nothing counts until the receiver has
 * caught up with the path: until there was nothing to read. It is behind again after a silence,
 * which may also come from a window that has not grown yet and makes the sender wait for an answer;
 * up to {@value #MOST_SILENCES} are taken out.
 *
 * <p>Thread: the receiver's.
 */
final class Train {
    private static final int MOST_SILENCES = 3;
    private static final int SILENT_PART = 4;
    private static final long SHORTEST_SILENCE_NS = 5_000_000;
    private static final int SURE_PART = 4;
    private static final double NS_PER_SECOND = 1e9;

    private final long silenceNs;

    /** When the train could have arrived on a path that carries all at once. */
    private final long earliestNs;

    private boolean isLevel;
    private boolean hasBegun;
    private int silences;
    private long lastNs;
    private long allBytes;
    private long countedNs;
    private long countedBytes;

    /**
     * Nothing has arrived.
     *
     * @param roundTripNs to the sender
     * @param askedNs when the sender was asked for the train
     */
    Train(long roundTripNs, long askedNs) {
        this.silenceNs = Math.max(roundTripNs / SILENT_PART, SHORTEST_SILENCE_NS);
        this.earliestNs = askedNs + roundTripNs;
    }

    /**
     * Some of it was read.
     *
     * @param waited whether there was nothing to read at first
     */
    void arrived(int bytes, long nowNs, boolean waited) {
        long gapNs = nowNs - lastNs;
        boolean isSilence = hasBegun && gapNs > silenceNs && silences < MOST_SILENCES;
        isLevel |= hasBegun && waited;
        if (isSilence) {
            silences++;
            isLevel = false;
        } else if (isLevel) {
            countedNs += gapNs;
            countedBytes += bytes;
        }
        hasBegun = true;
        allBytes += bytes;
        lastNs = nowNs;
    }

    /** Time in which bytes arrived that count. */
    long countedNs() {
        return countedNs;
    }

    /** Whether so much counts that the rate is that of the path, and not only the least it has. */
    boolean isSure() {
        return countedNs > 0 && countedBytes * SURE_PART >= allBytes;
    }

    /** Bytes per second; zero if all came at once. */
    long rate() {
        long tookNs = isSure() ? countedNs : lastNs - earliestNs;
        long bytes = isSure() ? countedBytes : allBytes;
        return tookNs <= 0 ? 0 : (long) (bytes / (tookNs / NS_PER_SECOND));
    }
}
