/**
 * Reads objects of a Salesforce org and writes rows back to them: tokens, REST for few rows, jobs
 * of Bulk 2.0 for many, within a share of the day's calls; which records changed, their stamps or
 * change events say.
 *
 * <p>May use: base, store, connect.table, connect.back, the JDK's HTTP client, Nimbus for
 * signatures. Never: another source, a library of gRPC.
 *
 * <p>Thread: one a sync; pages of a result are fetched by some more.
 */
@NullMarked
package dev.medley.connect.salesforce;

import org.jspecify.annotations.NullMarked;
