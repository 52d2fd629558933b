/**
 * Tells a collector of traces what requests took. OpenTelemetry stays behind this wall.
 *
 * <p>May use: base, batch, Armeria. Never: a model, the protocols.
 *
 * <p>Thread: any; the library sends on threads of its own.
 */
@NullMarked
package dev.medley.serving.trace;

import org.jspecify.annotations.NullMarked;
