/**
 * Measures rows per second from CSV and Parquet into encoded batches, against DuckDB's own reader
 * from Java and pandas.
 *
 * <p>May use: everything. Never: used by anyone.
 */
@NullMarked
package dev.medley.benchmarks.ingest;

import org.jspecify.annotations.NullMarked;
