/**
 * Trains by a gossip: each member averages with one neighbour at a time.
 *
 * <p>May use: what the strategies use. Never: the loop that calls it, membership, files.
 *
 * <p>Thread: the training thread; what a post's thread calls says so.
 */
@NullMarked
package dev.medley.training.gossip;

import org.jspecify.annotations.NullMarked;
