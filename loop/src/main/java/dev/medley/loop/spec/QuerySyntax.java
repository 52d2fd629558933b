package dev.medley.loop.spec;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import tools.jackson.databind.JsonNode;

/**
 * Checks that a query can be read, before there are tables to try it on.
 *
 * <p>Thread: any; one checks at a time.
 */
final class QuerySyntax {
    private QuerySyntax() {}

    /** Holds a DuckDB that parses for as long as the process lives: to begin one is the cost. */
    private static final class Parser {
        private static final Connection DB = open();

        private static Connection open() {
            try {
                return DriverManager.getConnection("jdbc:duckdb:");
            } catch (SQLException e) {
                throw new IllegalStateException("DuckDB does not open: " + e.getMessage(), e);
            }
        }
    }

    /**
     * Refuses what is no single query of DuckDB.
     *
     * @throws ConfigException with the line and character of the query
     */
    static synchronized void check(String key, String sql) {
        try (PreparedStatement parse = Parser.DB.prepareStatement("SELECT json_serialize_sql(?)")) {
            parse.setString(1, sql);
            try (ResultSet result = parse.executeQuery()) {
                result.next();
                judge(key, sql, Json.parse(result.getString(1), JsonNode.class));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not parse: " + e.getMessage(), e);
        }
    }

    private static void judge(String key, String sql, JsonNode parsed) {
        if (parsed.path("error_type").asString("").equals("parser")) {
            throw new ConfigException(
                    "%s: %s%s"
                            .formatted(
                                    key,
                                    parsed.path("error_message").asString(),
                                    place(sql, parsed.path("position").asString(""))));
        }
        int statements = parsed.path("statements").size();
        ConfigException.check(
                parsed.path("error").asBoolean() || statements == 1,
                "%s: %s; write one, without a semicolon",
                key,
                statements == 0 ? "there is no query" : "there are several queries");
    }

    private static String place(String sql, String position) {
        if (!position.matches("[0-9]{1,9}") || Integer.parseInt(position) >= sql.length()) {
            return "";
        }
        String before = sql.substring(0, Integer.parseInt(position));
        int line = (int) before.lines().count();
        int column = before.length() - before.lastIndexOf('\n');
        String rest = sql.substring(before.length()).lines().findFirst().orElse("");
        return ", at line %d, character %d of it: …%s"
                .formatted(
                        before.endsWith("\n") || before.isEmpty() ? line + 1 : line,
                        column,
                        rest.length() > 40 ? rest.substring(0, 40) + "…" : rest);
    }
}
