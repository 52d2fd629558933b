package dev.medley.tenant.door;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.Sha256;
import dev.medley.tenant.policy.TenantPolicies;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the policies in force with the callers that they name, and follows their file: who is taken
 * out of it is a stranger with his next request. While it is wrong, everybody is refused.
 *
 * <p>Thread: any.
 */
final class DoorPolicies {
    private static final int LARGEST_BYTES = 4 << 20;

    private final Path file;
    private final TenantTables tables;
    private final UnaryOperator<@Nullable String> environment;
    private volatile Now last;

    /**
     * What is in force.
     *
     * @param hash of the file
     */
    record Now(TenantPolicies policies, DoorCallers callers, String hash) {}

    /**
     * Reads the secrets of the callers.
     *
     * @throws ConfigException if one cannot be read, or is no secret
     */
    DoorPolicies(Path file, TenantTables tables, UnaryOperator<@Nullable String> environment) {
        this.file = file;
        this.tables = tables;
        this.environment = environment;
        this.last =
                now(
                        tables.policies()
                                .orElseThrow(
                                        () ->
                                                new ConfigException(
                                                        tables.trouble().orElse("no policies"))));
    }

    private Now now(TenantPolicies policies) {
        try {
            return new Now(
                    policies,
                    new DoorCallers(policies.callers().values(), environment),
                    Sha256.hex(NamedFile.bytes(file, LARGEST_BYTES)));
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Those that were in force when somebody looked last: for a first look. */
    Now last() {
        return last;
    }

    /**
     * Those of the file as it is now.
     *
     * @throws DoorFailure if it is wrong now
     */
    @SuppressWarnings("ReferenceEquality") // Read anew, it is another one.
    Now current() {
        TenantPolicies policies = tables.policies().orElseThrow(DoorPolicies::wrong);
        Now known = last;
        if (policies != known.policies()) {
            synchronized (this) {
                try {
                    known = now(policies);
                    last = known;
                } catch (ConfigException e) {
                    throw wrong();
                }
            }
        }
        return known;
    }

    private static DoorFailure wrong() {
        return new DoorFailure(
                503,
                "ServiceUnavailable",
                "the policies cannot be read now: whoever keeps them has to mend them");
    }
}
