/**
 * Decides: shares, batch, caps of memory, servers, who is late, which link is slow. Pure functions
 * that return a decision and a sentence why.
 *
 * <p>May use: base, profile. Never: clocks, files, sockets, threads.
 *
 * <p>Thread: any; values in, decisions out.
 */
@NullMarked
package dev.medley.plan.policy;

import org.jspecify.annotations.NullMarked;
