/**
 * Makes plans by pure functions: values go in, a decision and one sentence with its reason come
 * out.
 *
 * <p>May use: base, profile's speed models. Never: clocks, sockets, files.
 *
 * <p>Thread: pure.
 */
@NullMarked
package dev.medley.control.planner;

import org.jspecify.annotations.NullMarked;
