package dev.medley.hub.http;

/**
 * Says who asks, as a token tells.
 *
 * @param name of the token; a user's jobs are submitted under it
 */
record Bearer(String name, Role role) {
    /** Throws unless this caller has that right. */
    void require(Right right) {
        if (!role.may(right)) {
            throw new Refusal(
                    403,
                    "token '%s' is of role %s and may not %s: that takes a token of role %s"
                            .formatted(
                                    name,
                                    role.word(),
                                    right.words(),
                                    String.join(" or ", Role.having(right))));
        }
    }

    /** Throws unless this caller may steer that user's job. */
    void requireOwn(long job, String owner) {
        require(Right.STEER);
        if (role != Role.ADMIN && !name.equals(owner)) {
            throw new Refusal(
                    403,
                    "job %d is of '%s', and token '%s' may cancel, pause and resume its own jobs alone"
                            .formatted(job, owner, name));
        }
    }
}
