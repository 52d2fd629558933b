package dev.medley.connect.salesforce.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Names the record that changed last before events are read, which one of them has to tell of.
 *
 * @param stamp its SystemModstamp
 */
public record NewestRecord(String id, String stamp) {
    /** Whether it was known before. */
    boolean isCoveredBy(@Nullable String covered) {
        return covered != null && !Instant.parse(stamp).isAfter(Instant.parse(covered));
    }
}
