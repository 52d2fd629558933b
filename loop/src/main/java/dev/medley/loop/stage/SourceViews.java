package dev.medley.loop.stage;

import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotManifest;
import dev.medley.connect.snapshot.SnapshotVersion;
import dev.medley.connect.snapshot.SnapshotView;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Shows the sources to a loop's queries: {@code NAME} has a source's rows as they were known at a
 * time, {@code NAME_history} every row until then, as often as it changed.
 *
 * @param place where the snapshots are
 * @param names of the sources
 */
public record SourceViews(LoopPlace place, List<String> names) {
    private static final long MICROS = 1000;

    public SourceViews {
        names = List.copyOf(names);
    }

    /** Makes the views. */
    public void open(DuckDb db, long asOfMs) throws IOException, SQLException {
        for (String name : names) {
            SnapshotView view = view(name, asOfMs);
            create(db, name, view.rows());
            create(db, name + "_history", view.history());
        }
    }

    /** Which versions are known at a time, as {@code customers@7}. */
    public List<String> versions(long asOfMs) throws IOException {
        List<String> versions = new ArrayList<>();
        for (String name : names) {
            versions.add(name + "@" + view(name, asOfMs).version().number());
        }
        return versions;
    }

    /** When versions of any source became known, until a time; ascending. */
    public List<Long> times(long asOfMs) throws IOException {
        TreeSet<Long> times = new TreeSet<>();
        for (String name : names) {
            for (SnapshotVersion version :
                    new SnapshotFolder(place.source(name)).requireManifest().versions()) {
                times.add(version.knownAtMicros() / MICROS);
            }
        }
        return List.copyOf(times.headSet(asOfMs, true));
    }

    /** Columns of the sources as they are known at a time. */
    List<ReadSchema> schemas(long asOfMs) throws IOException {
        List<ReadSchema> schemas = new ArrayList<>();
        for (String name : names) {
            SnapshotManifest manifest = new SnapshotFolder(place.source(name)).requireManifest();
            SnapshotVersion version = view(name, asOfMs).version();
            Map<String, ColumnType> columns = new HashMap<>();
            manifest.schemaOf(version)
                    .columns()
                    .forEach(column -> columns.put(column.name(), column.type()));
            schemas.add(new ReadSchema(name, version.schema(), columns));
        }
        return schemas;
    }

    /** When the newest version of all became known, milliseconds since 1970. */
    public long newestMs() throws IOException {
        long newest = 0;
        for (String name : names) {
            SnapshotFolder folder = new SnapshotFolder(place.source(name));
            newest = Math.max(newest, folder.requireManifest().latest().knownAtMicros() / MICROS);
        }
        return newest;
    }

    private SnapshotView view(String name, long asOfMs) throws IOException {
        // LearntRows that came in the very millisecond were known in it.
        long micros = asOfMs * MICROS + MICROS - 1;
        return SnapshotView.knownAt(name, new SnapshotFolder(place.source(name)), micros);
    }

    private static void create(DuckDb db, String name, String sql) throws SQLException {
        db.execute("CREATE TEMP VIEW %s AS %s".formatted(DuckDb.name(name), sql));
    }
}
