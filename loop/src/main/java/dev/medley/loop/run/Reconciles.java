package dev.medley.loop.run;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotManifest;
import dev.medley.connect.sync.Reconciler;
import dev.medley.connect.sync.Reconciliation;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.TableSync;
import dev.medley.loop.spec.SourceSpec;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.state.LoopLock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares sources with their snapshots, by count and checksum of all rows, and reads those anew
 * that differ, if asked for.
 *
 * <p>Thread: one. The loop does not run meanwhile.
 */
public final class Reconciles {
    private static final long MICROS = 1000;

    private final Loop loop;
    private final LoopPlace place;
    private final SourceSpec.Opening opening;

    Reconciles(Loop loop, LoopPlace place, SourceSpec.Opening opening) {
        this.loop = loop;
        this.place = place;
        this.opening = opening;
    }

    /**
     * Compares.
     *
     * @param source one of them by name; null for all
     * @throws ConfigException if there is none of that name, or none was synced yet
     */
    public List<Reconciled> compare(@Nullable String source) throws IOException {
        try (LoopLock unused = loop.lock()) {
            List<Reconciled> all = new ArrayList<>();
            for (SourceSpec each : named(source)) {
                all.add(compared(each, null));
            }
            return all;
        }
    }

    /**
     * Compares, reads all rows of each source anew whose snapshot differs, and compares again. What
     * was wrong stays in the snapshot's history, and right rows count from now on: so no row that
     * was learnt from changes afterwards.
     */
    public List<Reconciled> repair(@Nullable String source) throws IOException {
        try (LoopLock unused = loop.lock()) {
            List<Reconciled> all = new ArrayList<>();
            for (SourceSpec each : named(source)) {
                Reconciled found = compared(each, null);
                all.add(found.found().isEqual() ? found : repaired(each));
            }
            return all;
        }
    }

    private Reconciled repaired(SourceSpec source) throws IOException {
        SnapshotFolder folder = folder(source);
        TableSync sync =
                new TableSync(
                        source.place().source(opening), folder, source.contract(), opening.clock());
        SyncReport report =
                opening.landed(
                        source.name(),
                        folder,
                        () -> sync.readAll("its count or checksum was not the source's"));
        return compared(source, report);
    }

    private Reconciled compared(SourceSpec source, @Nullable SyncReport repair) throws IOException {
        SnapshotFolder folder = folder(source);
        Optional<SnapshotManifest> manifest = folder.manifest();
        if (manifest.isEmpty()) {
            throw new ConfigException(
                    "%s has no snapshot yet that could be compared: medley loop run"
                            .formatted(source.name()));
        }
        Reconciliation found =
                Reconciler.compare(source.place().source(opening), folder, source.contract());
        return new Reconciled(
                source.name(),
                manifest.get().latest().number(),
                manifest.get().syncedAtMicros() / MICROS,
                found,
                repair);
    }

    private SnapshotFolder folder(SourceSpec source) {
        return new SnapshotFolder(place.source(source.name()));
    }

    private List<SourceSpec> named(@Nullable String source) {
        List<SourceSpec> all = loop.spec().sources();
        if (source == null) {
            return all;
        }
        List<SourceSpec> found = all.stream().filter(s -> s.name().equals(source)).toList();
        if (found.isEmpty()) {
            List<String> names = all.stream().map(SourceSpec::name).toList();
            throw new ConfigException(
                    "loop %s has no source '%s'; %sit has %s"
                            .formatted(
                                    loop.spec().name(),
                                    source,
                                    DidYouMean.of(source, names)
                                            .map(near -> "did you mean " + near + "? ")
                                            .orElse(""),
                                    String.join(", ", names)));
        }
        return found;
    }
}
