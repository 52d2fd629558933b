package dev.medley.api.predict;

import dev.medley.data.dataset.PreparedData;

/**
 * The task of a worker process that predicts: its model, data and threads.
 *
 * @param model absolute path of the model's folder
 * @param data prepared
 * @param threads to compute with
 */
record PredictionTask(String model, PreparedData data, int threads) {}
