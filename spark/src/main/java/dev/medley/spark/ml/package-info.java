/**
 * Estimators and models of Spark ML that Medley trains and computes.
 *
 * <p>May use: api, cluster, rows, Spark ML. Never: connect.
 */
@NullMarked
package dev.medley.spark.ml;

import org.jspecify.annotations.NullMarked;
