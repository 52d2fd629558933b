package dev.medley.connect.salesforce.event;

import dev.medley.connect.salesforce.event.ChangeNews.Reach;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects what the events of a stream tell, and decides when that is all. A connection that is cut
 * goes on behind the last event.
 *
 * <p>Thread: one.
 */
final class ChangeStream {
    /** More than these are read by a query of all records. */
    static final int MOST_RECORDS = 100_000;

    private static final int MOST_EVENTS = 2_000_000;

    private final String topic;
    private final @Nullable ReplayPosition since;
    private final @Nullable NewestRecord newest;
    private final Map<String, RecordFate> fates = new LinkedHashMap<>();
    private byte[] replay;
    private long atMillis;
    private long events;
    private boolean isAtEnd;
    private @Nullable String whyAll;

    /** Reads behind {@code since}; from now on where that is null. */
    ChangeStream(String topic, @Nullable ReplayPosition since, @Nullable NewestRecord newest) {
        this.topic = topic;
        this.since = since;
        this.newest = newest;
        this.replay = since == null ? new byte[0] : Base64.getDecoder().decode(since.replay());
        this.atMillis = since == null ? 0 : since.atMillis();
        if (since != null) {
            since.owed().forEach(owed -> fates.put(owed.id(), RecordFate.CHANGED));
        }
    }

    /** Where it stands; empty at the beginning of one that is joined anew. */
    byte[] replay() {
        return replay.clone();
    }

    /** How many events came so far. */
    long events() {
        return events;
    }

    /** Whether no more need to be read: it is joined, at its end, or tells too little anyway. */
    boolean isOver() {
        return isAtEnd || whyAll != null || (since == null && replay.length > 0);
    }

    /** The place of the newest record among those that events told of. */
    boolean isCovered() {
        return newest == null
                || fates.containsKey(newest.id())
                || (since != null && newest.isCoveredBy(since.covered()));
    }

    long atMillis() {
        return atMillis;
    }

    /** Nothing is left to be delivered. */
    void end(byte[] latest, long nowMillis) throws IOException {
        if (latest.length == 0 && replay.length == 0) {
            throw new IOException("it says no place in the stream");
        }
        isAtEnd = true;
        if (latest.length > 0) {
            replay = latest.clone();
            atMillis = nowMillis;
        }
    }

    void add(ChangeEventHeader header, byte[] at, long nowMillis) throws IOException {
        events++;
        replay = at.clone();
        atMillis = nowMillis;
        String type = header.changeType();
        if (type.equals(ChangeEventHeader.OVERFLOW)) {
            whyAll =
                    "a transaction changed more records than events tell of (GAP_OVERFLOW), so all"
                            + " records are read";
            return;
        }
        RecordFate fate =
                type.endsWith("DELETE") && !type.endsWith("UNDELETE")
                        ? RecordFate.DELETED
                        : RecordFate.CHANGED;
        for (String id : header.recordIds()) {
            if (id.endsWith("*")) {
                whyAll = "an event says that all records changed (%s)".formatted(topic);
                return;
            }
            if (!id.matches("[A-Za-z0-9]{18}")) {
                throw new IOException("an event tells of a record whose id is none of 18 letters");
            }
            fates.remove(id); // In the order of the last events.
            fates.put(id, fate);
        }
        if (fates.size() > MOST_RECORDS || events > MOST_EVENTS) {
            whyAll =
                    "events tell of more than %,d changed records, so all records are read"
                            .formatted(fates.size() > MOST_RECORDS ? MOST_RECORDS : MOST_EVENTS);
        }
    }

    /** The place that was reached. */
    ReplayPosition position() {
        String covered = since == null ? null : since.covered();
        boolean isNewer = newest != null && !newest.isCoveredBy(covered);
        Map<String, OwedRecord> owed = new HashMap<>();
        if (since != null) {
            since.owed().forEach(one -> owed.put(one.id(), one));
        }
        return new ReplayPosition(
                topic,
                Base64.getEncoder().encodeToString(replay),
                atMillis,
                newest != null && isNewer ? newest.stamp() : covered,
                List.copyOf(owed.values()));
    }

    ChangeNews news() {
        if (since == null) {
            return new ChangeNews(Reach.TOLD, Map.of(), position(), "from now on by " + topic);
        }
        if (whyAll != null) {
            return ChangeNews.all(whyAll);
        }
        if (!isCovered() && newest != null) {
            return new ChangeNews(
                    Reach.STAMPS_TOO,
                    fates,
                    position(),
                    ("%s changed at %s and no event of %s told of it; if that is so with each"
                                    + " change, select the object in Salesforce's Setup, Change"
                                    + " Data Capture")
                            .formatted(newest.id(), newest.stamp(), topic));
        }
        return new ChangeNews(
                Reach.TOLD,
                fates,
                position(),
                "%,d records of which %,d events of %s told"
                        .formatted(fates.size(), events, topic));
    }
}
