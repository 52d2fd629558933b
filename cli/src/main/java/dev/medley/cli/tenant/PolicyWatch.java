package dev.medley.cli.tenant;

import dev.medley.base.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells an operator when policies become wrong, and when they are in force again. A look that fails
 * ends nothing: it is said once a minute, and the next one follows.
 *
 * <p>Thread: one.
 */
final class PolicyWatch {
    private static final long SAID_AGAIN_NS = 60_000_000_000L;

    private final Supplier<Optional<String>> trouble;
    private final Clock clock;
    private final Consumer<String> say;
    private Optional<String> known = Optional.empty();
    private boolean hasFailed;
    private long failedNs;

    /**
     * Looks when it is told to.
     *
     * @param trouble what is wrong with the policies now; empty if nothing is
     */
    PolicyWatch(Supplier<Optional<String>> trouble, Clock clock, Consumer<String> say) {
        this.trouble = trouble;
        this.clock = clock;
        this.say = say;
    }

    /** Says what has changed since the last look. */
    void look() {
        try {
            Optional<String> now = trouble.get();
            if (!now.equals(known)) {
                known = now;
                say.accept(
                        now.map(t -> "nobody gets anything: " + t)
                                .orElse("the policies are in force again"));
            }
        } catch (RuntimeException | Error e) {
            if (!hasFailed || clock.nowNs() - failedNs >= SAID_AGAIN_NS) {
                hasFailed = true;
                failedNs = clock.nowNs();
                say.accept("the policies could not be looked at, and stay as they are: " + e);
            }
        }
    }
}
