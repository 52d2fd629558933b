package dev.medley.hub.http;

/**
 * Names who calls.
 *
 * @param name for people, and whose jobs are whose
 * @param role what it may do
 */
public record HubCaller(String name, Role role) {
    /** What a token's owner may do; each may do what those before it may. */
    public enum Role {
        /** See. */
        VIEWER,
        /** Offer machines. */
        AGENT,
        /** Hand in jobs, and change those of its own. */
        USER,
        /** Change all. */
        ADMIN
    }

    /** Whether it may do what a role may: an agent sees, and no more than reports. */
    boolean may(Role needed) {
        return switch (needed) {
            case VIEWER -> true;
            case AGENT -> role == Role.AGENT || role == Role.ADMIN;
            case USER -> role == Role.USER || role == Role.ADMIN;
            case ADMIN -> role == Role.ADMIN;
        };
    }
}
