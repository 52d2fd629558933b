package dev.medley.serving.host;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Does on few threads of its own what reads files that may hang, as on a mount that is away. Those
 * who are answered from memory never wait for it, and what would wait without end is refused.
 *
 * <p>Thread: any.
 */
public final class SlowWork {
    private static final int THREADS = 4;
    private static final int MOST_WAITING = 32;
    private static final long IDLE_SECONDS = 30;

    private final String what;
    private final ThreadPoolExecutor threads;

    /** Of a kind, in the plural. */
    public SlowWork(String what) {
        this.what = what;
        threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MOST_WAITING),
                        work -> {
                            Thread thread = new Thread(work, "medley-slow");
                            thread.setDaemon(true);
                            return thread;
                        });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Done as soon as a thread is free; fails with a {@link ServingFailure} if too many wait. */
    public <T> CompletableFuture<T> done(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(
                    new ServingFailure(
                            Kind.UNAVAILABLE,
                            "%d %s wait already: what they read from may be away"
                                    .formatted(MOST_WAITING, what)));
        }
    }
}
