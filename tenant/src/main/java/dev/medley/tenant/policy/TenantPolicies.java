package dev.medley.tenant.policy;

import dev.medley.connect.Secret;
import dev.medley.tenant.quota.QuotaLimits;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds everything that a file of policies says.
 *
 * @param bucket under which callers see the tables
 * @param hashKey where the key of hashed columns is; null where none is hashed
 * @param quotas of each caller who has none of his own
 */
public record TenantPolicies(
        String bucket,
        Map<String, TablePolicy> tables,
        Map<String, CallerSpec> callers,
        @Nullable Secret hashKey,
        QuotaLimits quotas) {
    /** Copies the maps and keeps their order. */
    public TenantPolicies {
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
        callers = Collections.unmodifiableMap(new LinkedHashMap<>(callers));
    }
}
