package dev.medley.api.run;

import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.entry.StepRecord;

/** Shows the records of a run to whoever watches it. */
record ProgressObserver(RunProgress progress) implements RunObserver {
    @Override
    public void step(StepRecord step) {
        progress.stepped(step);
    }

    @Override
    public void evaluation(EvaluationRecord evaluation) {
        progress.evaluated(evaluation);
    }

    @Override
    public void event(RunEvent event) {
        progress.happened(event);
    }
}
