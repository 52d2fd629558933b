package dev.medley.serving.log;

import dev.medley.serving.answer.AnswerMaker;
import dev.medley.serving.batch.Computed;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended, as it is handed over to be written.
 *
 * @param wallMillis when it came
 * @param who asked, and by which identifier
 * @param inputs null where they could not be read
 * @param outputs null where it failed
 * @param tookNs until its answer was ready
 * @param status of HTTP
 * @param error what was said; empty where it was answered
 */
public record LoggedRequest(
        long wallMillis,
        Who who,
        @Nullable LoggedInputs inputs,
        @Nullable Outputs outputs,
        long tookNs,
        int status,
        String error) {
    /** A caller's request to a version of a model. */
    public record Who(String id, String caller, String model, String version) {}

    /** What the model said, and how it is told. */
    public record Outputs(Computed found, AnswerMaker answers) {}

    /** Rows that are written of it. */
    int rows() {
        return outputs == null || outputs.found().width() == 0
                ? 1
                : outputs.found().outputs().length / outputs.found().width();
    }

    /** Values that it holds in memory. */
    long cells() {
        long given = inputs == null ? 0 : inputs.cells();
        return 1 + given + (outputs == null ? 0 : outputs.found().outputs().length);
    }
}
