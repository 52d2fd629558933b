package dev.medley.connect.postgres;

import dev.medley.base.ConfigException;
import dev.medley.connect.PlainUrl;
import dev.medley.connect.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says which table of which server is read.
 *
 * @param url {@code postgresql://host:port/database?…}, with {@code jdbc:} before it or without; no
 *     password in it
 * @param password where it is; null where the server asks for none
 * @param table its name as SQL writes it, with or without its schema
 * @param columns to be read; none: all
 * @param key names of columns that tell rows apart; none: the primary key, or else the first unique
 *     index over columns that all rows have
 * @param keysEvery how many syncs there are to one comparison of all keys, which finds deletes
 * @param statementTimeoutNs after which a statement is given up; 0: never
 */
public record PostgresOptions(
        String url,
        String user,
        @Nullable Secret password,
        String table,
        List<String> columns,
        List<String> key,
        int keysEvery,
        long statementTimeoutNs) {
    private static final String JDBC = "jdbc:";
    private static final String SCHEME = "postgresql:";

    public PostgresOptions {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        url = url.startsWith(JDBC) ? url.substring(JDBC.length()) : url;
        url = url.startsWith("postgres:") ? SCHEME + url.substring("postgres:".length()) : url;
        PlainUrl.check(url);
        ConfigException.check(
                url.startsWith(SCHEME + "//"),
                "url %s…: has to begin with postgresql://host:port/database",
                PlainUrl.scheme(url));
        ConfigException.check(
                keysEvery >= 1, "keysEvery=%d: has to be 1 or more: 1 is every sync", keysEvery);
        ConfigException.check(
                statementTimeoutNs >= 0, "statementTimeoutNs=%d is negative", statementTimeoutNs);
    }

    /** A whole table, whose deletes are found at each sync. */
    public static PostgresOptions of(
            String url, String user, @Nullable Secret password, String table) {
        return new PostgresOptions(url, user, password, table, List.of(), List.of(), 1, 0);
    }

    String jdbcUrl() {
        return JDBC + url;
    }

    /** The name of the database, without where it is. */
    String database() {
        return place().replaceFirst("^[^/]*/", "");
    }

    /** For messages: host and database, without parameters. */
    String place() {
        try {
            URI uri = new URI(url.split("\\?", 2)[0]);
            return "%s%s".formatted(uri.getRawAuthority(), uri.getRawPath());
        } catch (URISyntaxException e) {
            return SCHEME.toLowerCase(Locale.ROOT);
        }
    }
}
