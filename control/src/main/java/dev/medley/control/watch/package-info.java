/**
 * Tells who listens what a run does: its members, its steps put together, its outcome.
 *
 * <p>May use: base, net, profile. Never: the coordinator.
 *
 * <p>Thread: the coordinator's.
 */
@NullMarked
package dev.medley.control.watch;

import org.jspecify.annotations.NullMarked;
