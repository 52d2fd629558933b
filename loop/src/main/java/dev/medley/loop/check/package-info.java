/**
 * Judges facts about a table of rows by what was agreed about it: each check says whether it holds,
 * and in a sentence why.
 *
 * <p>May use: base, hipparchus. Never: files, databases, clocks; facts come from whoever has read
 * the rows.
 *
 * <p>Thread: pure functions and values.
 */
@NullMarked
package dev.medley.loop.check;

import org.jspecify.annotations.NullMarked;
