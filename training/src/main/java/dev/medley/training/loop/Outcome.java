package dev.medley.training.loop;

import dev.medley.base.Fault;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a step: applied or discarded.
 *
 * @param fault that it was discarded for; null if it was applied
 */
record Outcome(@Nullable Fault fault) {
    static final Outcome APPLIED = new Outcome(null);

    static Outcome discarded(Fault fault) {
        return new Outcome(fault);
    }
}
