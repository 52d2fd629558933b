/**
 * Makes the executors of a Spark application the machines of a run.
 *
 * <p>May use: api, Spark's core. Never: DataFrames.
 */
@NullMarked
package dev.medley.spark.cluster;

import org.jspecify.annotations.NullMarked;
