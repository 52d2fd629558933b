/**
 * Holds what the record of a run is made of: steps, evaluations, plans, events, workers, and their
 * totals.
 *
 * <p>May use: base, profile. Never: files.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.record.entry;

import org.jspecify.annotations.NullMarked;
