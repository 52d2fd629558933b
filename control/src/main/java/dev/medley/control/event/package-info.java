/**
 * Events that reach a coordinator, and effects that it wants done. The same events give the same
 * effects.
 *
 * <p>May use: net, the launcher's exits. Never: threads, sockets, clocks.
 *
 * <p>Thread: the coordinator's.
 */
@NullMarked
package dev.medley.control.event;

import org.jspecify.annotations.NullMarked;
