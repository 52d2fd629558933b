/**
 * How long a machine takes: models of a step's time, fitted while a run goes, and what is kept of
 * them for the next ({@code StepTimeCache} alone touches files and asks for the time).
 *
 * <p>May use: base. Never: sockets.
 *
 * <p>Thread: values, and a cache for any thread.
 */
@NullMarked
package dev.medley.profile.speed;

import org.jspecify.annotations.NullMarked;
