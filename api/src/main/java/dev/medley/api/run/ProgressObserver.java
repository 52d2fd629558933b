package dev.medley.api.run;

import dev.medley.profile.record.EvaluationRecord;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunObserver;
import dev.medley.profile.record.StepRecord;

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
