/**
 * Computes a worker's part between two exchanges, and applies the sum of all parts: that in which
 * strategies differ. Here is what they share; rounds, servers and gossip have packages of their
 * own. Read {@link dev.medley.training.strategy.Strategy} first.
 *
 * <p>May use: base, tensor, the buckets, letters and codecs of exchange. Never: the loop that calls
 * it, membership, files.
 *
 * <p>Thread: the training thread; what a post's thread calls says so.
 */
@NullMarked
package dev.medley.training.strategy;

import org.jspecify.annotations.NullMarked;
