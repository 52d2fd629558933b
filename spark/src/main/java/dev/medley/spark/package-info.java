/**
 * Trains on Spark: estimators for DataFrames, and whole jobs on the executors of an application.
 *
 * <p>May use: api, data, Spark. Never: cli.
 */
@NullMarked
package dev.medley.spark;

import org.jspecify.annotations.NullMarked;
