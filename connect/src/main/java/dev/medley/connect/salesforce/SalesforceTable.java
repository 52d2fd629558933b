package dev.medley.connect.salesforce;

import dev.medley.base.ConfigException;
import dev.medley.connect.salesforce.event.ChangeEventOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names an object and how it is read.
 *
 * @param object API name, such as {@code Account}
 * @param fields API names; all that can be read exactly where none is named
 * @param overlap how far before the last sync's newest stamp the next one begins: longer than any
 *     transaction takes from its first change to its commit
 * @param keysEvery how often all ids are compared, which finds records that no stamp tells of
 * @param events where change events come from; null where they are not read
 */
public record SalesforceTable(
        String object,
        List<String> fields,
        Duration overlap,
        Duration keysEvery,
        @Nullable ChangeEventOptions events) {
    /** Transactions of Apex end within ten minutes. */
    public static final Duration USUAL_OVERLAP = Duration.ofMinutes(15);

    /** The bin keeps what was deleted for 15 days. */
    static final Duration BIN = Duration.ofDays(14);

    /** Checks that the windows make sense. */
    public SalesforceTable {
        fields = List.copyOf(fields);
        ConfigException.check(
                !overlap.isNegative() && overlap.compareTo(Duration.ofDays(7)) <= 0,
                "overlap of %s: give 0 to 7 days",
                overlap);
        ConfigException.check(
                !keysEvery.isNegative() && keysEvery.compareTo(BIN) <= 0,
                "ids are compared every %s: give 14 days at most, since Salesforce forgets deletes"
                        + " then",
                keysEvery);
    }

    /** Without change events. */
    public SalesforceTable(
            String object, List<String> fields, Duration overlap, Duration keysEvery) {
        this(object, fields, overlap, keysEvery, null);
    }

    /** The same by change events. */
    public SalesforceTable by(ChangeEventOptions from) {
        return new SalesforceTable(object, fields, overlap, keysEvery, from);
    }

    /** All fields, with an overlap of 15 minutes and a comparison a day. */
    public static SalesforceTable of(String object) {
        return new SalesforceTable(object, List.of(), USUAL_OVERLAP, Duration.ofDays(1));
    }
}
