/**
 * Sums over TCP links. Small slices go from everyone to everyone or by a tree, large ones round a
 * ring; between machines and between sites through owners. State is copied over the same links.
 *
 * <p>May use: base, net.link, exchange.peer, exchange.route, exchange.sum. Never: shared memory.
 *
 * <p>Thread: the holder of the collective's role.
 */
@NullMarked
package dev.medley.exchange.tcp;

import org.jspecify.annotations.NullMarked;
