package dev.medley.connect.salesforce.event;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells what events said of an object.
 *
 * @param reach whether that is enough
 * @param fates records that changed or went, by id
 * @param position where to go on; null where the stream has to be joined anew, or there is none
 * @param why one sentence for people
 */
public record ChangeNews(
        Reach reach, Map<String, RecordFate> fates, @Nullable ReplayPosition position, String why) {
    /** How much events told. */
    public enum Reach {
        /** All that changed. */
        TOLD,
        /** Perhaps not all: what changed by its stamp is to be read, too. */
        STAMPS_TOO,
        /** Too little: all records are to be read. */
        ALL_RECORDS,
        /** There are none of this object. */
        NO_EVENTS
    }

    /** Copies the map in its order. */
    public ChangeNews {
        fates = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(fates));
    }

    static ChangeNews all(String why) {
        return new ChangeNews(Reach.ALL_RECORDS, Map.of(), null, why);
    }

    static ChangeNews none(String why) {
        return new ChangeNews(Reach.NO_EVENTS, Map.of(), null, why);
    }
}
