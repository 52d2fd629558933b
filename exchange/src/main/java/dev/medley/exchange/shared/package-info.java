/**
 * Sums through memory that the processes of one host share: one segment per rank and epoch, into
 * which only that rank writes.
 *
 * <p>May use: base, exchange.peer, exchange.sum. Never: links, other than to ring a doorbell.
 *
 * <p>Thread: the holder of the collective's role.
 */
@NullMarked
package dev.medley.exchange.shared;

import org.jspecify.annotations.NullMarked;
