/**
 * Trains in rounds of several steps between two exchanges: local steps, streamed fragments, and
 * rounds that do not wait for the last.
 *
 * <p>May use: what the strategies use. Never: the loop that calls it, membership, files.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.rounds;

import org.jspecify.annotations.NullMarked;
