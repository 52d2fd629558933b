/**
 * Decides which machine keeps which shards of the data, by how fast each machine is.
 *
 * <p>May use: base. Never: files, clocks.
 *
 * <p>Thread: any; a pure function of its arguments.
 */
@NullMarked
package dev.medley.base.placement;

import org.jspecify.annotations.NullMarked;
