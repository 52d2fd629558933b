package dev.medley.connect.sync;

import dev.medley.base.ConfigException;
import dev.medley.connect.schema.RowFilter;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.schema.SchemaDecision;
import dev.medley.connect.schema.SchemaRules;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotReader;
import dev.medley.connect.snapshot.StateComparison;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;

/**
 * Compares a snapshot with its source row by row: number and checksum of all rows, and the keys of
 * those that differ. Both sides are hashed anew, so it finds what was read wrongly, written wrongly
 * or damaged as well as what was missed. Changes of the source since the last sync are differences
 * too.
 *
 * <p>Cost: all rows of both, once. Memory is bounded.
 */
public final class Reconciler {
    private Reconciler() {}

    /** From the last position, by which a source knows what it called its columns. */
    private static SyncStart since(SnapshotFolder folder) throws IOException {
        return SyncPosition.of(folder.requireManifest().position())
                .map(last -> new SyncStart(last.at(), null))
                .orElse(SyncStart.FIRST);
    }

    /** Compares the last version with the source as it is now. */
    public static Reconciliation compare(
            TableSource source, SnapshotFolder folder, SchemaContract contract) throws IOException {
        try (SnapshotReader reader = SnapshotReader.latest(folder);
                TableView view = source.open(since(folder))) {
            SchemaDecision decision = SchemaRules.decide(reader.schema(), view.schema(), contract);
            ConfigException.check(
                    !decision.isRefused() && decision.kept().equals(reader.schema()),
                    "%s: its columns are not those of the snapshot (%s): sync first",
                    source.name(),
                    decision.why());
            try (StateComparison comparison = StateComparison.of(folder, reader)) {
                RowFilter filter = new RowFilter(decision, comparison::addSource);
                view.rows(Changes.Rows.ALL, filter);
                return new Reconciliation(
                        comparison.source(),
                        comparison.snapshot(),
                        comparison.differing(),
                        comparison.examples());
            }
        }
    }
}
