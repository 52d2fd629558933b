/**
 * Decides who takes part in a step. Groups have epochs, and a view change replaces one group by the
 * next without losing or repeating an applied step.
 *
 * <p>May use: base, net.control's messages. Never: sockets, clocks, threads of its own; time is an
 * argument.
 *
 * <p>Thread: {@link dev.medley.net.membership.Membership} belongs to the coordinator's agent;
 * {@link dev.medley.net.membership.Seat} is shared by a worker's training and control threads and
 * is a monitor.
 */
@NullMarked
package dev.medley.net.membership;

import org.jspecify.annotations.NullMarked;
