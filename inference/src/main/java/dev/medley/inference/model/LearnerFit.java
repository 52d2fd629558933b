package dev.medley.inference.model;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.tensor.convex.LinearLearner;
import dev.medley.tensor.loss.LossFunctions;

/**
 * Tells whether what learns fits prepared data, without making it: a job is refused before anything
 * is made for its run.
 */
public final class LearnerFit {
    private LearnerFit() {}

    /**
     * Loss, columns and sizes fit.
     *
     * @throws dev.medley.base.ConfigException if a worker could not make what learns
     */
    public static void require(JobSpec job, PreparedData data) {
        Encoding encoding = data.encoding();
        if (job.model() instanceof ModelSpec.KMeans kmeans) {
            KMeansModels.require(kmeans, encoding);
            return;
        }
        LossSpec loss =
                job.train().loss().of(data.signature().target(), data.findings().classCounts());
        if (job.model() instanceof ModelSpec.Trees trees) {
            TreeModels.require(trees, encoding);
            return;
        }
        LossFunctions.training(loss, data.signature().target());
        if (job.model() instanceof ModelSpec.Factorization factorization
                && factorization.factors().rows() == FactorSpec.Rows.TOUCHED) {
            FactorModels.require(factorization, encoding);
        }
        if (job.train().optimizer().takesAllSamples()) {
            LinearLearner.require(loss, data.signature());
            TrainingData.requireHeld(
                    data.signature(), data.trainSamples(), job.cluster().workers());
        }
    }
}
