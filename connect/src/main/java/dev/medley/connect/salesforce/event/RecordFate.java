package dev.medley.connect.salesforce.event;

/** Says what the last event of a record told. */
public enum RecordFate {
    /** It was made, changed or brought back. */
    CHANGED,
    DELETED
}
