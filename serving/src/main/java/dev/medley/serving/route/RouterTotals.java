package dev.medley.serving.route;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a router did beyond its servers' own figures.
 *
 * <p>Thread: any.
 */
final class RouterTotals {
    /** Requests of callers. */
    final LongAdder requests = new LongAdder();

    /** Requests that went to another server because the first could not be reached. */
    final LongAdder moved = new LongAdder();

    /** Requests that were sent and asked again elsewhere. */
    final LongAdder retried = new LongAdder();

    /** Requests that the router itself answered with a failure. */
    final LongAdder failed = new LongAdder();
}
