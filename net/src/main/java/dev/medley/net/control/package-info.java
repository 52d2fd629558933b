/**
 * Carries the control protocol: small, rare messages between a coordinator and its workers, as JSON
 * in frames of a length and that many bytes.
 *
 * <p>May use: base, tls. Never: anything on the path of a step.
 *
 * <p>Thread: a connection has a reading and a writing thread of its own; {@code send} may be called
 * from any thread and never blocks; handlers are called on the reading thread.
 */
@NullMarked
package dev.medley.net.control;

import org.jspecify.annotations.NullMarked;
