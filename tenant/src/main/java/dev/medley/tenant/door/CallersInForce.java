package dev.medley.tenant.door;

import dev.medley.base.ConfigException;
import dev.medley.tenant.read.PoliciesInForce;
import dev.medley.tenant.read.TenantTables;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Follows the policies in force, and reads the secrets of their callers once for each: who is taken
 * out is a stranger with his next request. While something is wrong, everybody is refused.
 *
 * <p>Thread: any.
 */
final class CallersInForce {
    private final TenantTables tables;
    private final UnaryOperator<@Nullable String> environment;
    private volatile DoorCallers last;

    /** What is wrong with secrets. */
    private volatile @Nullable String trouble;

    /**
     * Reads the secrets of the callers.
     *
     * @throws ConfigException if one cannot be read, or is no secret
     */
    CallersInForce(TenantTables tables, UnaryOperator<@Nullable String> environment) {
        this.tables = tables;
        this.environment = environment;
        PoliciesInForce now =
                tables.current()
                        .orElseThrow(
                                () -> new ConfigException(tables.trouble().orElse("no policies")));
        this.last = new DoorCallers(now, environment);
    }

    /** Those that were in force when somebody looked last: for a first look. */
    DoorCallers last() {
        return last;
    }

    /**
     * Those of the file as it is now.
     *
     * @throws DoorFailure if it is wrong now
     */
    @SuppressWarnings("ReferenceEquality") // Read anew, they are others.
    DoorCallers current() {
        PoliciesInForce now = tables.current().orElseThrow(CallersInForce::wrong);
        DoorCallers known = last;
        if (now != known.policies()) {
            synchronized (this) {
                try {
                    known = new DoorCallers(now, environment);
                    last = known;
                } catch (ConfigException e) {
                    trouble = e.getMessage();
                    throw wrong();
                }
            }
        }
        trouble = null;
        return known;
    }

    /** Why nobody gets anything now; empty if nothing is wrong. */
    Optional<String> trouble() {
        try {
            DoorCallers unused = current();
            return Optional.empty();
        } catch (DoorFailure e) {
            String ofSecrets = trouble;
            return tables.trouble().or(() -> Optional.ofNullable(ofSecrets));
        }
    }

    private static DoorFailure wrong() {
        return new DoorFailure(
                503,
                "ServiceUnavailable",
                "the policies cannot be read now: whoever keeps them has to mend them");
    }
}
