package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.connect.salesforce.call.SalesforceRefusal;
import dev.medley.connect.salesforce.call.Waits;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs a query as a job of Bulk 2.0 and reads its result, some pages at a time. The result is
 * complete when its bytes have as many rows as the job says that it processed; a header of an
 * answer alone decides nothing, since a proxy may drop it.
 *
 * <p>Thread: one; pages are fetched by {@link PageFetcher}'s.
 */
final class BulkQuery {
    private static final String JOBS = "/jobs/query";
    private static final long FIRST_LOOK_NS = 500_000_000L;
    private static final long LONGEST_LOOK_NS = 20_000_000_000L;

    private final SalesforceCalls calls;

    BulkQuery(SalesforceCalls calls) {
        this.calls = calls;
    }

    /** Takes the rows of a page, and then how far the result was read. */
    interface Sink {
        void row(List<String> values) throws IOException;

        void read(QueryPosition position) throws IOException;
    }

    /** Makes a job. Made twice after a lost answer, one is left without a reader. */
    String start(String soql, QueryScope scope) throws IOException {
        Map<String, Object> asked = new LinkedHashMap<>();
        asked.put("operation", scope.word());
        asked.put("query", soql);
        asked.put("contentType", "CSV");
        asked.put("columnDelimiter", "COMMA");
        asked.put("lineEnding", "LF");
        return calls.json(OrgCall.send("POST", JOBS, asked)).path("id").asString();
    }

    /** Whether a job and its result are still there, or still come. */
    boolean exists(String job) throws IOException {
        try {
            String state = state(job).path("state").asString("");
            return !state.equals("Failed") && !state.equals("Aborted");
        } catch (SalesforceRefusal e) {
            if (e.isGone()) {
                return false;
            }
            throw e;
        }
    }

    /** Reads what is left from {@code from} on; {@code columns} are those of the query. */
    void read(QueryPosition from, List<String> columns, Sink sink) throws IOException {
        long total = await(from.job());
        QueryPosition position = from;
        try (PageFetcher fetcher = new PageFetcher(calls, columns)) {
            PageList list = new PageList(from);
            Deque<PageFetcher.Coming> coming = new ArrayDeque<>();
            while (true) {
                while (coming.size() < PageFetcher.AT_ONCE && list.hasMore()) {
                    coming.add(fetcher.fetch(list.next()));
                }
                if (coming.isEmpty()) {
                    break;
                }
                PageFetcher.Coming page = coming.remove();
                long rows = page.deliver(sink::row);
                position = position.after(rows, following(coming, list));
                sink.read(position);
            }
        }
        if (position.rows() != total) {
            forget(from.job());
            throw new IOException(
                    ("the result of job %s has %,d rows, but the job processed %,d: something"
                         + " between here and Salesforce loses data. Nothing of it counts; try"
                         + " again")
                            .formatted(from.job(), position.rows(), total));
        }
    }

    private static @Nullable String following(Deque<PageFetcher.Coming> coming, PageList list)
            throws IOException {
        PageFetcher.Coming next = coming.peek();
        return next != null ? next.locator() : list.hasMore() ? list.peek() : null;
    }

    /** Waits until the job is done; how many rows it found. */
    private long await(String job) throws IOException {
        Waits waits = calls.waits();
        long until = waits.clock().nowNs() + waits.job().toNanos();
        long lookNs = FIRST_LOOK_NS;
        while (true) {
            JsonNode said = state(job);
            String state = said.path("state").asString("");
            if (state.equals("JobComplete")) {
                return said.path("numberRecordsProcessed").asLong(0);
            }
            if (state.equals("Failed") || state.equals("Aborted")) {
                throw new IOException(
                        "query job %s %s: %s"
                                .formatted(
                                        job,
                                        state.equals("Failed") ? "failed" : "was aborted",
                                        said.path("errorMessage").asString("no reason given")));
            }
            if (waits.clock().nowNs() > until) {
                throw new IOException(
                        "query job %s is still %s after %d minutes; it goes on there, and a new try finds it"
                                .formatted(job, state, waits.job().toMinutes()));
            }
            waits.pause().pause(lookNs);
            lookNs = Math.min(2 * lookNs, LONGEST_LOOK_NS);
        }
    }

    private JsonNode state(String job) throws IOException {
        return calls.json(OrgCall.get(JOBS + "/" + job));
    }

    /** Removes a job, so that nobody goes on with its result. */
    private void forget(String job) throws IOException {
        try {
            calls.send(OrgCall.delete(JOBS + "/" + job));
        } catch (SalesforceRefusal e) {
            if (!e.isGone()) {
                throw e;
            }
        }
    }

    /** Names the pages of a result in their order, five for each call. */
    private final class PageList {
        private final Deque<PageFetcher.Place> known = new ArrayDeque<>();
        private @Nullable String more;

        PageList(QueryPosition from) {
            String first = JOBS + "/" + from.job() + "/resultPages";
            more =
                    from.isEnd()
                            ? null
                            : from.locator() == null
                                    ? first
                                    : first + "?locator=" + OrgCall.encoded(from.locator());
        }

        boolean hasMore() throws IOException {
            while (known.isEmpty() && more != null) {
                JsonNode said = calls.json(OrgCall.get(more));
                for (JsonNode page : said.path("resultPages")) {
                    known.add(PageFetcher.Place.of(page.path("resultUrl").asString("")));
                }
                String next =
                        said.path("nextRecordsUrl")
                                .asString(said.path("nextRecordUrl").asString(""));
                if (!next.isEmpty() && next.equals(more)) {
                    throw new IOException("Salesforce names the same pages again: " + next);
                }
                more = said.path("done").asBoolean(next.isEmpty()) || next.isEmpty() ? null : next;
            }
            return !known.isEmpty();
        }

        PageFetcher.Place next() {
            return known.remove();
        }

        String peek() {
            return Optional.ofNullable(known.peek()).orElseThrow().locator();
        }
    }
}
