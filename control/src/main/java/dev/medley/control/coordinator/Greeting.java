package dev.medley.control.coordinator;

import dev.medley.base.TrialScope;
import dev.medley.base.Version;
import dev.medley.base.WorkerId;
import dev.medley.net.control.Message;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Who may join a run, and what a worker is told that does. */
record Greeting(CoordinatorOptions options, Supplier<JsonNode> assignment, String token) {
    /** What a worker hears that shows another secret; not what this run is. */
    static final String OF_ANOTHER_RUN =
            "the coordinator at this address belongs to another run, which this worker cannot join";

    /** Whether somebody knows the secret of the run; anybody else is no worker of ours. */
    boolean isKnown(Message.Hello hello) {
        return hello.token().equals(token);
    }

    /** Why this worker cannot take part; null if it can. */
    @Nullable String refusal(Message.Hello hello) {
        return Version.refusal("worker " + hello.launch(), hello.version(), options.version());
    }

    Message.Welcome welcome(WorkerId worker, TrialScope trial) {
        return new Message.Welcome(
                worker,
                options.cluster().heartbeatNs(),
                options.cluster().peerTimeoutNs(),
                trial,
                assignment.get());
    }
}
