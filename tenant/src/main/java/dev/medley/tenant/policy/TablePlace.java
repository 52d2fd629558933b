package dev.medley.tenant.policy;

import dev.medley.connect.Secret;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.jdbc.JdbcOptions;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.table.ColumnType;
import dev.medley.iceberg.IcebergOptions;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says where a shared table is. */
public sealed interface TablePlace {
    /** Where the secret is that its server asks for; null where there is none. */
    default @Nullable Secret secret() {
        return null;
    }

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

        @Override
        public @Nullable Secret secret() {
            return options.password();
        }
    }

    /** A table of another database, which is read as its user. */
    record OfJdbc(JdbcOptions options) implements TablePlace {
        @Override
        public @Nullable Secret secret() {
            return options.password();
        }
    }

    /** A table of Iceberg at its current snapshot. */
    record OfIceberg(IcebergOptions options) implements TablePlace {
        @Override
        public @Nullable Secret secret() {
            return options.token();
        }
    }

    /**
     * Objects of a store; all are one table.
     *
     * @param types of columns by name; others are texts in CSV and JSON
     */
    record OfStored(String url, FileFormat format, Map<String, ColumnType> types)
            implements TablePlace {
        /** Copies the types. */
        public OfStored {
            types = Map.copyOf(types);
        }
    }
}
