/**
 * Describes columns in one pass and bounded memory, so that parts of a table can be described apart
 * and put together, and kept as JSON: the reference from training, the current state from windows.
 *
 * <p>May use: base, loop.drift, loop.monitor. Never: files, clocks, tables.
 *
 * <p>Thread: a profiler belongs to one; profiles are values.
 */
@NullMarked
package dev.medley.loop.column;

import org.jspecify.annotations.NullMarked;
