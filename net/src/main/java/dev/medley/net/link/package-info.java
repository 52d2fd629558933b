/**
 * Connects the members of a group by links: non-blocking TCP connections, plain or under TLS. A
 * process has one listener for its whole life, and a handshake names run, epoch and ranks. The
 * listener refuses late connections of an epoch that is over. Two members that cannot reach each
 * other both dial a third, which forwards between them.
 *
 * <p>May use: base, tls. Never: what is sent over a link once it stands.
 *
 * <p>Thread: the listener has a thread of its own; a link and a poll belong to whoever holds them.
 */
@NullMarked
package dev.medley.net.link;

import org.jspecify.annotations.NullMarked;
