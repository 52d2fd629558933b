/**
 * Models how long a machine takes for a step, fitted while a run trains, and keeps the models for
 * the next run. Only {@code StepTimeCache} touches files and asks for the time.
 *
 * <p>May use: base. Never: sockets.
 *
 * <p>Thread: values, and a cache for any thread.
 */
@NullMarked
package dev.medley.profile.speed;

import org.jspecify.annotations.NullMarked;
