package dev.medley.serving.registry;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Records one deed in a registry.
 *
 * @param kind what was done
 * @param version of the model that it is about
 * @param alias that leads to the version from then on, or whose traffic is dealt out; empty where
 *     none is changed
 * @param atMillis wall time
 * @param by who did it
 * @param why in his words, or in ours
 * @param plan of the traffic from then on; null where it is not about that
 */
public record RegistryEvent(
        Kind kind,
        int version,
        String alias,
        long atMillis,
        String by,
        String why,
        @Nullable TrafficPlan plan) {
    /** Deeds. */
    public enum Kind {
        REGISTERED,
        PROMOTED,
        ROLLED_BACK,
        /** Traffic of an alias is dealt out by a plan from then on. */
        TRAFFIC,
        /** The plan has ended: the version that the alias leads to answers alone. */
        SETTLED,
        /** The files of the version were taken away, which nothing had ever led to. */
        REMOVED
    }

    /** One that is not about traffic. */
    public RegistryEvent(
            Kind kind, int version, String alias, long atMillis, String by, String why) {
        this(kind, version, alias, atMillis, by, why, null);
    }

    /** When, in UTC, to the second. */
    public String at() {
        return Instant.ofEpochSecond(atMillis / 1000).toString();
    }
}
