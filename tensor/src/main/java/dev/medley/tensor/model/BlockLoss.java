package dev.medley.tensor.model;

import dev.medley.base.memory.HostArray;

/**
 * What a model says about a block of samples, and what it loses there.
 *
 * @param outputs FLOAT32, the samples first
 * @param lossSum over samples or tokens
 * @param weight how many count
 */
public record BlockLoss(HostArray outputs, double lossSum, double weight) {}
