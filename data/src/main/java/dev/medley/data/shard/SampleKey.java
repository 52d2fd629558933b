package dev.medley.data.shard;

/**
 * A sample of an epoch; augmentation is drawn from it.
 *
 * @param epoch from 0
 * @param index of the sample in its split
 */
public record SampleKey(long epoch, long index) {}
