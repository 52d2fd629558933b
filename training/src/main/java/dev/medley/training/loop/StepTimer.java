package dev.medley.training.loop;

import dev.medley.base.Plan;
import dev.medley.base.time.Clock;
import dev.medley.exchange.ExchangeTimes;
import dev.medley.exchange.ThreadLoad;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.Update;
import org.jspecify.annotations.Nullable;

/**
 * Measures the phases of a step, by one reading of the clock at each border between two. What was
 * computed of the next step while the sums of this one travelled counts in the next, with the
 * samples for which it was.
 */
public final class StepTimer {
    private final Clock clock;

    private long beginNs;
    private long wantedNs;
    private long fetchingNs;
    private long dataNs;
    private long computedNs;
    private long fetchedByThenNs;
    private long handedOverNs;
    private long wentAheadNs;
    private long aheadNs;
    private long exchangedNs;
    private ExchangeTimes times = ExchangeTimes.NONE;
    private @Nullable ThreadLoad load;
    private long beginBusyNs;
    private long waitedNs;
    private boolean isLoadAsked;

    /** A timer on this clock. */
    public StepTimer(Clock clock) {
        this.clock = clock;
    }

    StepTimer begin() {
        beginNs = clock.nowNs();
        fetchingNs = 0;
        dataNs = 0;
        waitedNs = 0;
        isLoadAsked = false;
        return this;
    }

    /**
     * What this thread does not run until the step is computed is waiting, where the kernel counts
     * it. A processor that others have is none of it.
     */
    void waitsWithin() {
        if (load == null) {
            load = ThreadLoad.ofThisThread();
        }
        isLoadAsked = load != null;
        beginBusyNs = load == null ? 0 : load.busyNs();
    }

    void dataWanted() {
        wantedNs = clock.nowNs();
    }

    void dataReady(long stallNs) {
        long tookNs = clock.nowNs() - wantedNs;
        fetchingNs += tookNs;
        dataNs += Math.max(stallNs, tookNs);
    }

    void computed() {
        computedNs = clock.nowNs();
        fetchedByThenNs = fetchingNs;
        if (isLoadAsked && load != null) {
            waitedNs = Math.max(0, computedNs - beginNs - (load.busyNs() - beginBusyNs));
        }
    }

    /** From here on the next step is computed, if anything. */
    void handedOver() {
        handedOverNs = clock.nowNs();
    }

    void wentAhead() {
        wentAheadNs = clock.nowNs() - handedOverNs;
    }

    /** A group forms: nothing is done of its first step. */
    void formed() {
        aheadNs = 0;
    }

    void exchanged(ExchangeTimes exchange) {
        times = exchange;
        exchangedNs = clock.nowNs();
    }

    StepFigures figures(
            long step, Plan plan, StepFigures.Samples samples, Tail tail, Update update) {
        long nowNs = clock.nowNs();
        long carriedNs = aheadNs;
        long notFetchingNs = wentAheadNs - (fetchingNs - fetchedByThenNs);
        long waitedAheadNs = Math.min(times.withinWaitNs(), notFetchingNs);
        aheadNs = notFetchingNs - waitedAheadNs;
        long exposedNs = Math.max(0, exchangedNs - computedNs - wentAheadNs + times.atSiteNs());
        long waitingNs = Math.max(0, Math.min(exposedNs, times.waitingNs()));
        return new StepFigures(
                step,
                plan.version(),
                tail.loss(),
                update.learningRateFactor(),
                update.gradientNorm(),
                tail.weight(),
                samples,
                nowNs - beginNs,
                computedNs
                        - beginNs
                        - fetchedByThenNs
                        - times.atSiteNs()
                        - waitedNs
                        - (times.withinWaitNs() - waitedAheadNs)
                        + carriedNs
                        + nowNs
                        - exchangedNs,
                exposedNs - waitingNs,
                waitingNs + times.withinWaitNs() + waitedNs,
                dataNs,
                times.bytesSent(),
                times.bytesReceived(),
                times.links(),
                update.noise());
    }
}
