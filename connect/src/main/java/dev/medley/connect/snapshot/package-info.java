/**
 * Keeps a table as versions in a folder: Parquet parts of what changed, and one sealed manifest
 * that says which parts count.
 *
 * <p>May use: base, store.file, data's engine, connect.table, connect.sql. Never: a source.
 *
 * <p>Thread: one a writer or reader; a folder has one writer at a time, whatever process it is in.
 */
@NullMarked
package dev.medley.connect.snapshot;

import org.jspecify.annotations.NullMarked;
