package dev.medley.exchange;

import org.jspecify.annotations.Nullable;

/**
 * Counts true waiting at the end of a step. That is the time in which neither the training thread
 * nor the exchange thread ran or was held up by the lack of a processor.
 *
 * <p>Belongs to the training thread, but for {@link #exchangeThread}.
 */
final class Idleness implements AutoCloseable {
    private volatile @Nullable ThreadLoad exchange;
    private @Nullable ThreadLoad beside;
    private @Nullable ThreadLoad training;
    private @Nullable Thread trainingThread;
    private long fromNs;
    private long busyNs;
    private long idleNs;

    /** Called by the exchange thread when it begins. */
    void exchangeThread() {
        exchange = ThreadLoad.ofThisThread();
    }

    /** The training thread has nothing to do from now on but to exchange. */
    void begin(long nowNs) {
        if (trainingThread != Thread.currentThread()) {
            close(training);
            trainingThread = Thread.currentThread();
            training = ThreadLoad.ofThisThread();
        }
        beside = exchange;
        fromNs = nowNs;
        busyNs = loadNs();
    }

    /** The exchange is done. */
    void end(long nowNs) {
        idleNs += Math.max(0, nowNs - fromNs - (loadNs() - busyNs));
    }

    /** Whether the kernel counts what threads do, so that there is something to take. */
    boolean isKnown() {
        return training != null && beside != null;
    }

    /** True waiting since the last call. */
    long takeNs() {
        long taken = idleNs;
        idleNs = 0;
        return taken;
    }

    @Override
    public void close() {
        close(training);
        close(exchange);
    }

    private long loadNs() {
        return busyNs(training) + busyNs(beside);
    }

    private static long busyNs(@Nullable ThreadLoad load) {
        return load == null ? 0 : load.busyNs();
    }

    private static void close(@Nullable ThreadLoad load) {
        if (load != null) {
            load.close();
        }
    }
}
