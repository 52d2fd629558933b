/**
 * What a rank hears from the others beside the data: that they live, that they wait and for whom,
 * that the step is lost; and how it waits for them.
 *
 * <p>May use: base, net.link. Never: how data travels.
 *
 * <p>Thread: the holder of the collective's role; only {@code Peers.abort} is called from others.
 */
@NullMarked
package dev.medley.exchange.peer;

import org.jspecify.annotations.NullMarked;
