package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.Signature;
import dev.medley.loop.damage.ScoreCalibration;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.decide.MeasuredFigure;
import dev.medley.loop.spec.DriftSpec;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.loop.watch.ColumnLosses;
import dev.medley.loop.watch.ColumnReader;
import dev.medley.loop.watch.KeptColumn;
import dev.medley.loop.watch.ModelReference;
import dev.medley.loop.watch.ModelWatch;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps of each version of the model what it is watched against. It is made once, from the rows of
 * the run that trained it, which are needed no longer then.
 *
 * @param leftOut columns that are not watched
 */
public record References(
        LoopPlace place,
        LoopModels models,
        @Nullable String label,
        JudgedMetric metric,
        double confidence,
        Set<String> leftOut) {
    private static final String NEWEST = "newest.parquet";

    /** Of a loop that watches as {@code drift} says. */
    public static References of(
            LoopPlace place,
            LoopModels models,
            @Nullable String label,
            JudgedMetric metric,
            double confidence,
            DriftSpec drift) {
        Set<String> leftOut = new HashSet<>(drift.leftOut());
        if (label != null) {
            leftOut.add(label);
        }
        return new References(place, models, label, metric, confidence, Set.copyOf(leftOut));
    }

    /** That of a version; empty where the rows that it learnt from are gone. */
    Optional<ModelReference> reference(VersionFacts made) throws IOException {
        Path file = file(made.version());
        if (Files.exists(file)) {
            return Optional.of(Json.read(file, ModelReference.class));
        }
        if (!Files.exists(made.rows())) {
            return Optional.empty();
        }
        ModelReference reference = read(made);
        keep(reference);
        return Optional.of(reference);
    }

    /**
     * Keeps that of a version which was trained once more, on the newest rows too. Losses are those
     * of the one that they judged; its own answers for rows that it has not learnt from come later.
     */
    public void refitted(VersionFacts made, VersionFacts judged, Path newest) throws IOException {
        Optional<ModelReference> before = reference(judged);
        if (before.isEmpty()) {
            return;
        }
        List<KeptColumn> columns = new ArrayList<>();
        try (ColumnReader reader = new ColumnReader(place.scratch())) {
            Map<String, Boolean> there = reader.columns(newest, leftOut);
            for (KeptColumn column : before.get().columns()) {
                String name = column.column();
                boolean isThere = Boolean.valueOf(column.hasNumbers()).equals(there.get(name));
                columns.add(
                        isThere
                                ? column.merge(kept(reader, newest, name, column.hasNumbers(), 1))
                                : column);
            }
        }
        keep(
                new ModelReference(
                        made.version(),
                        made.trainedRows(),
                        columns,
                        null,
                        before.get().judged() == null
                                ? null
                                : before.get().judged().withoutCalibration()));
    }

    /** Keeps one. */
    private void keep(ModelReference reference) throws IOException {
        Path file = file(reference.version());
        Files.createDirectories(file.toAbsolutePath().getParent());
        AtomicFile.write(file, Json.bytes(reference));
    }

    private Path file(int version) {
        return place.references().resolve(version + ".json");
    }

    private ModelReference read(VersionFacts made) throws IOException {
        Path newest = made.rows().resolveSibling(NEWEST);
        try (ColumnReader reader = new ColumnReader(place.scratch())) {
            List<KeptColumn> columns = kept(reader, made.rows());
            boolean isJudged =
                    label != null
                            && Files.exists(newest)
                            && made.labelledRows() > made.trainedRows();
            if (!isJudged) {
                return new ModelReference(made.version(), made.trainedRows(), columns, null, null);
            }
            Path answered = made.rows().resolveSibling("reference.parquet");
            Path model = models.model(made.version());
            AnsweredRows.write(model, newest, answered);
            String column =
                    new AnsweredRows(place.scratch()).column(answered, AnsweredRows.target(model));
            Boolean hasNumbers = reader.columns(answered, Set.of()).get(column);
            ModelReference reference =
                    new ModelReference(
                            made.version(),
                            made.trainedRows(),
                            columns,
                            hasNumbers == null
                                    ? null
                                    : kept(reader, answered, column, hasNumbers, made.version()),
                            judged(reader, model, newest, answered));
            Files.deleteIfExists(answered);
            return reference;
        }
    }

    private static KeptColumn kept(
            ColumnReader reader, Path file, String name, boolean hasNumbers, long part) {
        return hasNumbers
                ? reader.keptNumbers(file, name, part)
                : reader.keptCategories(file, name);
    }

    private List<KeptColumn> kept(ColumnReader reader, Path rows) {
        List<KeptColumn> columns = new ArrayList<>();
        reader.columns(rows, leftOut)
                .forEach((name, isNumber) -> columns.add(kept(reader, rows, name, isNumber, 0)));
        return columns;
    }

    private ModelReference.@Nullable Judged judged(
            ColumnReader reader, Path model, Path newest, Path answered) throws IOException {
        Signature.Target target = AnsweredRows.target(model);
        AnsweredRows.requireFit(metric, target);
        AnsweredRows answers = new AnsweredRows(place.scratch());
        double[] labels = answers.labels(newest, String.valueOf(label), metric, target);
        double[] scores = answers.answers(answered, target, labels);
        MeasuredFigure figure = MeasuredFigure.of(metric, labels, scores, confidence, 0);
        if (figure == null) {
            return null;
        }
        double[] losses = metric.losses(labels, scores);
        List<ColumnLosses> byColumn = new ArrayList<>();
        for (Map.Entry<String, Boolean> column : reader.columns(newest, leftOut).entrySet()) {
            String name = column.getKey();
            byColumn.add(
                    column.getValue()
                            ? ColumnLosses.of(name, reader.numbers(newest, name), losses)
                            : ColumnLosses.of(name, reader.texts(newest, name), losses));
        }
        return new ModelReference.Judged(
                figure,
                target.kind() == Signature.TargetKind.BINARY
                        ? ScoreCalibration.of(scores, labels)
                        : null,
                byColumn);
    }

    /** The model's answers for arriving rows; null where it cannot answer them. */
    ModelWatch.@Nullable Answered answered(int version, Path rows) throws IOException {
        Path answered = rows.resolveSibling("arrived-answers.parquet");
        try {
            Path model = models.model(version);
            AnsweredRows.write(model, rows, answered);
            return new ModelWatch.Answered(
                    answered,
                    new AnsweredRows(place.scratch()).column(answered, AnsweredRows.target(model)));
        } catch (ConfigException e) {
            return null; // The stage says so, of the newest rows with labels.
        }
    }
}
