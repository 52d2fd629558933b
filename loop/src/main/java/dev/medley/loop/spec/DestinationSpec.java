package dev.medley.loop.spec;

import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.Destination;
import dev.medley.connect.postgres.PostgresDestination;
import dev.medley.connect.postgres.PostgresOptions;
import dev.medley.connect.salesforce.SalesforceDestination;
import dev.medley.connect.salesforce.call.CallBudget;
import dev.medley.connect.salesforce.call.SalesforceLogin;
import dev.medley.connect.salesforce.call.Waits;
import java.nio.file.Path;
import java.util.List;

/**
 * Says where answers go.
 *
 * @param name of the destination, for the history
 * @param place where it is
 * @param columns which column of the answers each of the destination's columns gets, in their order
 */
public record DestinationSpec(String name, Place place, List<Mapped> columns) {
    public DestinationSpec {
        columns = List.copyOf(columns);
    }

    /**
     * Maps a column.
     *
     * @param theirs the destination's
     * @param ours of the answers
     */
    public record Mapped(String theirs, String ours) {}

    /** Where answers go. */
    public sealed interface Place {
        /** The column there that tells rows apart. */
        String key();
    }

    /** A file, which is written whole. */
    public record IntoFile(Path file, String key) implements Place {}

    /** A place to which only what changed is sent. */
    public sealed interface Sent extends Place {
        /** What takes rows there. */
        Destination destination(List<String> columns, SourceSpec.Opening opening);
    }

    /** A table of a PostgreSQL. */
    public record IntoPostgres(PostgresOptions options, String key) implements Sent {
        @Override
        public Destination destination(List<String> columns, SourceSpec.Opening opening) {
            return new PostgresDestination(options, key, columns, opening.environment());
        }
    }

    /**
     * An object of Salesforce.
     *
     * @param key the external id
     * @param budgetPercent the part of the organisation's calls that the loop may use
     */
    public record IntoSalesforce(
            SalesforceLogin login, String object, String key, int budgetPercent) implements Sent {
        @Override
        public Destination destination(List<String> columns, SourceSpec.Opening opening) {
            Path counted = opening.folder().resolve("salesforce-calls.json");
            return new SalesforceDestination(
                    login,
                    new BackTable(object, key, columns),
                    new CallBudget(budgetPercent, counted, opening.clock()),
                    Waits.usual());
        }
    }
}
