package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.connect.back.BackFile;
import dev.medley.connect.back.BackReport;
import dev.medley.connect.back.BackRows;
import dev.medley.connect.back.BackTable;
import dev.medley.connect.back.Destination;
import dev.medley.connect.back.MappedRows;
import dev.medley.connect.back.WriteBack;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.FilesSource;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableView;
import dev.medley.loop.spec.DestinationSpec;
import dev.medley.loop.spec.ScoreSpec;
import dev.medley.loop.spec.SourceSpec;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sends answers to one destination: what it has already is not sent. */
public final class SendStage implements LoopStage {
    private final LoopPlace place;
    private final DestinationSpec spec;
    private final ScoreSpec score;
    private final SourceSpec.Opening opening;

    /** To that destination. */
    public SendStage(
            LoopPlace place, DestinationSpec spec, ScoreSpec score, SourceSpec.Opening opening) {
        this.place = place;
        this.spec = spec;
        this.score = score;
        this.opening = opening;
    }

    @Override
    public String name() {
        return "send " + spec.name();
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        Optional<Scored> scored = context.result(ScoreStage.NAME, Scored.class);
        if (scored.isEmpty()) {
            return StageEnd.skipped("there are no answers");
        }
        List<String> theirs = spec.columns().stream().map(c -> c.theirs()).toList();
        BackRows rows = taker -> read(scored.get().file(), taker);
        if (spec.place() instanceof DestinationSpec.IntoFile file) {
            BackTable table = new BackTable(file.file().toString(), file.key(), theirs);
            long written = new BackFile(file.file(), table, Map.of()).write(rows);
            return StageEnd.done(
                    "%,d rows in %s".formatted(written, file.file()),
                    new BackReport(written, 0, written, 0));
        }
        if (!(spec.place() instanceof DestinationSpec.Sent sent)) {
            throw new IllegalStateException("a destination of no kind: " + spec.place());
        }
        try (Destination destination = sent.destination(theirs, opening);
                WriteBack back =
                        WriteBack.open(
                                place.destination(spec.name()), destination, opening.clock())) {
            destination.open();
            return told(back.write(rows));
        }
    }

    private StageEnd told(BackReport report) {
        String words =
                "%,d of %,d rows written, %,d are as they were"
                        .formatted(report.written(), report.rows(), report.unchanged());
        if (report.failed() > 0) {
            words +=
                    "; %,d were not taken and wait as dead letters: medley loop letters"
                            .formatted(report.failed());
        }
        return StageEnd.done(words, report);
    }

    private void read(Path file, BackRows.Taker taker) throws IOException {
        List<String> ours = spec.columns().stream().map(c -> c.ours()).toList();
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new ConfigException(file + ": is in no folder");
        }
        FilesOptions options =
                new FilesOptions(
                        folder,
                        file.getFileName().toString(),
                        FileFormat.PARQUET,
                        List.of(),
                        Map.of());
        try (TableView view = new FilesSource(options).open(SyncStart.FIRST)) {
            view.rows(Changes.Rows.ALL, new MappedRows(score.key().get(0), ours, taker));
        }
    }
}
