/**
 * What is known of the machines of a cluster and of the ways between them: measured, kept from a
 * run before, declared or assumed, each figure with its origin. Planner, simulator and people read
 * the same record.
 *
 * <p>May use: base, profile, {@code profile.speed}. Never: clocks, sockets.
 *
 * <p>Thread: pure values.
 */
@NullMarked
package dev.medley.profile.cluster;

import org.jspecify.annotations.NullMarked;
