package dev.medley.loop.stage;

import dev.medley.base.time.Clock;
import dev.medley.connect.snapshot.Difference;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.TableSync;
import dev.medley.loop.spec.SourceSpec;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Brings a source into its snapshot. */
public final class SyncStage implements Stage {
    private final LoopPlace place;
    private final SourceSpec source;
    private final UnaryOperator<@Nullable String> environment;
    private final Clock clock;

    /**
     * Of one source.
     *
     * @param environment a variable's value, null if it is not set
     */
    public SyncStage(
            LoopPlace place,
            SourceSpec source,
            UnaryOperator<@Nullable String> environment,
            Clock clock) {
        this.place = place;
        this.source = source;
        this.environment = environment;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "sync " + source.name();
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        SyncReport report =
                new TableSync(
                                source.place().source(environment),
                                new SnapshotFolder(place.source(source.name())),
                                source.contract(),
                                clock)
                        .run();
        return StageEnd.done(words(report), report);
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
