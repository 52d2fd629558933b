/**
 * Reads the change events of an object from Salesforce's Pub/Sub API: which records changed or went
 * since a place in the stream, and which place that is now. No value comes from an event.
 *
 * <p>May use: base, connect.salesforce.call, Armeria's client, Protobuf's streams, Avro's schemas.
 * Never: sources, snapshots.
 *
 * <p>Thread: that of the sync; Armeria's own ones carry bytes alone.
 */
@NullMarked
package dev.medley.connect.salesforce.event;

import org.jspecify.annotations.NullMarked;
