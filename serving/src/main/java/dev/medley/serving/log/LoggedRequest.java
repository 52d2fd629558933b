package dev.medley.serving.log;

import dev.medley.serving.answer.AnswerMaker;
import dev.medley.serving.batch.Computed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** What was answered, row by row. */
    public sealed interface Outputs {
        /** How many rows. */
        int rows();

        /** How many values. */
        long cells();

        /** What is told of a row, by column. */
        Map<String, @Nullable Object> row(int row);
    }

    /** What the model said, and how it is told. */
    public record Predicted(Computed found, AnswerMaker answers) implements Outputs {
        @Override
        public int rows() {
            return found.width() == 0 ? 1 : found.outputs().length / found.width();
        }

        @Override
        public long cells() {
            return found.outputs().length;
        }

        @Override
        public Map<String, @Nullable Object> row(int row) {
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            if (!answers.areRows()) {
                return named;
            }
            Object[] values = answers.row(answers.prediction(found, row));
            int at = 0;
            for (String name : answers.columns().keySet()) {
                named.put(name, values[at++]);
            }
            return named;
        }
    }

    /** Why the model said so: rows as they are told to the caller. */
    public record Explained(List<Map<String, Object>> all, int columns) implements Outputs {
        @Override
        public int rows() {
            return all.size();
        }

        @Override
        public long cells() {
            return (long) all.size() * columns;
        }

        @Override
        public Map<String, @Nullable Object> row(int row) {
            return new LinkedHashMap<>(all.get(row));
        }
    }

    /** Rows that are written of it. */
    int rows() {
        return outputs == null ? 1 : outputs.rows();
    }

    /** Values that it holds in memory. */
    long cells() {
        long given = inputs == null ? 0 : inputs.cells();
        return 1 + given + (outputs == null ? 0 : outputs.cells());
    }
}
