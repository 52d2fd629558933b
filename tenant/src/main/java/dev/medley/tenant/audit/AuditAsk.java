package dev.medley.tenant.audit;

/**
 * Says who asked for what, and by which policies it was decided.
 *
 * @param caller as a signature proved it; empty for strangers
 * @param action as {@code get customers.parquet}
 * @param table empty where it is about none
 * @param policy hash of the policies
 */
public record AuditAsk(String caller, String action, String table, String policy) {
    /** What the log says of itself. */
    static AuditAsk ofLog(String action) {
        return new AuditAsk("", action, "", "");
    }
}
