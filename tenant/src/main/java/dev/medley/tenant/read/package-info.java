/**
 * Decides what a caller sees of a table, and makes an extract of it that holds nothing else.
 *
 * <p>May use: policy, expression, connect, iceberg, data's DuckDB, store, base. Never: sockets, the
 * audit.
 *
 * <p>Thread: an extract belongs to one; tables may be asked by any.
 */
@NullMarked
package dev.medley.tenant.read;

import org.jspecify.annotations.NullMarked;
