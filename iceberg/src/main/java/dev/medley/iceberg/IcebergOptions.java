package dev.medley.iceberg;

import dev.medley.base.ConfigException;
import dev.medley.connect.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says which table of Iceberg is read.
 *
 * @param place of a REST catalog, {@code https://…}; or of the table: its folder, or the file
 *     {@code metadata.json} of one moment of it, as a path or {@code s3://BUCKET/KEY}
 * @param table in the catalog, {@code namespace.name}; null where the place is the table's
 * @param warehouse of the catalog, where it has several; null for its usual one
 * @param token that the catalog lets in; null for one that asks for none
 * @param columns that are read; none for all
 * @param key names of columns that tell rows apart; none for the table's own identifier fields
 */
public record IcebergOptions(
        String place,
        @Nullable String table,
        @Nullable String warehouse,
        @Nullable Secret token,
        List<String> columns,
        List<String> key) {
    public IcebergOptions {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        ConfigException.check(!place.isBlank(), "iceberg: say where the table or its catalog is");
        boolean isCatalog = isCatalog(place);
        ConfigException.check(
                !isCatalog || (table != null && table.indexOf('.') > 0),
                "iceberg=%s: a catalog has many tables: add table: namespace.name",
                place);
        ConfigException.check(
                isCatalog || (table == null && warehouse == null && token == null),
                "iceberg=%s: is a table itself: table, warehouse and token are about a catalog,"
                        + " whose place begins with https:// or http://",
                place);
        for (String name : key) {
            ConfigException.check(
                    columns.isEmpty() || columns.contains(name),
                    "iceberg=%s: the key's column '%s' is not among columns: %s",
                    place,
                    name,
                    columns);
        }
    }

    private static boolean isCatalog(String place) {
        return place.startsWith("https://") || place.startsWith("http://");
    }

    /** Whether a catalog is asked where the table is. */
    boolean isCatalog() {
        return isCatalog(place);
    }

    /** What the table is called in messages. */
    String name() {
        return table == null
                ? "Iceberg table " + place
                : "Iceberg table %s of %s".formatted(table, place);
    }
}
