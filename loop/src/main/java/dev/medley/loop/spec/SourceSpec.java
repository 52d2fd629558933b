package dev.medley.loop.spec;

import dev.medley.base.time.Clock;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.FilesSource;
import dev.medley.connect.files.StoredFilesSource;
import dev.medley.connect.jdbc.JdbcOptions;
import dev.medley.connect.jdbc.JdbcSource;
import dev.medley.connect.landing.StoredSnapshot;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.postgres.PostgresSource;
import dev.medley.connect.salesforce.SalesforceSource;
import dev.medley.connect.salesforce.SalesforceTable;
import dev.medley.connect.salesforce.call.CallBudget;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.call.Waits;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.TableSource;
import dev.medley.iceberg.IcebergOptions;
import dev.medley.iceberg.IcebergSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Says where a table comes from.
 *
 * @param name that queries have for it
 * @param place where it is
 * @param contract what happens when the table changes its form
 */
public record SourceSpec(String name, Place place, SchemaContract contract) {
    /**
     * Gives what a source is opened with.
     *
     * @param environment a variable's value, null if it is not set
     * @param folder of the loop, where shares of limits are counted
     * @param clock of waits
     * @param snapshots the object store in which rows land; null for the loop's folder alone
     */
    public record Opening(
            UnaryOperator<@Nullable String> environment,
            Path folder,
            Clock clock,
            @Nullable String snapshots) {
        /**
         * Syncs a source where its rows land: what a store has is brought before, and what has come
         * is put there after. A sync whose rows the store does not take has failed.
         */
        public SyncReport landed(String source, SnapshotFolder snapshot, Sync sync)
                throws IOException {
            if (snapshots == null) {
                return sync.run();
            }
            try (StoredSnapshot stored =
                    StoredSnapshot.of(snapshot, snapshots, source, environment)) {
                stored.pull();
                SyncReport report = sync.run();
                stored.push();
                return report;
            }
        }
    }

    /** Brings a source into its folder. */
    @FunctionalInterface
    public interface Sync {
        /** Does it, and tells what it did. */
        SyncReport run() throws IOException;
    }

    /** Where a table is. */
    public sealed interface Place {
        /** What reads it. */
        TableSource source(Opening opening);
    }

    /** A table of a PostgreSQL. */
    public record OfPostgres(PostgresOptions options) implements Place {
        @Override
        public TableSource source(Opening opening) {
            return new PostgresSource(options, opening.environment());
        }
    }

    /** A table of another database. */
    public record OfJdbc(JdbcOptions options) implements Place {
        @Override
        public TableSource source(Opening opening) {
            return new JdbcSource(options, opening.environment());
        }
    }

    /** Files. */
    public record OfFiles(FilesOptions options) implements Place {
        @Override
        public TableSource source(Opening opening) {
            return new FilesSource(options);
        }
    }

    /** Objects of a store, of which copies are kept beside the snapshots. */
    public record OfStored(
            String url, FileFormat format, List<String> key, Map<String, ColumnType> types)
            implements Place {
        /** Copies the list and the map. */
        public OfStored {
            key = List.copyOf(key);
            types = Map.copyOf(types);
        }

        @Override
        public TableSource source(Opening opening) {
            return new StoredFilesSource(
                    url,
                    format,
                    key,
                    types,
                    opening.folder().resolve("copies"),
                    opening.environment());
        }
    }

    /** A table of Iceberg. */
    public record OfIceberg(IcebergOptions options) implements Place {
        @Override
        public TableSource source(Opening opening) {
            return new IcebergSource(options, opening.environment());
        }
    }

    /**
     * An object of Salesforce.
     *
     * @param budgetPercent the part of the organisation's calls that the loop may use
     */
    public record OfSalesforce(SalesforceLogin login, SalesforceTable table, int budgetPercent)
            implements Place {
        @Override
        public TableSource source(Opening opening) {
            Path counted = opening.folder().resolve("salesforce-calls.json");
            return new SalesforceSource(
                    login,
                    table,
                    new CallBudget(budgetPercent, counted, opening.clock()),
                    Waits.usual());
        }
    }
}
