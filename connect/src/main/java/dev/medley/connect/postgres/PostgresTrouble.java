package dev.medley.connect.postgres;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.sql.SQLException;

/** Turns the server's errors into one message each: what the user has to change, or try later. */
final class PostgresTrouble {
    private final PostgresOptions options;

    PostgresTrouble(PostgresOptions options) {
        this.options = options;
    }

    /** The exception to throw; those of the user's making are thrown here. */
    IOException of(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        said = said.replaceFirst("^(ERROR|FATAL): ", "");
        String place = options.place();
        return switch (state) {
            case "28P01", "28000", "08004" ->
                    throw new ConfigException(
                            "%s: user '%s' is not let in (%s): check the user and %s"
                                    .formatted(
                                            place,
                                            options.user(),
                                            said,
                                            options.password() == null
                                                    ? "name where the password is"
                                                    : "the password in " + options.password()),
                            e);
            case "3D000" ->
                    throw new ConfigException(
                            "%s: there is no such database (%s): check the url"
                                    .formatted(place, said),
                            e);
            case "42501" ->
                    throw new ConfigException(
                            "%s: user '%s' may not read %s (%s): grant SELECT on it"
                                    .formatted(place, options.user(), options.table(), said),
                            e);
            case "42P01", "42703" ->
                    throw new ConfigException(
                            "%s: %s is not as it was a moment ago (%s): sync again"
                                    .formatted(place, options.table(), said),
                            e);
            default -> passing(e, state, said);
        };
    }

    /** What may be gone at the next attempt. */
    private IOException passing(SQLException e, String state, String said) {
        String place = options.place();
        String table = options.table();
        return switch (state) {
            case "57014" ->
                    new IOException(
                            "%s: reading %s took too long (%s): allow more than %d s, or read it when"
                                            .formatted(
                                                    place,
                                                    table,
                                                    said,
                                                    options.statementTimeoutNs() / 1_000_000_000)
                                    + " the server has less to do; nothing was changed here",
                            e);
            case "55P03" ->
                    new IOException(
                            "%s: %s is locked by a change of its columns (%s): sync again later"
                                    .formatted(place, table, said),
                            e);
            default ->
                    new IOException(
                            "%s: %s while %s was read (%s): sync again; nothing was changed here"
                                    .formatted(
                                            place,
                                            state.startsWith("08") || state.startsWith("57P")
                                                    ? "the server does not answer or went away"
                                                    : "the server refuses to go on",
                                            table,
                                            said),
                            e);
        };
    }
}
