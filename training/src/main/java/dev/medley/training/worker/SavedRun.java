package dev.medley.training.worker;

import dev.medley.base.Json;
import dev.medley.net.control.WorkerStep;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.training.loop.TrainingState;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The content of a checkpoint beside memory: the state of the run, and the figures that its
 * coordinator had not confirmed. A record that lacks these can be filled from them.
 *
 * @param state of the run
 * @param worker that wrote it
 * @param steps in order; those before are recorded
 * @param evaluations in order
 */
public record SavedRun(
        TrainingState state,
        int worker,
        List<WorkerStep> steps,
        List<EvaluationRecord> evaluations) {
    public SavedRun {
        steps = List.copyOf(steps);
        evaluations = List.copyOf(evaluations);
    }

    /** What a checkpoint of a run holds. */
    public static SavedRun of(Checkpoint checkpoint) {
        return of(checkpoint.extra());
    }

    /** The content of a checkpoint's JSON. */
    public static SavedRun of(JsonNode extra) {
        return Json.bind(extra, SavedRun.class);
    }

    JsonNode json() {
        return Json.tree(this);
    }
}
