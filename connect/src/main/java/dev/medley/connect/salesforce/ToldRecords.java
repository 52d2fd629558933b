package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.RecordReader.Resume;
import dev.medley.connect.salesforce.call.ObjectFields;
import dev.medley.connect.salesforce.event.OwedRecord;
import dev.medley.connect.salesforce.event.RecordFate;
import dev.medley.connect.salesforce.event.ReplayPosition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of which events told, by queries of their ids, so that values and types are
 * those of any other sync.
 *
 * <p>Thread: one.
 */
final class ToldRecords {
    /** Salesforce takes queries of 100,000 letters in jobs. */
    private static final int MOST_A_JOB = 4_000;

    /** A REST answer has no more. */
    private static final int MOST_A_CALL = 2_000;

    /** Fewer than that a call, because fields have long names, are many calls. */
    private static final int FEWEST_A_CALL = 100;

    private static final int ID_LETTERS = 21;
    private static final int MOST_OWED = 1_000;

    /** No query is so long behind an event. */
    private static final long OWED_MILLIS = Duration.ofHours(1).toMillis();

    private final ObjectFields described;
    private final List<String> fields;

    ToldRecords(ObjectFields described, List<String> fields) {
        this.described = described;
        this.fields = List.copyOf(fields);
    }

    /**
     * Reads them; in {@code left}, which {@code reader} takes found ones from, are the others then.
     */
    void read(RecordReader reader, Map<String, RecordFate> left) throws IOException {
        String head =
                "SELECT %s, %s FROM %s WHERE Id IN ("
                        .formatted(
                                String.join(", ", fields),
                                SalesforceView.DELETED,
                                described.object());
        List<String> ids = left.keySet().stream().sorted().toList();
        int size = atOnce(head.length(), ids.size());
        for (int from = 0; from < ids.size(); from += size) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + size));
            String soql = head + "'" + String.join("','", some) + "')";
            reader.read(QueryPosition.of(soql, QueryScope.WITH_DELETED, null, null), Resume.UNTOLD);
        }
        for (Map.Entry<String, RecordFate> one : List.copyOf(left.entrySet())) {
            if (one.getValue() == RecordFate.DELETED) {
                reader.gone(one.getKey());
                left.remove(one.getKey());
            }
        }
        reader.flush();
    }

    /** As many as fit the address of a call; those of a job where these would be many calls. */
    private static int atOnce(int headLetters, int ids) {
        int room = (RecordReader.LONGEST_REST_QUERY - headLetters) / ID_LETTERS;
        return ids <= MOST_A_CALL && room >= FEWEST_A_CALL ? room : MOST_A_JOB;
    }

    /**
     * The position with those records owed that no query found though they are not deleted; null
     * where they are so many that the next sync had better read by stamps.
     */
    @Nullable ReplayPosition owing(
            ReplayPosition position, Map<String, RecordFate> left, long nowMillis) {
        Map<String, Long> before = new HashMap<>();
        position.owed().forEach(one -> before.put(one.id(), one.sinceMillis()));
        List<OwedRecord> owed = new ArrayList<>();
        for (String id : left.keySet().stream().sorted().toList()) {
            long sinceMillis = before.getOrDefault(id, nowMillis);
            if (nowMillis - sinceMillis < OWED_MILLIS) {
                owed.add(new OwedRecord(id, sinceMillis));
            }
        }
        return owed.size() > MOST_OWED ? null : position.owing(owed);
    }
}
