/**
 * Keeps a fleet's journal in files of the hub's folder.
 *
 * <p>May use: base, store, the fleet's state. Never: HTTP, processes.
 *
 * <p>Thread: the hub's.
 */
@NullMarked
package dev.medley.hub.journal;

import org.jspecify.annotations.NullMarked;
