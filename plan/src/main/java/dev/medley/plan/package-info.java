/**
 * Decides who does what, forecasts what that brings, and simulates it. It needs no run: a command
 * can plan a cluster that does not exist yet.
 *
 * <p>May use: base, profile, record's entries. Never: sockets, threads, clocks.
 *
 * <p>Thread: see each package.
 */
@NullMarked
package dev.medley.plan;

import org.jspecify.annotations.NullMarked;
