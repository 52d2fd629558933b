package dev.medley.connect.salesforce.event;

import java.io.IOException;
import java.util.Set;

/** Says why a call of the Pub/Sub API failed: gRPC's status, and Salesforce's own code. */
final class PubSubFailure extends IOException {
    private static final long serialVersionUID = 1L;
    private static final String CODES = "sfdc.platform.eventbus.grpc.";

    static final int DEADLINE_EXCEEDED = 4;
    static final int INTERNAL = 13;
    static final int UNAVAILABLE = 14;
    static final int UNAUTHENTICATED = 16;

    private static final int NOT_FOUND = 5;

    /** Cancelled, unknown, late, aborted, internal, unavailable. */
    private static final Set<Integer> PASSING =
            Set.of(1, 2, DEADLINE_EXCEEDED, 10, INTERNAL, UNAVAILABLE);

    private final int status;
    private final String code;

    PubSubFailure(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code.startsWith(CODES) ? code.substring(CODES.length()) : code;
    }

    int status() {
        return status;
    }

    /** Whether events since the place are no longer there. */
    boolean isExpired() {
        return code.startsWith("subscription.fetch.replayid.");
    }

    /** Whether the object has no events. */
    boolean isNoTopic() {
        return code.equals("topic.not.found") || (code.isEmpty() && status == NOT_FOUND);
    }

    /** Whether the user may not read them. */
    boolean isForbidden() {
        return code.equals("subscription.topic.cannot.subscribe")
                || code.equals("topic.meta.permission")
                || code.equals("service.tenant.license");
    }

    /** Whether as many events were delivered as the org may have within 24 hours. */
    boolean isUsedUp() {
        return code.equals("subscription.limit.exceeded");
    }

    /** Whether it may be otherwise in a moment. */
    boolean isPassing() {
        return PASSING.contains(status);
    }
}
