package dev.medley.control.watch;

import dev.medley.net.control.Message.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run: completed, interrupted or failed, and after which step.
 *
 * @param kind in one word
 * @param step last applied step
 * @param why one sentence for the user
 * @param failure the kind of failure; null unless the run failed
 * @param parameterHash of the parameters at the end; null unless the run completed
 */
public record RunOutcome(
        Kind kind,
        long step,
        String why,
        @Nullable FailureKind failure,
        @Nullable String parameterHash) {
    /** How a run ended. */
    public enum Kind {
        COMPLETED,
        INTERRUPTED,
        FAILED
    }

    /** The same, where steps were told of after the end was decided. */
    public RunOutcome notBefore(long told) {
        return new RunOutcome(kind, Math.max(step, told), why, failure, parameterHash);
    }
}
