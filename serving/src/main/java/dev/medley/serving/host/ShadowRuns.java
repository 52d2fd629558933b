package dev.medley.serving.host;

import dev.medley.base.time.Clock;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.input.EncodedRows;
import dev.medley.serving.registry.TrafficPlan.Form;
import dev.medley.serving.traffic.ShadowFigures;
import dev.medley.serving.traffic.VersionTraffic;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Has a shadow compute what was answered already, and compares. Nobody waits for it: where rows
 * wait for the version that answers, or some requests are with the shadow already, it is passed
 * over.
 *
 * <p>Thread: any; it works on the executor that it is given.
 */
public final class ShadowRuns {
    private static final int MOST = 8;

    private final ModelHost host;
    private final HeldBodies bodies;
    private final long longestNs;
    private final Clock clock;
    private final AtomicInteger running = new AtomicInteger();

    /**
     * Of a host.
     *
     * @param longestNs that the shadow of a request may take
     */
    public ShadowRuns(ModelHost host, HeldBodies bodies, long longestNs, Clock clock) {
        this.host = host;
        this.bodies = bodies;
        this.longestNs = longestNs;
        this.clock = clock;
    }

    /**
     * A request that was answered.
     *
     * @param found what the caller got
     * @param bytes of its body
     */
    public record Answered(Computed found, int rows, int bytes) {}

    /** Gives an answered request to the shadow, if there is one and it has time. */
    public void offer(
            HeldModel held,
            Answered answered,
            Function<ServedModel, EncodedRows> read,
            Executor executor) {
        VersionTraffic traffic = held.traffic();
        if (traffic == null || traffic.plan().form() != Form.SHADOW) {
            return;
        }
        ShadowFigures figures = traffic.shadow();
        ServedModel first = held.model();
        if (running.incrementAndGet() > MOST || first.waitingRows() > 0) {
            running.decrementAndGet();
            figures.dropped();
            return;
        }
        HeldBodies.Share share = bodies.share();
        try {
            share.add(answered.bytes());
            String version = "" + traffic.plan().challenger();
            HeldModel shadow = host.hold(first.name().name(), version);
            CompletableFuture<Void> unused =
                    compute(first, answered, shadow, figures, read, executor)
                            .whenComplete(
                                    (any, thrown) -> {
                                        shadow.close();
                                        share.close();
                                        running.decrementAndGet();
                                        if (thrown != null) {
                                            figures.failed();
                                        }
                                    });
        } catch (ServingFailure e) { // No room, or it is not loaded.
            share.close();
            running.decrementAndGet();
            figures.dropped();
        }
    }

    private CompletableFuture<Void> compute(
            ServedModel first,
            Answered answered,
            HeldModel shadow,
            ShadowFigures figures,
            Function<ServedModel, EncodedRows> read,
            Executor executor) {
        ServedModel second = shadow.model();
        Computed found = answered.found();
        return CompletableFuture.supplyAsync(() -> read.apply(second), executor)
                .thenCompose(rows -> second.compute(rows, clock.nowNs() + longestNs))
                .thenAcceptAsync(
                        said -> {
                            AnswerComparison compared =
                                    AnswerComparison.of(
                                            first, found, second, said, answered.rows());
                            figures.compared(
                                    answered.rows(),
                                    compared.agreeingRows(),
                                    compared.differences(),
                                    said.queuedNs() + said.computedNs(),
                                    found.queuedNs() + found.computedNs());
                        },
                        executor);
    }
}
