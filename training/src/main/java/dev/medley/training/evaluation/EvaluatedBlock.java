package dev.medley.training.evaluation;

import dev.medley.base.memory.HostArray;

/**
 * What a model made of one block of samples.
 *
 * @param outputs FLOAT32, the first dimension is the sample
 * @param target as in the batch
 * @param lossSum sum of the losses, computed in fp32
 * @param weight sum of their weights
 * @param samples how many there are
 */
public record EvaluatedBlock(
        HostArray outputs, HostArray target, double lossSum, double weight, int samples) {}
