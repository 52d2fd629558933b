package dev.medley.training.prediction;

import dev.medley.base.job.JobSpec;
import dev.medley.data.dataset.PreparedData;

/**
 * The order to a worker that predicts.
 *
 * @param job whose work is a prediction
 * @param data prepared
 * @param blocks that it is divided into
 */
public record PredictionOrder(JobSpec job, PreparedData data, PredictionBlocks blocks) {}
