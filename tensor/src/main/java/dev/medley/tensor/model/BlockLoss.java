package dev.medley.tensor.model;

import dev.medley.base.memory.HostArray;

/**
 * The outputs of a model for a block of samples, and its loss there.
 *
 * @param outputs FLOAT32, the samples first
 * @param lossSum over samples or tokens
 * @param weight how many count
 */
public record BlockLoss(HostArray outputs, double lossSum, double weight) {}
