/**
 * The index policy: who runs where is one exact assignment a round, by how well a machine suits a
 * job and how short the job is.
 *
 * <p>May use: base, the view, assignments. Never: clocks, files, threads.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.fleet.policy.index;

import org.jspecify.annotations.NullMarked;
