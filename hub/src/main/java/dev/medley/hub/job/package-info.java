/**
 * Runs each job as a process of its own, which outlives the hub: its folder says what to run, which
 * process does, how far it is and how it ended.
 *
 * <p>May use: base, store, record, api, the fleet's core. Never: HTTP, agents.
 *
 * <p>Thread: the hub's, but for what says that it is a job's process.
 */
@NullMarked
package dev.medley.hub.job;

import org.jspecify.annotations.NullMarked;
