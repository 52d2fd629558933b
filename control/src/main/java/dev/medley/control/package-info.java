/**
 * Decides which workers train on which machines: the coordinator of a run, the planner, and the
 * launchers that start workers.
 *
 * <p>May use: base, net, store, profile. Never: training, tensor: it schedules a job without
 * knowing how it is computed.
 */
@NullMarked
package dev.medley.control;

import org.jspecify.annotations.NullMarked;
