/**
 * Plans as pure functions: values in, a decision and one sentence why out.
 *
 * <p>May use: base, profile's speed models. Never: clocks, sockets, files.
 *
 * <p>Thread: pure.
 */
@NullMarked
package dev.medley.control.planner;

import org.jspecify.annotations.NullMarked;
