/**
 * Trains with parameter servers: each member keeps a part of the parameters, alone or for its site.
 *
 * <p>May use: what the strategies use. Never: the loop that calls it, membership, files.
 *
 * <p>Thread: the training thread; what a post's thread calls says so.
 */
@NullMarked
package dev.medley.training.server;

import org.jspecify.annotations.NullMarked;
