/**
 * Compares two samples of a column by the statistics that everybody knows, each equal to scipy's.
 *
 * <p>May use: base, hipparchus. Never: files, clocks, data in tables.
 *
 * <p>Thread: pure functions and values.
 */
@NullMarked
package dev.medley.loop.drift;

import org.jspecify.annotations.NullMarked;
