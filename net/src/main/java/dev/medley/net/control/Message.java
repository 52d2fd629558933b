package dev.medley.net.control;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.medley.base.Fault;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Everything that a coordinator and a worker say to each other. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface Message {
    /** What a worker says. */
    sealed interface FromWorker extends Message {}

    /** What a coordinator says. */
    sealed interface FromCoordinator extends Message {}

    /**
     * The first message of a worker.
     *
     * @param token secret of the run, given to workers by whoever started them
     * @param version of Medley; another version is refused
     * @param launch which start of a worker this is, as the launcher numbered it
     * @param processId for people and for crash reports
     */
    record Hello(String token, String version, int launch, long processId) implements FromWorker {}

    /**
     * Data and model are in place; from now on the worker can be a member.
     *
     * @param member how peers reach it
     * @param progress of the state it holds; a fresh worker holds none
     * @param startUpNs from the start of its process
     */
    record Ready(Member member, Progress progress, long startUpNs) implements FromWorker {}

    /** A sign of life. */
    record Alive(long step) implements FromWorker {}

    /**
     * The worker can no longer apply a step of the epoch.
     *
     * @param progress the last that it applied
     */
    record Sealed(int epoch, Progress progress) implements FromWorker {}

    /** An exchange of the epoch ended in a fault; the worker waits to be sealed. */
    record Faulted(int epoch, long step, Fault fault) implements FromWorker {}

    /**
     * Figures of steps that were applied, a few times a second.
     *
     * @param steps in order
     */
    record Steps(int epoch, List<WorkerStep> steps) implements FromWorker {}

    /**
     * Something for the run's record that happened on a worker: an evaluation, a checkpoint, a
     * switch of precision.
     */
    record Noted(String kind, JsonNode value) implements FromWorker {}

    /** Hash of the parameters after a step; equal on all members, or replicas have drifted. */
    record Hashed(long step, String parameterHash) implements FromWorker {}

    /**
     * The worker has nothing left to do in this run: the budget is used up or a stop was decided,
     * and what it had to write is written.
     */
    record Finished(int epoch, long step, String parameterHash, String why) implements FromWorker {}

    /**
     * The outputs of a {@link Predict}.
     *
     * @param from its first sample
     * @param outputs one row for each sample, one behind the other
     */
    record Predicted(long from, List<float[]> outputs) implements FromWorker {}

    /** The worker cannot go on and no other worker could: the run ends. */
    record Failed(FailureKind kind, String message) implements FromWorker {}

    /** Why a run ends badly. */
    enum FailureKind {
        /** The user's input or settings. */
        INPUT,
        /** A loss that is not a finite number: the same step would end the same way again. */
        UNSOUND,
        /** Memory of this machine. */
        OUT_OF_MEMORY,
        /** A bug of Medley or of a user's class. */
        BUG;

        /** Whether the user can mend it: in the job, or in the data. */
        public boolean isOfInput() {
            return this == INPUT || this == UNSOUND;
        }
    }

    /**
     * Welcome to the run.
     *
     * @param worker the new worker's identity
     * @param heartbeatNs between two signs of life, both ways
     * @param peerTimeoutNs silence after which the other side counts as lost
     * @param assignment what to train; its type belongs to the worker
     */
    record Welcome(WorkerId worker, long heartbeatNs, long peerTimeoutNs, JsonNode assignment)
            implements FromCoordinator {}

    /** The coordinator is alive. */
    record Beat() implements FromCoordinator {}

    /** End the step under way without applying it, and report. */
    record Seal(int epoch, String why) implements FromCoordinator {}

    /** End after a step that all members agree on, and report. */
    record Pause(int epoch, String why) implements FromCoordinator {}

    /** The next group, and what to do in it. */
    record Form(View view) implements FromCoordinator {}

    /** Compute the outputs for samples {@code from} to before {@code to}. */
    record Predict(long from, long to) implements FromCoordinator {}

    /**
     * Leave.
     *
     * @param saveFirst whether to write a checkpoint before leaving
     * @param why for the log
     */
    record Close(boolean saveFirst, String why) implements FromCoordinator {}
}
