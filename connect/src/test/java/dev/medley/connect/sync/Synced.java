package dev.medley.connect.sync;

import dev.medley.base.time.Clock;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotReader;
import dev.medley.connect.table.RowTexts;
import dev.medley.connect.table.TableSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Syncs a table into a folder, for tests. */
public record Synced(Path folder, SchemaContract contract) {
    /** One that takes all changes of columns. */
    public Synced(Path folder) {
        this(folder, SchemaContract.FOLLOW);
    }

    /** One sync. */
    public SyncReport sync(TableSource source) throws IOException {
        return new TableSync(source, new SnapshotFolder(folder), contract, Clock.system()).run();
    }

    /** The rows now, as texts. */
    public List<String> rows() throws IOException {
        List<String> rows = new ArrayList<>();
        try (SnapshotReader reader = SnapshotReader.latest(new SnapshotFolder(folder))) {
            reader.rows(RowTexts.into(rows));
        }
        return rows;
    }

    /** What a comparison with the source says. */
    public Reconciliation reconcile(TableSource source) throws IOException {
        return Reconciler.compare(source, new SnapshotFolder(folder), contract);
    }
}
