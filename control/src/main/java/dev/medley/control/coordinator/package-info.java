/**
 * Coordinates one run: owns membership and plans, replaces lost workers, collects what they report.
 * Never on the critical path of a step.
 *
 * <p>May use: net, plan.policy, plan.source, control.launcher. Never: training, tensor.
 *
 * <p>Thread: {@link dev.medley.control.coordinator.Coordinator#run} is the agent and owns all
 * state; everything else reaches it as an event in its queue.
 */
@NullMarked
package dev.medley.control.coordinator;

import org.jspecify.annotations.NullMarked;
