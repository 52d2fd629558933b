/**
 * Encodes the rows of DataFrames where they are, and gives them to the workers of the same
 * executors.
 *
 * <p>May use: api, data, Spark's SQL. Never: ml.
 */
@NullMarked
package dev.medley.spark.rows;

import org.jspecify.annotations.NullMarked;
