package dev.medley.connect.jdbc;

import dev.medley.base.ConfigException;
import dev.medley.connect.PlainUrl;
import dev.medley.connect.Secret;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says which table is read through JDBC.
 *
 * @param url as the driver wants it, without a password
 * @param user null where there is none
 * @param password where it is; null where there is none
 * @param table its name as the database's SQL writes it, or a query in parentheses with a name
 * @param key names of columns that tell rows apart; none where nothing does
 * @param cursor a column that each insert and update sets to a value that is not below earlier
 *     ones: a whole number, day or time; null: all rows are read each time
 * @param overlap how far below the highest cursor seen the next sync begins: in microseconds for
 *     times, days for days, as a difference for numbers. Longer than the longest transaction
 * @param keysEvery how many syncs there are to one comparison of all keys
 * @param allEvery how many syncs there are to one that reads all rows
 * @param classPath jars with the driver; none where it is on the program's own class path
 */
public record JdbcOptions(
        String url,
        @Nullable String user,
        @Nullable Secret password,
        String table,
        List<String> key,
        @Nullable String cursor,
        long overlap,
        int keysEvery,
        int allEvery,
        List<Path> classPath) {
    /** With a driver of the program's own class path. */
    public JdbcOptions(
            String url,
            @Nullable String user,
            @Nullable Secret password,
            String table,
            List<String> key,
            @Nullable String cursor,
            long overlap,
            int keysEvery,
            int allEvery) {
        this(url, user, password, table, key, cursor, overlap, keysEvery, allEvery, List.of());
    }

    public JdbcOptions {
        key = List.copyOf(key);
        classPath = List.copyOf(classPath);
        ConfigException.check(
                url.startsWith("jdbc:"), "a JDBC url begins with jdbc:, and this one does not");
        PlainUrl.check(url);
        ConfigException.check(
                cursor == null || !key.isEmpty(),
                "cursor '%s' is named, but no key: without one a changed row cannot be told from a"
                        + " new one; name the key, or no cursor",
                cursor);
        ConfigException.check(overlap >= 0, "overlap=%d is negative", overlap);
        ConfigException.check(
                keysEvery >= 1 && allEvery >= 1,
                "keysEvery=%d and allEvery=%d have to be 1 or more: 1 is every sync",
                keysEvery,
                allEvery);
    }

    /** The url without parameters, for messages. */
    String place() {
        return url.split("[?;]", 2)[0];
    }
}
