package dev.medley.connect.sync;

import dev.medley.base.Json;
import dev.medley.connect.schema.RowFilter;
import dev.medley.connect.schema.SchemaDecision;
import dev.medley.connect.snapshot.Difference;
import dev.medley.connect.snapshot.Extent;
import dev.medley.connect.snapshot.SnapshotManifest;
import dev.medley.connect.snapshot.SnapshotWriter;
import dev.medley.connect.snapshot.Sum;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a view into a writer, the changes or all of it, and remembers what came. */
final class Reading {
    private final SnapshotWriter writer;
    private final TableView view;
    private final SchemaDecision decision;
    private final SyncCondition condition;
    private @Nullable Difference difference;
    private @Nullable Sum leftOut;
    private Extent extent = Extent.ALL;
    private String why = "";
    private long rowsRead;
    private long droppedRows;
    private long droppedValues;
    private long droppedKeys;

    /**
     * Reads nothing yet.
     *
     * @param leftOut keys that the last sync left out; null if that is not known
     */
    Reading(
            SnapshotWriter writer,
            TableView view,
            SchemaDecision decision,
            SyncCondition condition,
            @Nullable Sum leftOut) {
        this.writer = writer;
        this.view = view;
        this.decision = decision;
        this.condition = condition;
        this.leftOut = leftOut;
    }

    /** Reads and compares. Changes that turn out not to be all of them lead to all rows. */
    void run(Optional<String> whyAll) throws IOException {
        if (whyAll.isPresent()) {
            all(whyAll.get());
            return;
        }
        why = view.changes().why();
        Changes.Deletes deletes = view.changes().deletes();
        rows(Changes.Rows.CHANGED);
        if (deletes == Changes.Deletes.BY_KEYS) {
            view.keys(writer::addKeys);
        }
        extent = deletes == Changes.Deletes.BY_KEYS ? Extent.CHANGES_AND_KEYS : Extent.CHANGES;
        Difference found = writer.compare(extent);
        difference = found;
        if (deletes == Changes.Deletes.NONE) {
            writer.requireNewKeys();
        }
        boolean areLeftOut = found.missed().equals(leftOut) || found.without().equals(leftOut);
        if (found.missed().rows() > 0 && !areLeftOut) {
            all(
                    "%d rows are in the source though nothing said that they are new"
                            .formatted(found.missed().rows()));
        } else if (extent == Extent.CHANGES_AND_KEYS) {
            leftOut = found.leftOut();
        } else if (droppedRows > 0) {
            leftOut = null;
        }
    }

    private void all(String reason) throws IOException {
        why = reason;
        extent = Extent.ALL;
        rows(Changes.Rows.ALL);
        difference = writer.compare(extent);
        leftOut = new Sum(droppedRows, droppedKeys);
    }

    private void rows(Changes.Rows which) throws IOException {
        writer.begin(decision.kept());
        if (which == condition.which()) {
            writer.restorePending();
        } else {
            writer.forgetPending();
        }
        RowFilter filter = new RowFilter(decision, writer::add);
        rowsRead = 0;
        view.rows(which, new Counting(filter, which));
        droppedRows = filter.droppedRows();
        droppedValues = filter.droppedValues();
        droppedKeys = filter.droppedKeys();
    }

    SyncReport report(SnapshotManifest after) throws IOException {
        return new SyncReport(
                after.latest().number(),
                rowsRead,
                extent == Extent.ALL,
                why,
                Objects.requireNonNull(difference),
                decision.changes(),
                droppedRows,
                droppedValues,
                extent != Extent.CHANGES
                        || view.changes().deletes() == Changes.Deletes.AMONG_ROWS
                        || view.changes().deletes() == Changes.Deletes.NONE);
    }

    /** Keys of rows of the source that the contract leaves out; null if that is not known. */
    @Nullable Sum leftOut() {
        return leftOut;
    }

    /** Counts rows, and keeps them where the source can go on behind them. */
    private final class Counting implements RowSink {
        private final RowSink sink;
        private final Changes.Rows which;

        Counting(RowSink sink, Changes.Rows which) {
            this.sink = sink;
            this.which = which;
        }

        @Override
        public void accept(RowBatch batch) throws IOException {
            rowsRead += batch.rows();
            sink.accept(batch);
        }

        @Override
        public void resumable(JsonNode resume) throws IOException {
            if (which == condition.which()) {
                writer.keepPending(Json.tree(condition), resume);
            }
        }
    }
}
