/**
 * Calls a Salesforce org: tokens, retries, deadlines, a share of the day's calls, and what an
 * object's fields are.
 *
 * <p>May use: base, store, connect.table, the JDK's HTTP client, Nimbus for signatures. Never:
 * sources, destinations.
 *
 * <p>Thread: any, but for readers of results.
 */
@NullMarked
package dev.medley.connect.salesforce.call;

import org.jspecify.annotations.NullMarked;
