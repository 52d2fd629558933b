package dev.medley.connect.salesforce.fake;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** An org: its objects, its clock of whole seconds, and what it has counted of the day's calls. */
public final class FakeOrg {
    /** What its changes tell of. */
    public final FakeEvents events = new FakeEvents();

    /** Records that queries do not see yet, though their transactions ended. */
    public volatile Predicate<String> hidden = id -> false;

    private final Map<String, FakeTable> tables = new LinkedHashMap<>();
    private Instant now = Instant.parse("2026-11-01T08:00:00Z");
    private long ids;
    private long calls;
    private long mostCalls = 15_000;

    public synchronized FakeTable define(String name, String prefix, FakeField... fields) {
        FakeTable table = new FakeTable(this, name, prefix, List.of(fields));
        tables.put(name, table);
        return table;
    }

    public synchronized FakeTable table(String name) {
        for (FakeTable table : tables.values()) {
            if (table.name().equalsIgnoreCase(name)) {
                return table;
            }
        }
        throw new FakeRefusal(
                400, "INVALID_TYPE", "sObject type '%s' is not supported.".formatted(name));
    }

    synchronized List<FakeTable> tables() {
        return new ArrayList<>(tables.values());
    }

    /** The stamp that a change has now: whole seconds, as the real one keeps them. */
    public synchronized Instant now() {
        return now;
    }

    public synchronized void advance(long seconds) {
        now = now.plus(seconds, ChronoUnit.SECONDS);
    }

    synchronized long nextId() {
        return ++ids;
    }

    public synchronized void allow(long mostADay) {
        mostCalls = mostADay;
    }

    /** Calls of the day so far that counted. */
    public synchronized long calls() {
        return calls;
    }

    synchronized long mostCalls() {
        return mostCalls;
    }

    synchronized void count() {
        if (calls >= mostCalls) {
            throw new FakeRefusal(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.");
        }
        calls++;
    }
}
