package dev.medley.tenant.audit;

import java.util.Locale;

/** Names what an entry of the audit says of a request. */
public enum AuditKind {
    /** It is allowed, and work on it begins. */
    BEGAN("allow"),
    /** Its answer begins to leave, with so many rows and bytes. */
    SENDS("allow"),
    /** It has come to its end, as the outcome says. */
    ENDED("allow"),
    /** It was refused. */
    DENIED("deny"),
    /** It had begun when the process ended: nobody knows how much of its answer has left. */
    LOST("allow"),
    /** Something about the log itself. */
    NOTE("");

    private final String decision;

    AuditKind(String decision) {
        this.decision = decision;
    }

    /** As a line has it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What was decided: allow, deny, or nothing. */
    public String decision() {
        return decision;
    }
}
