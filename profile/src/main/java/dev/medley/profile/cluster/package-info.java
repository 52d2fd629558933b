/**
 * Describes the machines of a cluster and the paths between them, each figure with its origin. A
 * figure is measured, kept from a run before, declared or assumed. Planner, simulator and people
 * read the same record.
 *
 * <p>May use: base, profile, {@code profile.speed}. Never: clocks, sockets.
 *
 * <p>Thread: pure values.
 */
@NullMarked
package dev.medley.profile.cluster;

import org.jspecify.annotations.NullMarked;
