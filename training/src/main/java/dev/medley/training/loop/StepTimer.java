package dev.medley.training.loop;

import dev.medley.base.Clock;
import dev.medley.base.Plan;
import dev.medley.exchange.ExchangeTimes;
import dev.medley.training.bucket.Tail;

/** Where the time of a step goes. One reading of the clock at each border between phases. */
public final class StepTimer {
    private final Clock clock;

    private long beginNs;
    private long dataReadyNs;
    private long computedNs;
    private long exchangedNs;
    private long stallNs;
    private ExchangeTimes times = ExchangeTimes.NONE;

    /** A timer on this clock. */
    public StepTimer(Clock clock) {
        this.clock = clock;
    }

    StepTimer begin() {
        beginNs = clock.nowNs();
        return this;
    }

    void dataReady(long stall) {
        stallNs = stall;
        dataReadyNs = clock.nowNs();
    }

    void computed() {
        computedNs = clock.nowNs();
    }

    void exchanged(ExchangeTimes exchange) {
        times = exchange;
        exchangedNs = clock.nowNs();
    }

    StepFigures figures(long step, Plan plan, int share, Tail tail, Update update) {
        long nowNs = clock.nowNs();
        long exposedNs = exchangedNs - computedNs;
        long waitingNs = Math.min(exposedNs, times.waitingNs());
        return new StepFigures(
                step,
                plan.version(),
                tail.loss(),
                update.learningRateFactor(),
                update.gradientNorm(),
                tail.weight(),
                share,
                nowNs - beginNs,
                computedNs - dataReadyNs + nowNs - exchangedNs,
                exposedNs - waitingNs,
                waitingNs,
                Math.max(stallNs, dataReadyNs - beginNs),
                times.bytesSent(),
                times.bytesReceived());
    }
}
