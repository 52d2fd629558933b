package dev.medley.loop.stage;

import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells which columns of the sources a loop's queries use, and whether a model can read the sources
 * as they are now.
 *
 * @param sources of the loop
 * @param queries of its rows, features and of whom answers are wanted for
 */
public record SchemaReads(SourceViews sources, List<String> queries) {
    /** What is remembered of a version. */
    private record Reads(List<ReadSchema> schemas) {}

    public SchemaReads {
        queries = List.copyOf(queries);
    }

    /** Remembers what a version reads, as it is registered. */
    public void remember(StageContext context, int version) throws IOException {
        List<ReadSchema> used = new ArrayList<>();
        try (DuckDb db = DuckDb.forFiles(List.of(), sources.place().scratch())) {
            sources.open(db, context.asOfMs());
            for (String name : sources.names()) {
                db.execute(copy(name, "_all"));
                db.execute(copy(name + "_history", "_all"));
            }
            show(db, "", "");
            List<String> whole = described(db);
            for (ReadSchema each : sources.schemas(context.asOfMs())) {
                Map<String, ColumnType> columns = new HashMap<>(each.columns());
                for (String column : each.columns().keySet()) {
                    show(db, each.source(), column);
                    if (described(db).equals(whole)) {
                        columns.remove(column);
                    }
                }
                show(db, "", "");
                used.add(new ReadSchema(each.source(), each.version(), columns));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(DuckDb.message(e), e); // They have just been run.
        }
        context.remember(key(version), new Reads(used));
    }

    /** Why a version cannot read the sources as they are now; empty where it can. */
    public String unreadable(StageContext context, int version) throws IOException {
        Optional<Reads> reads = context.remembered(key(version), Reads.class);
        if (reads.isEmpty()) {
            return ""; // The loop did not make it.
        }
        List<ReadSchema> now = sources.schemas(context.asOfMs());
        for (ReadSchema then : reads.get().schemas()) {
            for (ReadSchema each : now) {
                String why = each.source().equals(then.source()) ? then.against(each) : "";
                if (!why.isEmpty()) {
                    return why;
                }
            }
        }
        return "";
    }

    private static String key(int version) {
        return "reads " + version;
    }

    private static String copy(String name, String ending) {
        return "CREATE TEMP TABLE %s AS SELECT * FROM %s LIMIT 0"
                .formatted(DuckDb.name(name + ending), DuckDb.name(name));
    }

    /** Shows all sources empty, one of them without a column. */
    private void show(DuckDb db, String source, String without) throws SQLException {
        for (String name : sources.names()) {
            for (String view : List.of(name, name + "_history")) {
                String except =
                        name.equals(source) ? " EXCLUDE (" + DuckDb.name(without) + ")" : "";
                db.execute(
                        "CREATE OR REPLACE TEMP VIEW %s AS SELECT *%s FROM %s"
                                .formatted(DuckDb.name(view), except, DuckDb.name(view + "_all")));
            }
        }
    }

    /** What columns the queries give; a query that does not work says so. */
    private List<String> described(DuckDb db) {
        List<String> all = new ArrayList<>();
        for (String query : queries) {
            try {
                all.add(db.rows("DESCRIBE " + query).toString());
            } catch (SQLException e) {
                all.add("does not work");
            }
        }
        return all;
    }
}
