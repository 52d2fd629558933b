package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.event.ReplayPosition;
import org.jspecify.annotations.Nullable;

/**
 * Marks how far the result of a query job was read: any process can go on from it as long as the
 * job exists, which is 7 days.
 *
 * @param job its id
 * @param soql what was asked
 * @param scope whether deleted records are seen
 * @param newest stamp that the table had before the job; null where it had no row
 * @param locator of the next page; null for the first one
 * @param rows how many were read so far
 * @param isEnd whether there are no more
 * @param events where change events stood before the job; null where they are not read
 */
record QueryPosition(
        String job,
        String soql,
        QueryScope scope,
        @Nullable String newest,
        @Nullable String locator,
        long rows,
        boolean isEnd,
        @Nullable ReplayPosition events) {
    /** Of a query without a job yet. */
    static QueryPosition of(
            String soql,
            QueryScope scope,
            @Nullable String newest,
            @Nullable ReplayPosition events) {
        return new QueryPosition("", soql, scope, newest, null, 0, false, events);
    }

    /** The same at the beginning of a job's result. */
    QueryPosition of(String started) {
        return new QueryPosition(started, soql, scope, newest, null, 0, false, events);
    }

    QueryPosition after(long more, @Nullable String next) {
        return new QueryPosition(job, soql, scope, newest, next, rows + more, next == null, events);
    }
}
