/**
 * What a worker computes between two exchanges, and what all do with their sum: the part of a step
 * in which strategies differ. Read {@link dev.medley.training.strategy.Strategy} first.
 *
 * <p>May use: base, tensor, the buckets, letters and codecs of exchange. Never: the loop that calls
 * it, membership, files.
 *
 * <p>Thread: the training thread; what a post's thread calls says so.
 */
@NullMarked
package dev.medley.training.strategy;

import org.jspecify.annotations.NullMarked;
