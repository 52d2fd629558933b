/**
 * Waits for the other ranks and hears their notes: that they live, that they wait and for whom,
 * that the step is lost.
 *
 * <p>May use: base, net.link. Never: how data travels.
 *
 * <p>Thread: the holder of the collective's role; only {@code Peers.abort}, {@code verdict}, {@code
 * wake} and {@code waitEagerly} are called from others.
 */
@NullMarked
package dev.medley.exchange.peer;

import org.jspecify.annotations.NullMarked;
