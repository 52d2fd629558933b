package dev.medley.loop.same;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.learn.RowMaker;
import dev.medley.loop.same.FactHistory.FactColumn;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.spec.LoopSpec;
import dev.medley.loop.spec.SourceSpec;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.SourceViews;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.SyncStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Leads a history through one place into a loop's snapshots, and joins it there. */
final class LoopOfPlace {
    private final FactHistory history;
    private final TablePlace tables;
    private final TablePlace.Kept facts;
    private final TablePlace.Kept askings;
    private final LoopSpec spec;
    private final LoopPlace place;

    /** What a join gave: rows and the digest of their file, or why there are none. */
    record Joined(List<List<@Nullable String>> rows, String sha256, String refused) {}

    LoopOfPlace(FactHistory history, TablePlace tables, Path folder) throws Exception {
        this.history = history;
        this.tables = tables;
        this.facts = new TablePlace.Kept("facts", history.columns(), history.identities());
        List<FactColumn> asked = history.askedColumns();
        this.askings = new TablePlace.Kept("askings", asked, asked.subList(0, 1));
        tables.make(facts);
        tables.make(askings);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("job.yaml"), "name: same\n");
        this.spec = LoopFile.read(Files.writeString(folder.resolve("same.yaml"), yaml()));
        this.place = new LoopPlace(spec.memory().folder());
    }

    private String yaml() {
        return """
        name: same
        sources:
          facts: %s
          askings: %s
        features:
          facts: {version: 1, key: [%s], at: %s, %s sql: SELECT * FROM facts_history}
        rows: {sql: 'SELECT *, n AS "row" FROM askings', key: n, at: %s}
        job: job.yaml
        """
                .formatted(
                        tables.source(facts),
                        tables.source(askings),
                        TablePlace.names(history.keys()),
                        FactHistory.AT,
                        history.ttlDays() == null ? "" : "ttl: %dd,".formatted(history.ttlDays()),
                        FactHistory.ASKED);
    }

    /** Changes the table and looks at it. */
    void look(TablePlace.Change change, Clock clock, StageContext context) throws Exception {
        tables.change(facts, change);
        sync("facts", clock, context);
    }

    void ask(Clock clock, StageContext context) throws Exception {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (FactHistory.Asking asking : history.askings()) {
            List<@Nullable String> row = new ArrayList<>();
            row.add(Integer.toString(asking.number()));
            row.addAll(asking.key());
            row.add(asking.at());
            rows.add(row);
        }
        tables.change(askings, new TablePlace.Change(List.of(), rows, rows));
        sync("askings", clock, context);
    }

    private void sync(String name, Clock clock, StageContext context) throws IOException {
        SourceSpec source =
                spec.sources().stream()
                        .filter(s -> s.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        new SyncStage(
                        place,
                        source,
                        new SourceSpec.Opening(
                                v -> v.equals("PG") ? "right" : null, place.folder(), clock, null))
                .work(context);
    }

    /** Rows of files by what these hold: those of three places are equal, or ought to be. */
    private static final Map<String, List<List<@Nullable String>>> READ = new HashMap<>();

    /** The rows to learn from as they are known at a time. */
    Joined joined(long asOfMs) throws Exception {
        Path folder = Files.createDirectories(place.run(asOfMs));
        RowMaker maker =
                new RowMaker(
                        place,
                        new SourceViews(place, List.of("facts", "askings")),
                        spec.features(),
                        spec.rows());
        try {
            LearntRows made = maker.make(asOfMs, folder, 0.3, 0);
            List<List<@Nullable String>> rows = List.of();
            if (made.train() != null) {
                Path newest = Objects.requireNonNull(made.newest());
                String held = RowMaker.sha256(made.train()) + RowMaker.sha256(newest);
                rows = READ.get(held);
                if (rows == null) {
                    rows = new ArrayList<>();
                    read(made.train(), rows);
                    read(newest, rows);
                    READ.put(held, rows);
                }
            }
            return new Joined(rows, made.sha256(), "");
        } catch (ConfigException e) {
            return new Joined(List.of(), "", String.valueOf(e.getMessage()));
        }
    }

    private void read(Path file, List<List<@Nullable String>> rows) throws Exception {
        List<FactColumn> columns = new ArrayList<>(history.keys());
        columns.add(new FactColumn("row", ValueKind.WHOLE));
        columns.addAll(history.values());
        StringBuilder select = new StringBuilder();
        for (FactColumn column : columns) {
            String name = DuckDb.name(column.name());
            select.append(select.isEmpty() ? "" : ", ")
                    .append(SqlColumns.toStaged(column.kind().column(), name));
        }
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch());
                Statement statement = db.connection().createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT %s FROM read_parquet(%s)"
                                        .formatted(select, DuckDb.path(file)))) {
            while (row.next()) {
                List<@Nullable String> cells = new ArrayList<>();
                for (int i = 0; i < columns.size(); i++) {
                    String text = row.getString(i + 1);
                    boolean isReal = columns.get(i).kind() == ValueKind.REAL && text != null;
                    cells.add(isReal ? ValueKind.bits(row.getDouble(i + 1)) : text);
                }
                rows.add(cells);
            }
        }
    }
}
