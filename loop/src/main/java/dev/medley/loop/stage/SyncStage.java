package dev.medley.loop.stage;

import dev.medley.base.ConfigException;
import dev.medley.connect.snapshot.Difference;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.TableSync;
import dev.medley.loop.spec.SourceSpec;
import java.io.IOException;

/** Brings a source into its snapshot. */
public final class SyncStage implements LoopStage {
    private final LoopPlace place;
    private final SourceSpec source;
    private final SourceSpec.Opening opening;

    /** Of one source. */
    public SyncStage(LoopPlace place, SourceSpec source, SourceSpec.Opening opening) {
        this.place = place;
        this.source = source;
        this.opening = opening;
    }

    @Override
    public String name() {
        return "sync " + source.name();
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        SyncReport report = sync();
        return StageEnd.done(words(report), report);
    }

    /** What its rows are called in queries. */
    public String table() {
        return source.name();
    }

    /** Brings it, outside of a run. */
    public SyncReport sync() throws IOException {
        SnapshotFolder folder = new SnapshotFolder(place.source(source.name()));
        try {
            return opening.landed(source.name(), folder, () -> synced(folder));
        } catch (ConfigException e) {
            throw new ConfigException("source %s: %s".formatted(source.name(), e.getMessage()), e);
        }
    }

    private SyncReport synced(SnapshotFolder folder) throws IOException {
        return new TableSync(
                        source.place().source(opening), folder, source.contract(), opening.clock())
                .run();
    }

    private static String words(SyncReport report) {
        Difference difference = report.difference();
        StringBuilder words = new StringBuilder();
        words.append(
                "version %d: %,d rows; %,d new, %,d changed, %,d gone"
                        .formatted(
                                report.version(),
                                difference.after().rows(),
                                difference.added(),
                                difference.changed(),
                                difference.gone()));
        words.append("; read %,d".formatted(report.rowsRead()));
        if (report.readAll()) {
            words.append(", all, as ").append(report.why());
        } else if (report.rowsRead() > 0) {
            words.append(" (").append(report.why()).append(')');
        }
        if (!report.seesDeletes()) {
            words.append("; rows that are gone were not looked for");
        }
        if (report.droppedRows() + report.droppedValues() > 0) {
            words.append(
                    "; the contract left out %,d rows and %,d values"
                            .formatted(report.droppedRows(), report.droppedValues()));
        }
        return words.toString();
    }
}
