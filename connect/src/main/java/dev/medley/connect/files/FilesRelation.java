package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Holds the query of all rows of all files of a pattern, in the order of the files' names. Values
 * are as the files have them: texts in CSV. Files that a link leads to outside of the folder are
 * refused.
 */
public final class FilesRelation {
    private final FilesOptions options;
    private final Map<String, String> types;
    private final String sql;
    private final List<FileStamp> stamps;

    private FilesRelation(
            FilesOptions options, Map<String, String> types, String sql, List<FileStamp> stamps) {
        this.options = options;
        this.types = types;
        this.sql = sql;
        this.stamps = stamps;
    }

    /**
     * Looks at the files as they are now.
     *
     * @param db in which the query will run
     */
    public static FilesRelation of(DuckDb db, FilesOptions options) throws IOException {
        List<FileStamp> stamps = stamps(options);
        FileColumns reader = new FileColumns(db, options);
        reader.of(stamps);
        Map<String, String> types = new LinkedHashMap<>();
        List<Map<String, String>> own = new ArrayList<>();
        for (FileStamp stamp : stamps) {
            Map<String, String> found = reader.types(stamp);
            found.forEach(types::putIfAbsent);
            own.add(found);
        }
        List<String> queries = new ArrayList<>();
        for (int i = 0; i < stamps.size(); i++) {
            String table = reader.table(options.folder().resolve(stamps.get(i).name()));
            queries.add(select(types, own.get(i)) + " FROM " + table);
        }
        return new FilesRelation(options, types, String.join(" UNION ALL ", queries), stamps);
    }

    /** The files, each of which lies where it seems to. */
    static List<FileStamp> stamps(FilesOptions options) throws IOException {
        List<String> names = new FilesSource(options).names();
        ConfigException.check(
                !names.isEmpty(),
                "%s: no file below it is named %s",
                options.folder(),
                options.pattern());
        Path real = options.folder().toRealPath();
        List<FileStamp> stamps = new ArrayList<>();
        for (String name : names) {
            Path file = options.folder().resolve(name);
            ConfigException.check(
                    file.toRealPath().startsWith(real),
                    "%s: is a link that leads out of %s: put the file there, or name its folder",
                    file,
                    options.folder());
            stamps.add(FileStamp.withoutChecksum(options.folder(), name));
        }
        return stamps;
    }

    private static String select(Map<String, String> all, Map<String, String> own) {
        return all.entrySet().stream()
                .map(
                        c ->
                                own.containsKey(c.getKey())
                                        ? DuckDb.name(c.getKey())
                                        : "CAST(NULL AS %s) AS %s"
                                                .formatted(c.getValue(), DuckDb.name(c.getKey())))
                .collect(Collectors.joining(", ", "SELECT ", ""));
    }

    /** The columns in the order in which they turn up, with their types in DuckDB's words. */
    public Map<String, String> types() {
        return types;
    }

    /** The query. */
    public String sql() {
        return sql;
    }

    /** Throws if a file has been written since this was made, as far as sizes and times tell. */
    public void requireUntouched() throws IOException {
        requireUntouched(options, stamps);
    }

    static void requireUntouched(FilesOptions options, List<FileStamp> stamps) throws IOException {
        for (FileStamp stamp : stamps) {
            if (!stamp.isUntouched(options.folder())) {
                throw new IOException(
                        "%s: changed while it was read: ask again"
                                .formatted(options.folder().resolve(stamp.name())));
            }
        }
    }
}
