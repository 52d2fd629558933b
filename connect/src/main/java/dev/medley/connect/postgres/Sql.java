package dev.medley.connect.postgres;

/** Quotes for PostgreSQL. */
final class Sql {
    private Sql() {}

    static String name(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
