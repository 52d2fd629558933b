package dev.medley.tenant.policy;

import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.postgres.PostgresOptions;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says where a shared table is. */
public sealed interface TablePlace {
    /** CSV, JSON or Parquet files; all are one table, in the order of their names. */
    record OfFiles(FilesOptions options) implements TablePlace {}

    /** The folder of a table that a sync has brought; rows are those of its last version. */
    record OfSnapshot(Path folder) implements TablePlace {}

    /**
     * A table of PostgreSQL, whose own row security stays in force.
     *
     * @param role the attribute of callers that names the role to read as; null for the user's own
     * @param settings attributes of callers by the setting of the transaction that they go into
     */
    record OfPostgres(PostgresOptions options, @Nullable String role, Map<String, String> settings)
            implements TablePlace {
        /** Copies the settings. */
        public OfPostgres {
            settings = Map.copyOf(settings);
        }
    }
}
