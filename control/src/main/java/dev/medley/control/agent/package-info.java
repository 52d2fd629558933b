/**
 * Offers a machine to a coordinator: fetches what a worker needs, starts the worker and reports how
 * it ended.
 *
 * <p>May use: base, net, store, profile, the launcher. Never: training: it is told which program a
 * worker is.
 *
 * <p>Thread: one thread runs the agent; connections and process ends reach it as events.
 */
@NullMarked
package dev.medley.control.agent;

import org.jspecify.annotations.NullMarked;
