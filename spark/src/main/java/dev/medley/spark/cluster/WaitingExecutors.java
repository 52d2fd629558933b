package dev.medley.spark.cluster;

import dev.medley.base.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Ends the wait for executors that will not come. From before the application begins until the
 * first of them is there it asks now and then what is wrong with them; what it hears for a while is
 * the reason why the application's jobs end.
 *
 * <p>Thread: one of its own looks, until this is closed.
 */
final class WaitingExecutors implements AutoCloseable {
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(2);

    /** A registry that does not answer once is asked again, after ten seconds. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);

    private static final long SAID_NS = TimeUnit.SECONDS.toNanos(30);

    private final String master;
    private final ExecutorWatch watch;
    private final Consumer<String> says;
    private final Clock clock = Clock.system();
    private final Thread thread = new Thread(this::look, "medley-spark-executors");
    private volatile @Nullable JavaSparkContext spark;
    private volatile boolean isOver;
    private volatile @Nullable String reason;

    /**
     * Begins to look.
     *
     * @param watch why executors do not begin
     * @param says takes sentences for the user
     */
    WaitingExecutors(String master, ExecutorWatch watch, Consumer<String> says) {
        this.master = master;
        this.watch = watch;
        this.says = says;
        thread.setDaemon(true);
        thread.start();
    }

    /** The application has begun. */
    void begun(JavaSparkContext application) {
        spark = application;
    }

    private void look() {
        long troubledNs = 0;
        boolean isTroubled = false;
        long saidNs = clock.awakeNs();
        while (!isOver && !hasOne()) {
            Optional<String> now = watch.trouble();
            if (now.isEmpty() || !isTroubled) {
                isTroubled = now.isPresent();
                troubledNs = clock.awakeNs();
            } else if (clock.awakeNs() - troubledNs > PATIENCE_NS) {
                reason = now.get();
            }
            JavaSparkContext application = spark;
            if (reason != null && application != null) {
                application.sc().cancelAllJobs(); // Again, if the job is yet to come.
            }
            // What ends the wait is said at its end.
            if (now.isEmpty() && clock.awakeNs() - saidNs > SAID_NS) {
                saidNs = clock.awakeNs();
                says.accept(
                        "waiting for executors: none has begun; "
                                + watch.waiting().orElse(master + " may have no room for one"));
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private boolean hasOne() {
        JavaSparkContext application = spark;
        // The driver is among them.
        return application != null && application.statusTracker().getExecutorInfos().length >= 2;
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
