package dev.medley.control.coordinator;

import dev.medley.base.TrialScope;
import dev.medley.base.Version;
import dev.medley.base.WorkerId;
import dev.medley.base.job.JobIdentity;
import dev.medley.net.control.Message;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Decides whether a worker may join a run, and makes its welcome. */
record Admission(CoordinatorOptions options, Supplier<JsonNode> assignment) {
    /** Why this worker cannot take part; null if it can. */
    @Nullable String refusal(Message.Hello hello) {
        String who = name(hello);
        String another = Version.refusal(who, hello.version(), options.version());
        return another != null
                ? another
                : JobIdentity.refusal(who, hello.job(), options.run(), options.job());
    }

    private static String name(Message.Hello hello) {
        return "worker-" + hello.launch();
    }

    Message.Welcome welcome(WorkerId worker, TrialScope trial) {
        return new Message.Welcome(
                worker,
                options.cluster().heartbeatNs(),
                options.cluster().peerTimeoutNs(),
                trial,
                options.work(),
                assignment.get());
    }
}
