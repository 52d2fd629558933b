package dev.medley.fleet.policy.quota;

import dev.medley.fleet.view.Terms;

/** Names who a job's machines are counted for: a user within a group. */
public record Account(String group, String user) {
    /** Whose job it is. */
    public static Account of(Terms terms) {
        return new Account(terms.group(), terms.user());
    }

    @Override
    public String toString() {
        String both = group + (group.isEmpty() || user.isEmpty() ? "" : "/") + user;
        return both.isEmpty() ? "everybody" : both;
    }
}
