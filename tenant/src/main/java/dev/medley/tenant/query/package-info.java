/**
 * Answers questions of callers over their own extracts, without SQL of theirs.
 *
 * <p>May use: read, expression, policy's columns, data's DuckDB, base. Never: sources, policies'
 * meaning.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.tenant.query;

import org.jspecify.annotations.NullMarked;
