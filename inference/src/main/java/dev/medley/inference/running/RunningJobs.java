package dev.medley.inference.running;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;

/** Tells which jobs make models that can go on learning row by row. */
public final class RunningJobs {
    private RunningJobs() {}

    /**
     * Refuses a job whose model cannot.
     *
     * @throws dev.medley.base.ConfigException that says why, and what can
     */
    public static void require(JobSpec job) {
        ModelSpec model = job.model();
        check(
                model instanceof ModelSpec.Linear || model instanceof ModelSpec.Mlp,
                "a running model learns by gradients from a few rows of a table at a time, and"
                        + " model.family=%s %s: use family linear or mlp",
                model.family(),
                why(model));
        check(
                job.train().optimizer().kind() != OptimizerSpec.Kind.LBFGS,
                "a running model learns from a few rows at a time, and each step of"
                        + " train.optimizer=lbfgs takes all rows: use adamw, adam, sgd, rmsprop or"
                        + " adagrad");
        check(
                !job.train().takesAllSamples(),
                "a running model learns from a few rows at a time, and train.batch=all takes all:"
                        + " give it a number");
        check(
                job.data().series() == null,
                "a running model learns from rows, and data.series makes samples of many rows");
    }

    private static String why(ModelSpec model) {
        if (model instanceof ModelSpec.Trees) {
            return "grows trees from all rows at once";
        } else if (model instanceof ModelSpec.KMeans) {
            return "moves its centres by all rows, and has no label";
        } else if (model instanceof ModelSpec.Factorization) {
            return "has a row of its own for each user and item, of which new ones come";
        } else if (model instanceof ModelSpec.TorchScript || model instanceof ModelSpec.Custom) {
            return "may keep means of whole batches, which one row has none of";
        }
        return "reads no rows of a table";
    }
}
