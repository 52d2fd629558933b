package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Gives the rows of all JSON files of a pattern, in the order of the files' names. Values are
 * texts, as the files write them; a column that a row lacks is missing in it. What is said of a
 * broken file shows none of its values. Files that a link leads to outside of the folder are
 * refused.
 */
public final class JsonRelation {
    private final FilesOptions options;
    private final List<FileStamp> stamps;
    private final List<String> columns;

    private JsonRelation(FilesOptions options, List<FileStamp> stamps, List<String> columns) {
        this.options = options;
        this.stamps = List.copyOf(stamps);
        this.columns = List.copyOf(columns);
    }

    /** Takes a row: its values in the order of the columns. */
    @FunctionalInterface
    public interface Taker {
        /** The list is another one for each row. */
        void row(List<@Nullable String> values) throws IOException;
    }

    /** Looks at the files as they are now, and reads all of them for their columns. */
    public static JsonRelation of(FilesOptions options) throws IOException {
        List<FileStamp> stamps = FilesRelation.stamps(options);
        Set<String> columns = new LinkedHashSet<>();
        for (FileStamp stamp : stamps) {
            FileColumns.requireReadable(options, stamp);
            read(options, stamp, values -> columns.addAll(values.keySet()));
        }
        FileColumns.requireNamed(options, columns);
        return new JsonRelation(options, stamps, List.copyOf(columns));
    }

    /** The columns in the order in which they turn up. */
    public List<String> columns() {
        return columns;
    }

    /** Reads all files, each of which has to be as it was when this was made. */
    public void rows(Taker taker) throws IOException {
        for (FileStamp stamp : stamps) {
            read(
                    options,
                    stamp,
                    values -> {
                        List<@Nullable String> row = new ArrayList<>();
                        columns.forEach(column -> row.add(values.get(column)));
                        taker.row(row);
                    });
        }
        FilesRelation.requireUntouched(options, stamps);
    }

    private static void read(FilesOptions options, FileStamp stamp, JsonObjects.Taker taker)
            throws IOException {
        Path file = options.folder().resolve(stamp.name());
        try {
            JsonObjects.read(file, taker);
        } catch (ConfigException e) {
            throw withoutValues(file, e);
        }
    }

    private static ConfigException withoutValues(Path place, ConfigException e) {
        return e.getCause() instanceof JacksonException broken
                ? new ConfigException(
                        "%s: cannot be read as JSON: look at line %d"
                                .formatted(
                                        place,
                                        broken.getLocation() == null
                                                ? 0
                                                : broken.getLocation().getLineNr()))
                : e;
    }
}
