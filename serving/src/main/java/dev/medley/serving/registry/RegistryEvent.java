package dev.medley.serving.registry;

import java.time.Instant;

/**
 * Records one deed in a registry.
 *
 * @param kind what was done
 * @param version of the model that it is about
 * @param alias that leads to the version from then on; empty where none is changed
 * @param atMillis wall time
 * @param by who did it
 * @param why in his words, or in ours
 */
public record RegistryEvent(
        Kind kind, int version, String alias, long atMillis, String by, String why) {
    /** Deeds. */
    public enum Kind {
        REGISTERED,
        PROMOTED,
        ROLLED_BACK
    }

    /** When, in UTC, to the second. */
    public String at() {
        return Instant.ofEpochSecond(atMillis / 1000).toString();
    }
}
