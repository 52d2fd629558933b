package dev.medley.loop.spec;

import dev.medley.serving.registry.CanaryGoals;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says how a new model is tried by servers before it takes the place of the one in production.
 *
 * @param shadow how long it computes beside, and nobody gets what it says; null for not at all
 * @param canary how it answers a share of requests then; null for not at all
 */
public record TrialSpec(@Nullable Duration shadow, @Nullable Canary canary) {
    /**
     * A share of requests, and by what it is judged.
     *
     * @param share of requests, above 0 and below 1
     * @param atMost how long it is tried; undecided by then, it is not taken
     * @param goals by which servers judge
     */
    public record Canary(double share, Duration atMost, CanaryGoals goals) {}
}
