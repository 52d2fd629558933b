package dev.medley.serving.host;

import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Holds requests back while no version is loaded, so many at most, and each until its time is over.
 *
 * <p>Thread: any.
 */
final class SwapWaits {
    private final int most;
    private final SwapFigures figures;
    private final Clock clock;
    private final AtomicInteger waiting = new AtomicInteger();

    SwapWaits(int most, SwapFigures figures, Clock clock) {
        this.most = most;
        this.figures = figures;
        this.clock = clock;
    }

    /**
     * Completes when the swap is done, or with a {@link ServingFailure}.
     *
     * @throws ServingFailure if too many wait
     */
    CompletableFuture<Void> until(CompletableFuture<Void> swap, long deadlineNs) {
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            throw new ServingFailure(
                    Kind.TOO_MANY,
                    "%d requests wait already while a version is replaced: come back soon"
                            .formatted(most));
        }
        figures.waited();
        return swap.copy()
                .orTimeout(Math.max(1, deadlineNs - clock.nowNs()), TimeUnit.NANOSECONDS)
                .handle(
                        (any, thrown) -> {
                            waiting.decrementAndGet();
                            if (thrown != null) {
                                throw new ServingFailure(
                                        Kind.LATE,
                                        "the time for this request was over before the new version"
                                                + " was loaded");
                            }
                            return null;
                        });
    }
}
