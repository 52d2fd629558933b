package dev.medley.connect.salesforce.fake;

/** Names what can go wrong with one call of the Pub/Sub API. */
public enum FakeEventFault {
    NONE,
    /** gRPC says that nobody is there now. */
    UNAVAILABLE,
    /** The token is no longer good. */
    UNAUTHENTICATED,
    /** The connection ends after one message. */
    CUT,
    /** No answer ever comes. */
    SILENT,
    /** Each message comes twice. */
    TWICE,
    /** What is in events is no Avro. */
    DAMAGED,
    /** An event says of a text that it has two billion letters. */
    HUGE_TEXT,
    /** A message says that it has two billion bytes. */
    HUGE_MESSAGE,
    /** The schema is none. */
    NO_SCHEMA,
    /** As many events were delivered as an org may have a day. */
    LIMIT
}
