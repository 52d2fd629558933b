package dev.medley.training;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.job.TrainSpec.StopSpec;
import java.util.List;

/** Settings of a job for tests: what a test says, and defaults for the rest. */
public final class GivenTrain {
    private Budget budget;
    private final int batch;
    private ScheduleSpec schedule = ScheduleSpec.defaults();
    private long evaluateEverySteps;

    private GivenTrain(Budget budget, int batch) {
        this.budget = budget;
        this.batch = batch;
    }

    /** So many steps at most, 0 for no limit; so many epochs, 0 for no limit. */
    public static GivenTrain of(double epochs, long steps, int batch) {
        return new GivenTrain(new Budget(epochs, steps, 0), batch);
    }

    public GivenTrain leastSteps(long value) {
        budget = new Budget(budget.epochs(), budget.steps(), budget.seconds(), value);
        return this;
    }

    public GivenTrain seconds(double value) {
        budget = new Budget(budget.epochs(), budget.steps(), value, budget.leastSteps());
        return this;
    }

    public GivenTrain schedule(ScheduleSpec value) {
        schedule = value;
        return this;
    }

    public GivenTrain evaluateEvery(long steps) {
        evaluateEverySteps = steps;
        return this;
    }

    public TrainSpec spec() {
        return new TrainSpec(
                budget,
                batch,
                LossSpec.auto(),
                OptimizerSpec.defaults(OptimizerSpec.Kind.SGD),
                schedule,
                0,
                1,
                Precision.FP32,
                List.of(),
                evaluateEverySteps,
                StopSpec.never(),
                List.of(),
                List.of());
    }
}
