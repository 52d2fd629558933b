/**
 * Reads tables that lie in files: Parquet, CSV and JSON, named by patterns.
 *
 * <p>May use: base, store.file, data's engine, connect.table, connect.sql. Never: snapshots.
 *
 * <p>Thread: one a view.
 */
@NullMarked
package dev.medley.connect.files;

import org.jspecify.annotations.NullMarked;
