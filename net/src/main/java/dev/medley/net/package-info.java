/**
 * Connects the processes of a run. {@code link} opens the sockets of exchanges, {@code control}
 * carries the small messages between a coordinator and its workers, {@code membership} decides who
 * takes part in a step.
 *
 * <p>May use: base. Never: tensor, training, files.
 */
@NullMarked
package dev.medley.net;

import org.jspecify.annotations.NullMarked;
