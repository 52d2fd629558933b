package dev.medley.connect.salesforce.event;

/**
 * Names a record of which an event told before a query found it: it is asked for again.
 *
 * @param sinceMillis when it was missed first
 */
public record OwedRecord(String id, long sinceMillis) {}
