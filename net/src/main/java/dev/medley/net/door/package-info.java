/**
 * Admits callers at the ports of a process. An unknown caller gets a few bytes, a few seconds and a
 * place among a bounded number, until both sides have proved that they know the same secret.
 *
 * <p>May use: base. Never: the messages after that.
 *
 * <p>Thread: as each class says.
 */
@NullMarked
package dev.medley.net.door;

import org.jspecify.annotations.NullMarked;
