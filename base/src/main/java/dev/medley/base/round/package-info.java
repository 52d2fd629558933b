/**
 * Holds rules of a round that several parts of Medley share: which workers may continue, and how
 * long a round waits for stragglers. Workers act by them, and forecasts of a run count by the same.
 *
 * <p>May use: base. Never: links, clocks, files.
 *
 * <p>Thread: values, pure functions, and counts that belong to their owner.
 */
@NullMarked
package dev.medley.base.round;

import org.jspecify.annotations.NullMarked;
