/**
 * Links between the members of a group: one listener for the life of a process, a handshake that
 * names run, epoch and ranks, and non-blocking TCP connections, plain or under TLS. Late
 * connections of an epoch that is over are refused at the door. Two members of whom neither can be
 * dialled meet at the door of a third, which hands on what they say.
 *
 * <p>May use: base, tls. Never: what is said over a link once it stands.
 *
 * <p>Thread: the listener has a thread of its own; a link and a poll belong to whoever holds them.
 */
@NullMarked
package dev.medley.net.link;

import org.jspecify.annotations.NullMarked;
