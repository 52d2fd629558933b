package dev.medley.examples;

import dev.medley.api.run.RunProgress;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.StepRecord;

/** Prints at each evaluation which step since the last one took longest. */
public final class SlowestStep implements RunProgress {
    private long slowestNs;
    private long step;

    @Override
    public void stepped(StepRecord taken) {
        if (taken.stepNs() > slowestNs) {
            slowestNs = taken.stepNs();
            step = taken.step();
        }
    }

    @Override
    public void evaluated(EvaluationRecord evaluation) {
        System.err.printf("slowest: step %d, %.1f ms%n", step, slowestNs / 1e6);
        slowestNs = 0;
    }
}
