/**
 * Trains what unchanged code of Spark ML asks for, and gives it Spark's own models: a back end for
 * Spark Connect.
 *
 * <p>May use: ml, rows, Spark ML and Connect. Never: cli.
 */
@NullMarked
package dev.medley.spark.connect;

import org.jspecify.annotations.NullMarked;
