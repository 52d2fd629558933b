package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import dev.medley.data.table.engine.DuckDb;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Defines features: a query, or a class of the user's, whose rows say what was so for a key, from
 * when on, and since when that was known.
 *
 * @param name of the definition; columns of its query are the features
 * @param version counts the definitions of this name, from 1 on
 * @param sql a query over the sources' tables; of a class's feature over the table that it fills
 * @param key columns that say whom a row is about
 * @param at the column that says when it happened
 * @param known the column that says when it became known; equal to {@code at} where a user promises
 *     that everything is known at once
 * @param ttl how old a row may be to be used still; null for any age
 * @param code the class that computes it; null where the query does
 */
public record FeatureTable(
        String name,
        int version,
        String sql,
        List<String> key,
        String at,
        String known,
        @Nullable Duration ttl,
        @Nullable FeatureClass code) {
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

    /** By a query alone. */
    public FeatureTable(
            String name,
            int version,
            String sql,
            List<String> key,
            String at,
            String known,
            @Nullable Duration ttl) {
        this(name, version, sql, key, at, known, ttl, null);
    }

    /** By a class. */
    public static FeatureTable computed(
            String name,
            int version,
            FeatureClass code,
            List<String> key,
            String at,
            String known,
            @Nullable Duration ttl) {
        String all = "SELECT * FROM " + DuckDb.name(table(name));
        return new FeatureTable(name, version, all, key, at, known, ttl, code);
    }

    private static String table(String name) {
        return "_code_" + name;
    }

    /** The table that its class fills. */
    String table() {
        return table(name);
    }

    /** What a source's rows, as often as they changed, are called in queries. */
    static String historyOf(String source) {
        return source + "_history";
    }

    /** Queries that have all columns of the sources that it uses; of a class all that there are. */
    public List<String> reads() {
        return code == null
                ? List.of(sql)
                : code.from().stream()
                        .map(source -> "SELECT * FROM " + DuckDb.name(historyOf(source)))
                        .toList();
    }

    /** Whether its query reads a history and does not name the rows that are gone. */
    boolean isSilentOfDeleted() {
        String said = sql.toLowerCase(Locale.ROOT);
        return code == null && said.contains("_history") && !said.contains(DELETED);
    }

    /**
     * What a model and a training set name it by: name and version, and a few digits of what it
     * says, so that another definition under the same version does not pass for it.
     */
    public String reference() {
        String definition = code == null ? sql : code.identity();
        String said = String.join("\n", definition, String.join(",", key), at, known, "" + ttl);
        return "%s@%d#%s".formatted(name, version, Sha256.hex(said).substring(0, DIGITS));
    }
}
