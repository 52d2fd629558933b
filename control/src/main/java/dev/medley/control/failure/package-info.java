/**
 * Decides what a failure costs: a restart, a worker, one side of a cut, or the run, with the
 * sentence that says why.
 *
 * <p>May use: base, net, control.watch. Never: the coordinator, launchers.
 *
 * <p>Thread: the coordinator's.
 */
@NullMarked
package dev.medley.control.failure;

import org.jspecify.annotations.NullMarked;
