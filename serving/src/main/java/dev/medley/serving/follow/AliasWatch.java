package dev.medley.serving.follow;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks after aliases once a second, each on a thread of its own. A registry that hangs, on a mount
 * that is away, keeps neither the other aliases nor the end of the server waiting.
 */
public final class AliasWatch implements AutoCloseable {
    private static final long BETWEEN_MILLIS = 1_000;

    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final long patienceMillis;

    private AliasWatch(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /** Begins to look, at once and then at intervals. */
    public static AliasWatch of(List<FollowedAlias> aliases) {
        List<Runnable> looks = new ArrayList<>();
        aliases.forEach(alias -> looks.add(alias::look));
        return of(looks, 10_000);
    }

    /** The same of whatever looks; at the end each has so long to come back. */
    static AliasWatch of(List<Runnable> looks, long patienceMillis) {
        AliasWatch watch = new AliasWatch(patienceMillis);
        for (Runnable look : looks) {
            Thread thread = new Thread(() -> watch.follow(look), "medley-follow");
            thread.setDaemon(true);
            watch.threads.add(thread);
            thread.start();
        }
        return watch;
    }

    private void follow(Runnable look) {
        try {
            do {
                look.run();
            } while (!end.await(BETWEEN_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks no more; one that hangs is left alone. */
    @Override
    public void close() {
        end.countDown();
        try {
            for (Thread thread : threads) {
                thread.join(patienceMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
