package dev.medley.connect.salesforce.event;

import java.util.List;

/**
 * Says what an event is about.
 *
 * @param changeType CREATE, UPDATE, DELETE, UNDELETE, or one of these behind GAP_; GAP_OVERFLOW
 *     where a transaction changed more than events tell of
 * @param recordIds of the records; one may end with a star and mean all of them
 * @param commitMillis when the transaction ended
 */
record ChangeEventHeader(String changeType, List<String> recordIds, long commitMillis) {
    static final String OVERFLOW = "GAP_OVERFLOW";

    ChangeEventHeader {
        recordIds = List.copyOf(recordIds);
    }
}
