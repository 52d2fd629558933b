package dev.medley.tenant.read;

import dev.medley.base.Sha256;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.policy.TenantPolicies;

/**
 * Holds the policies of one reading of their file and its secrets. An extract that is asked for by
 * them is made by them, whatever has come into force since.
 */
public final class PoliciesInForce {
    private final TenantPolicies policies;
    private final PolicyFiles.Look look;
    private final ReadPolicy decisions;

    PoliciesInForce(TenantPolicies policies, PolicyFiles.Look look, ReadPolicy decisions) {
        this.policies = policies;
        this.look = look;
        this.decisions = decisions;
    }

    /** What the file says. */
    public TenantPolicies policies() {
        return policies;
    }

    /** Whether a caller may read a table, what he sees of it, and why. */
    public ReadDecision decide(TenantCaller caller, String table) {
        return decisions.decide(caller, table);
    }

    /** The SHA-256 of the file, of the text that was read. */
    public String fileHash() {
        return Sha256.hex(look.text());
    }

    /** Names these policies with their secrets and keys: different where any of them is. */
    public String digest() {
        return look.digest();
    }

    PolicyFiles.Look look() {
        return look;
    }
}
