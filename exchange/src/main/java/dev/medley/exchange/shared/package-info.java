/**
 * Sums through memory that the processes of one host share. Each rank has one segment per epoch;
 * all ranks write sums into its buffer, and only that rank writes the rest.
 *
 * <p>May use: base, exchange.peer, exchange.sum. Never: links, other than to ring a doorbell.
 *
 * <p>Thread: the holder of the collective's role.
 */
@NullMarked
package dev.medley.exchange.shared;

import org.jspecify.annotations.NullMarked;
