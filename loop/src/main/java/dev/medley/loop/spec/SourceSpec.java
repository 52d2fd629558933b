package dev.medley.loop.spec;

import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.postgres.PostgresSource;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.table.TableSource;
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
    /** Where a table is. */
    public sealed interface Place {
        /**
         * What reads it.
         *
         * @param environment a variable's value, null if it is not set
         */
        TableSource source(UnaryOperator<@Nullable String> environment);
    }

    /** A table of a PostgreSQL. */
    public record OfPostgres(PostgresOptions options) implements Place {
        @Override
        public TableSource source(UnaryOperator<@Nullable String> environment) {
            return new PostgresSource(options, environment);
        }
    }
}
