package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.ColumnType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says which files make up a table.
 *
 * @param folder below which they are
 * @param pattern of their paths below it, as a shell's: {@code *.csv}, {@code **}{@code /*.parquet}
 * @param key names of columns that tell rows apart; none where nothing does
 * @param types of columns by name, for formats whose values are texts
 */
public record FilesOptions(
        Path folder,
        String pattern,
        FileFormat format,
        List<String> key,
        Map<String, ColumnType> types) {
    public FilesOptions {
        key = List.copyOf(key);
        types = Map.copyOf(new TreeMap<>(types));
        ConfigException.check(
                !pattern.isBlank(),
                "the pattern of %s is empty: name files, such as *.csv",
                folder);
        ConfigException.check(
                types.isEmpty() || format != FileFormat.PARQUET,
                "types of columns are named for %s, which says them itself: leave them out",
                format);
    }

    /** The same, if a sync can read it: of JSON it takes texts alone. */
    public FilesOptions synced() {
        ConfigException.check(
                types.isEmpty() || format != FileFormat.JSON,
                "types of columns are named for JSON, whose values are brought as texts: leave them"
                        + " out, and cast in the queries");
        return this;
    }
}
