package dev.medley.connect.sync;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.schema.SchemaDecision;
import dev.medley.connect.schema.SchemaRules;
import dev.medley.connect.snapshot.PendingSync;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotManifest;
import dev.medley.connect.snapshot.SnapshotWriter;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Brings a table into its snapshot: one sync is one version. Changed rows are read where the source
 * can name them; where it cannot, or its columns changed, or a key turns up that its changes did
 * not name, all rows are read and compared. A sync that is cut off anywhere is repeated by the next
 * one.
 *
 * <p>Thread: one a sync.
 */
public final class TableSync {
    private final TableSource source;
    private final SnapshotFolder folder;
    private final SchemaContract contract;
    private final Clock clock;

    /** Does nothing yet. */
    public TableSync(
            TableSource source, SnapshotFolder folder, SchemaContract contract, Clock clock) {
        this.source = source;
        this.folder = folder;
        this.contract = contract;
        this.clock = clock;
    }

    /**
     * Syncs once.
     *
     * @throws ConfigException if the user has to change something first
     * @throws IOException if the source or the disk fails; the snapshot is as it was
     */
    public SyncReport run() throws IOException {
        return run(Optional.empty());
    }

    /**
     * Syncs once and reads all rows, whatever the source can say of changes.
     *
     * @param why for the report
     */
    public SyncReport readAll(String why) throws IOException {
        return run(Optional.of(why));
    }

    private SyncReport run(Optional<String> all) throws IOException {
        try (SnapshotWriter writer = SnapshotWriter.open(folder, clock)) {
            Optional<SnapshotManifest> before = writer.manifest();
            before.ifPresent(this::requireSameTable);
            Optional<SyncPosition> last = before.flatMap(m -> SyncPosition.of(m.position()));
            Optional<SyncReport> report = attempt(writer, last, all);
            if (report.isEmpty()) {
                writer.forgetPending();
                report = attempt(writer, last, all);
            }
            return report.orElseThrow();
        }
    }

    /** Empty if what an earlier sync has left was read under other conditions. */
    private Optional<SyncReport> attempt(
            SnapshotWriter writer, Optional<SyncPosition> last, Optional<String> all)
            throws IOException {
        Optional<SnapshotManifest> before = writer.manifest();
        JsonNode since = last.map(SyncPosition::at).orElse(null);
        JsonNode resume = writer.pending().map(PendingSync::resume).orElse(null);
        try (TableView view = source.open(new SyncStart(since, resume))) {
            SchemaDecision decision =
                    before.map(m -> SchemaRules.decide(m.schema(), view.schema(), contract))
                            .orElseGet(() -> SchemaRules.first(view.schema()));
            ConfigException.check(!decision.isRefused(), "%s: %s", source.name(), decision.why());
            Optional<String> whyAll = all.isPresent() ? all : whyAll(view, last, before, decision);
            SyncCondition condition =
                    new SyncCondition(
                            source.name(),
                            view.schema(),
                            contract,
                            decision.kept(),
                            whyAll.isPresent() ? Changes.Rows.ALL : Changes.Rows.CHANGED);
            if (!view.isResumed()) {
                writer.forgetPending();
            }
            if (writer.pending().isPresent() && !condition.holds(writer.pending().get())) {
                return Optional.empty();
            }
            Reading reading =
                    new Reading(
                            writer,
                            view,
                            decision,
                            condition,
                            last.map(SyncPosition::leftOut).orElse(null));
            reading.run(whyAll);
            JsonNode position =
                    Json.tree(
                            new SyncPosition(
                                    view.schema(), contract, view.position(), reading.leftOut()));
            SnapshotManifest after = writer.publish(source.name(), position, decision.why());
            return Optional.of(reading.report(after));
        }
    }

    private void requireSameTable(SnapshotManifest manifest) {
        ConfigException.check(
                manifest.source().equals(source.name()),
                "%s: holds %s, not %s: name another folder",
                folder.path(),
                manifest.source(),
                source.name());
    }

    /** Why all rows have to be read; empty if changes are enough. */
    private Optional<String> whyAll(
            TableView view,
            Optional<SyncPosition> last,
            Optional<SnapshotManifest> before,
            SchemaDecision decision)
            throws IOException {
        if (view.changes().rows() == Changes.Rows.ALL) {
            return Optional.of(view.changes().why());
        } else if (last.isEmpty() || before.isEmpty()) {
            return Optional.of("it is the first sync");
        } else if (!last.get().contract().equals(contract)) {
            return Optional.of("the contract for columns is another one");
        } else if (!last.get().source().equals(view.schema())
                || !decision.kept().equals(before.get().schema())) {
            return Optional.of(decision.why());
        }
        return Optional.empty();
    }
}
