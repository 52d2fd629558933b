/**
 * Runs a worker that repeats one step: its main, its loop, buckets, evaluation and recovery.
 *
 * <p>May use: base, net, exchange, tensor, store, profile. Never: control: a worker gets an
 * assignment and an address.
 */
@NullMarked
package dev.medley.training;

import org.jspecify.annotations.NullMarked;
