/**
 * Plays a Salesforce org on a socket: a store of records behind OAuth, REST, Bulk 2.0, the Pub/Sub
 * API and its limits, with switches for what goes wrong there. Clients of others talk to it, too,
 * which shows that it is like the real one.
 *
 * <p>May use: base, Armeria, Protobuf and Avro. Never: the client that it tests.
 *
 * <p>Thread: any; the store is one lock.
 */
@NullMarked
package dev.medley.connect.salesforce.fake;

import org.jspecify.annotations.NullMarked;
