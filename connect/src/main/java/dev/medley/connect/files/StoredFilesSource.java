package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.stored.StoredFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads all rows of all objects of a store that a pattern names, as {@link FilesSource} reads
 * files: {@code s3://BUCKET/orders/*.parquet}. Objects whose tag and length are as they were are
 * not fetched again; the others are copied first, so that a view does not change while it is read.
 */
public final class StoredFilesSource implements TableSource {
    private static final String MARKS = "*?[{";

    private final String url;
    private final FileFormat format;
    private final List<String> key;
    private final Map<String, ColumnType> types;
    private final Path copies;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * Asks nothing of the store yet.
     *
     * @param url of an object, or a pattern of objects
     * @param key names of columns that tell rows apart; none where nothing does
     * @param types of columns by name, for CSV
     * @param copies the folder below which copies are kept
     * @param environment a variable's value, null if it is not set: the store's keys
     */
    public StoredFilesSource(
            String url,
            FileFormat format,
            List<String> key,
            Map<String, ColumnType> types,
            Path copies,
            UnaryOperator<@Nullable String> environment) {
        ConfigException.check(
                StoreUrl.isUrl(url), "files %s: is no address such as s3://BUCKET/*.csv", url);
        this.url = url;
        this.format = format;
        this.key = List.copyOf(key);
        this.types = Map.copyOf(types);
        this.copies = copies;
        this.environment = environment;
    }

    @Override
    public String name() {
        return "files " + url;
    }

    @Override
    public TableView open(SyncStart start) throws IOException {
        String here = copied();
        int mark = here.length();
        for (int i = copies.toString().length(); i < here.length(); i++) {
            if (MARKS.indexOf(here.charAt(i)) >= 0) {
                mark = i;
                break;
            }
        }
        int cut = here.lastIndexOf('/', mark - 1) + 1;
        FilesOptions options =
                new FilesOptions(
                        Path.of(here.substring(0, cut)), here.substring(cut), format, key, types);
        return new FilesSource(options).open(start);
    }

    /** A store that does not answer may do so at the next attempt. */
    private String copied() throws IOException {
        try {
            return new StoredFiles(copies, PreparationProgress.NONE, environment).here(url);
        } catch (ConfigException e) {
            if (e.getCause() instanceof IOException failure) {
                throw new IOException(
                        "files %s: %s: sync again; nothing was changed here"
                                .formatted(url, failure.getMessage()),
                        failure);
            }
            throw e;
        }
    }
}
