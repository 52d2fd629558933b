/**
 * Starts jobs on Spark, by its own spark-submit, and runs them in the application.
 *
 * <p>May use: spark, kubernetes, api and what the terminal needs. Never: Spark itself.
 *
 * <p>Thread: the main thread.
 */
@NullMarked
package dev.medley.cli.spark;

import org.jspecify.annotations.NullMarked;
