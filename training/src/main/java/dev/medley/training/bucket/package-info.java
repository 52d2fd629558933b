/**
 * Holds the exchange memory of a step, and lets its buckets leave while backward still runs.
 *
 * <p>May use: base, exchange, tensor's layout. Never: sockets, files.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.bucket;

import org.jspecify.annotations.NullMarked;
