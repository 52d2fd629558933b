/**
 * Leads one history through Parquet, PostgreSQL and Iceberg into a loop, and compares what it
 * joins.
 *
 * <p>May use: everything of the loop and its sources. Never: what it compares with to find the
 * answer.
 *
 * <p>Thread: one a test.
 */
package dev.medley.loop.same;
