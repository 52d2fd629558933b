package dev.medley.record.metrics;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.report.Report;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the page of a run as it is now, when it is asked for. It is made anew only so often that
 * this costs a tenth of a thread's time, yet after five seconds at the latest, however many ask.
 *
 * <p>Thread: any number ask; one makes the page, the others wait for it.
 */
final class LivePage {
    private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long FOLLOWED_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int SHARE = 10;

    private final Clock clock;
    private final CountDownLatch lastSeen = new CountDownLatch(1);
    private volatile @Nullable RunFolder folder;
    private volatile long askedNs = Long.MIN_VALUE;
    private String page = "";
    private long nextNs = Long.MIN_VALUE;
    private boolean isOver;

    LivePage(Clock clock) {
        this.clock = clock;
    }

    /** The run has its folder. */
    void follow(RunFolder run) {
        folder = run;
    }

    /** The page; a short one that asks again while the run has no folder. */
    String text() {
        RunFolder run = folder;
        askedNs = clock.nowNs();
        return run == null ? Report.waiting() : made(run);
    }

    private synchronized String made(RunFolder run) {
        long nowNs = clock.nowNs();
        if (nowNs >= nextNs && !isOver) {
            try {
                RunRecord record = RunRecord.read(run);
                isOver = record.summary().state() != RunStatus.RUNNING;
                page = Report.live(record);
            } catch (ConfigException e) {
                page = page.isEmpty() ? Report.waiting() : page; // Being written: the next time.
            }
            long tookNs = clock.nowNs() - nowNs;
            nextNs = clock.nowNs() + Math.min(MOST_NS, Math.max(LEAST_NS, SHARE * tookNs));
        }
        return page;
    }

    /** The page of the ended run was handed out. */
    synchronized void handedOut() {
        if (isOver) {
            lastSeen.countDown();
        }
    }

    /** Waits until whoever follows has seen how the run ended, at most so long. */
    void awaitLast(long mostNs) {
        synchronized (this) {
            nextNs = Long.MIN_VALUE;
        }
        boolean isFollowed = askedNs != Long.MIN_VALUE && clock.nowNs() - askedNs < FOLLOWED_NS;
        if (isFollowed) {
            try {
                boolean unused = lastSeen.await(mostNs, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
