package dev.medley.tenant.policy;

import dev.medley.connect.Secret;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.quota.QuotaLimits;
import org.jspecify.annotations.Nullable;

/**
 * Holds a caller of the file.
 *
 * @param caller name and attributes
 * @param secret where that which proves him is; null where something else proves him
 * @param quotas his own, over those of all
 */
public record CallerSpec(TenantCaller caller, @Nullable Secret secret, QuotaLimits quotas) {}
