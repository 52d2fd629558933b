/**
 * Orders the samples of each epoch, of one process and of machines that keep shards, as a pure
 * function of seed and epoch.
 *
 * <p>May use: base. Never: files, clocks.
 *
 * <p>Thread: an order belongs to one thread; its permutations are values.
 */
@NullMarked
package dev.medley.data.order;

import org.jspecify.annotations.NullMarked;
