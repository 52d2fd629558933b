package dev.medley.plan.policy;

import java.util.List;

/**
 * The room for samples of a step in a machine's memory. A worker reads ahead: several batches of
 * its share are in memory at a time, whatever part of one goes through the model at once.
 * Micro-batches ({@link MemoryCaps}) help against activations; against these batches only a smaller
 * share helps.
 *
 * @param bytesPerSample of a share, in all batches that a worker holds at a time; 0 where shares
 *     are no batches, so that any has room
 * @param hereBytes that a worker may use on the coordinator's own machine; {@link Long#MAX_VALUE}
 *     where none runs there
 */
public record BatchRoom(long bytesPerSample, long hereBytes) {
    /** Room for any share. */
    public static final BatchRoom UNLIMITED = new BatchRoom(0, Long.MAX_VALUE);

    /** What a worker and the agent of its machine take before there is a sample. */
    private static final long PROCESSES_BYTES = 400L << 20;

    /** The part of the rest that batches may take: model and activations want some. */
    private static final double PART = 0.5;

    /**
     * The most samples of a step for which there is room; 1 at least, since less says no more.
     *
     * @param memoryBytes that a worker may use; {@link Long#MAX_VALUE} where that is not known
     */
    public int mostSamples(long memoryBytes) {
        long granted = memoryBytes == Long.MAX_VALUE ? hereBytes : memoryBytes;
        if (bytesPerSample == 0 || granted == Long.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        double samples = PART * (granted - PROCESSES_BYTES) / bytesPerSample;
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, samples));
    }

    /**
     * Caps that hold a batch: the given ones, or where they are too few all of them greater in
     * proportion. What batches take is an estimate, and a batch that is too much for it is tried:
     * one that is too much indeed ends with a message that says so.
     */
    public static List<Integer> holding(int batch, List<Integer> caps) {
        long room = caps.stream().mapToLong(cap -> Math.min(cap, batch)).sum();
        double greater = room >= batch ? 1 : (double) batch / room;
        return caps.stream()
                .map(cap -> (int) Math.ceil(Math.min(cap, batch) * greater - 1e-9))
                .toList();
    }
}
