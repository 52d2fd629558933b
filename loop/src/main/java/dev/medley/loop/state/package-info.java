/**
 * Remembers what a loop did: its runs, their stages, what was decided and why. An embedded database
 * by default, PostgreSQL by URL.
 *
 * <p>May use: base, SQLite, JDBC. Never: what a stage does.
 *
 * <p>Thread: one; others may open the same state and read it.
 */
@NullMarked
package dev.medley.loop.state;

import org.jspecify.annotations.NullMarked;
