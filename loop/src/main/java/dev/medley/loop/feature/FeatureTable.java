package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Defines features: a query whose rows say what was so for a key, from when on, and since when that
 * was known.
 *
 * @param name of the definition; columns of its query are the features
 * @param version counts the definitions of this name, from 1 on
 * @param sql a query over the sources' tables
 * @param key columns that say whom a row is about
 * @param at the column that says when it happened
 * @param known the column that says when it became known; equal to {@code at} where a user promises
 *     that everything is known at once
 * @param ttl how old a row may be to be used still; null for any age
 */
public record FeatureTable(
        String name,
        int version,
        String sql,
        List<String> key,
        String at,
        String known,
        @Nullable Duration ttl) {
    /** The column of every source's table that says when a row became known. */
    public static final String KNOWN = "_known_at";

    /** The column of a source's history that says that from then on there was no such row. */
    public static final String DELETED = "_deleted";

    /** Columns of sources' tables that say something about a row and are no features. */
    public static final List<String> SYSTEM = List.of(KNOWN, DELETED);

    private static final int DIGITS = 8;

    public FeatureTable {
        key = List.copyOf(key);
        if (!name.matches("[A-Za-z][A-Za-z0-9_]{0,62}")) {
            throw new ConfigException(
                    "features.%s: letters, digits and '_', a letter first".formatted(name));
        }
        if (version < 1) {
            throw new ConfigException(
                    "features.%s: version %d; from 1 on".formatted(name, version));
        }
        if (key.isEmpty()) {
            throw new ConfigException(
                    "features.%s has no key: name the columns that say whom a row is about"
                            .formatted(name));
        }
    }

    /** Whether its query reads a history and does not name the rows that are gone. */
    boolean isSilentOfDeleted() {
        String said = sql.toLowerCase(Locale.ROOT);
        return said.contains("_history") && !said.contains(DELETED);
    }

    /**
     * What a model and a training set name it by: name and version, and a few digits of what it
     * says, so that another definition under the same version does not pass for it.
     */
    public String reference() {
        String said = String.join("\n", sql, String.join(",", key), at, known, "" + ttl);
        return "%s@%d#%s".formatted(name, version, Sha256.hex(said).substring(0, DIGITS));
    }
}
