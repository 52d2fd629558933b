package dev.medley.iceberg;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import org.apache.iceberg.exceptions.NotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table of Apache Iceberg (format versions 1 and 2, data files of Parquet) as it is at its
 * current snapshot.
 *
 * <p>Exact: a snapshot is one moment of the table. Where only appends came since the last sync,
 * their files alone are read; after anything else all rows are. Renamed columns are known by their
 * field ids. Iceberg has no keys that it holds to: two rows with one key are refused, also where
 * one was appended to a table that has the other.
 */
public final class IcebergSource implements TableSource {
    private final IcebergOptions options;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * Reads nothing yet.
     *
     * @param environment a variable's value, null if it is not set: of the token and of stores
     */
    public IcebergSource(IcebergOptions options, UnaryOperator<@Nullable String> environment) {
        this.options = options;
        this.environment = environment;
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public TableView open(SyncStart start) throws IOException {
        try {
            return IcebergView.open(options, environment, IcebergPosition.of(start.since()));
        } catch (ConfigException e) {
            throw e;
        } catch (NotFoundException e) {
            throw new IOException(
                    "%s: a file of its metadata is gone: %s".formatted(name(), e.getMessage()), e);
        } catch (RuntimeException e) {
            // The library has no exception of its own for files that are broken or forged.
            if (e instanceof UncheckedIOException unchecked && !isText(unchecked)) {
                throw unchecked.getCause();
            }
            throw new ConfigException(
                    "%s: its metadata cannot be read: %s".formatted(name(), e.getMessage()), e);
        }
    }

    private static boolean isText(UncheckedIOException e) {
        return e.getCause() instanceof com.fasterxml.jackson.core.JacksonException;
    }
}
