/**
 * How long a machine takes: models of a step's time, fitted while a run goes.
 *
 * <p>May use: base. Never: clocks, sockets, files.
 *
 * <p>Thread: pure values.
 */
@NullMarked
package dev.medley.profile.speed;

import org.jspecify.annotations.NullMarked;
