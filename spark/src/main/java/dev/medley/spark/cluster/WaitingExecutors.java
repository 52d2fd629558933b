package dev.medley.spark.cluster;

import dev.medley.base.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Ends the wait for executors that will not come. Until the first of them is there it asks now and
 * then what is wrong with them; what it hears twice is the reason why the application's jobs end.
 *
 * <p>Thread: one of its own looks, until this is closed.
 */
final class WaitingExecutors implements AutoCloseable {
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(2);

    /** A registry that does not answer once is asked again, after ten seconds. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);

    private static final long SAID_NS = TimeUnit.SECONDS.toNanos(30);

    private final JavaSparkContext spark;
    private final Function<String, Optional<String>> trouble;
    private final Consumer<String> says;
    private final Clock clock = Clock.system();
    private final Thread thread = new Thread(this::look, "medley-spark-executors");
    private volatile boolean isOver;
    private volatile @Nullable String reason;

    /**
     * Begins to look.
     *
     * @param trouble why executors of the application of that id do not begin, if it is known
     * @param says takes sentences for the user
     */
    WaitingExecutors(
            JavaSparkContext spark,
            Function<String, Optional<String>> trouble,
            Consumer<String> says) {
        this.spark = spark;
        this.trouble = trouble;
        this.says = says;
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        long troubledNs = 0;
        boolean isTroubled = false;
        long saidNs = clock.awakeNs();
        // The driver is among them.
        while (!isOver && spark.statusTracker().getExecutorInfos().length < 2) {
            Optional<String> now = trouble.apply(spark.sc().applicationId());
            if (now.isEmpty() || !isTroubled) {
                isTroubled = now.isPresent();
                troubledNs = clock.awakeNs();
            } else if (clock.awakeNs() - troubledNs > PATIENCE_NS) {
                reason = now.get();
                spark.sc().cancelAllJobs();
                return;
            }
            if (clock.awakeNs() - saidNs > SAID_NS) {
                saidNs = clock.awakeNs();
                says.accept(
                        "waiting for executors: none has begun; %s may have no room for one"
                                .formatted(spark.master()));
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Why the wait was ended; null if it was not. */
    @Nullable String reason() {
        return reason;
    }

    @Override
    public void close() {
        isOver = true;
        LockSupport.unpark(thread);
    }
}
