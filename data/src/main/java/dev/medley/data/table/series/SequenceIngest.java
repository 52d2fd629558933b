package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.SplitSequence;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.column.BadRowPolicy;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.data.table.fit.LabelChoice;
import dev.medley.data.table.series.SeriesCategories.OneHot;
import dev.medley.data.table.series.SeriesScales.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts a table to sequences, each with one label. Some are kept to judge by, whole: no sequence
 * is seen in both splits.
 */
public final class SequenceIngest {
    private final DataSpec spec;
    private final DataFormat format;
    private final Workplace place;

    /** For the table that {@code spec} describes. */
    public SequenceIngest(DataSpec spec, DataFormat format, Workplace place) {
        this.spec = spec;
        this.format = format;
        this.place = place;
    }

    /** Fits scales and label on the training sequences. */
    public Ingested ingest(List<Path> train, List<Path> validation) throws IOException {
        return ingest(Objects.requireNonNull(spec.series()), null, train, validation);
    }

    /** The same splits, with an encoding that was fitted before. */
    public Ingested ingestAs(SequenceEncoding encoding, List<Path> train, List<Path> validation)
            throws IOException {
        return ingest(like(encoding), encoding, train, validation);
    }

    private Ingested ingest(
            SeriesSpec series,
            @Nullable SequenceEncoding given,
            List<Path> train,
            List<Path> validation)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(train, place.folder())) {
            String label = Objects.requireNonNull(spec.label());
            SequenceRows rows = stage(db, series, label, given, train);
            LabelChoice choice = Objects.requireNonNull(rows.label());
            place.progress().classes(choice.classValues());
            double[] labels = rows.labels(choice);
            BitSet kept = kept(labels, choice, validation);
            check(
                    kept.cardinality() < labels.length,
                    "data.split.validation=%s: of %d sequences none is left to train on",
                    spec.split().validationFraction(),
                    labels.length);
            SequenceEncoding encoding =
                    given == null ? fit(series, rows, choice, labels, kept) : given;
            List<Long> counts = counts(labels, kept, encoding.label());
            check(
                    given != null
                            || counts.isEmpty()
                            || counts.stream().filter(count -> count > 0).count() > 1,
                    "label '%s' has one class only in the training sequences (of %s): there is"
                            + " nothing to learn; use more data, or data.split: {kind: stratified}",
                    label,
                    choice.classValues());
            List<BadRowPolicy> policies = new ArrayList<>(List.of(rows.policy()));
            OneHot oneHot = rows.categories().oneHot(encoding.ofCategories());
            SequenceFile trained = new SequenceFile("train.bin", encoding, place);
            SequenceFile judged = new SequenceFile("validation.bin", encoding, place);
            try (trained;
                    judged) {
                write(rows, labels, oneHot, s -> kept.get(s) ? judged : trained);
                if (!validation.isEmpty()) {
                    rows.drop();
                    SequenceRows more = stage(db, like(encoding), label, encoding, validation);
                    policies.add(more.policy());
                    write(
                            more,
                            more.labels(Objects.requireNonNull(more.label())),
                            more.categories().oneHot(encoding.ofCategories()),
                            s -> judged);
                }
            }
            String sentence =
                    String.format(
                            Locale.ROOT,
                            "%,d sequences of up to %d rows of %d columns to train, %,d to"
                                    + " validate",
                            trained.samples(),
                            encoding.rows(),
                            encoding.seen().size(),
                            judged.samples());
            return new Ingested(
                    encoding,
                    trained.file(),
                    judged.file(),
                    SeriesTable.findings(policies, true, counts, told(sentence, rows, encoding)));
        }
    }

    /** All sequences, to judge a trained model by. */
    public Ingested encode(SequenceEncoding encoding, List<Path> files) throws IOException {
        return all(encoding, files, true);
    }

    /** The same without labels, to predict them. */
    public Ingested encodeInputs(SequenceEncoding encoding, List<Path> files) throws IOException {
        return all(encoding, files, false);
    }

    private Ingested all(SequenceEncoding encoding, List<Path> files, boolean isLabelled)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder())) {
            String label = isLabelled ? encoding.label().column() : null;
            SequenceRows rows = stage(db, like(encoding), label, encoding, files);
            LabelChoice choice = rows.label();
            double[] labels =
                    choice == null ? new double[rows.names().size()] : rows.labels(choice);
            SequenceFile file = new SequenceFile("validation.bin", encoding, place);
            SequenceFile none = new SequenceFile("train.bin", encoding, place);
            try (file;
                    none) {
                OneHot oneHot = rows.categories().oneHot(encoding.ofCategories());
                write(rows, labels, oneHot, s -> file);
            }
            String sentence = String.format(Locale.ROOT, "%,d sequences", file.samples());
            return new Ingested(
                    encoding,
                    none.file(),
                    file.file(),
                    SeriesTable.findings(
                            List.of(rows.policy()), isLabelled, List.of(), List.of(sentence)));
        }
    }

    /** Names of the sequences of files, in the order of their samples. */
    public List<List<String>> names(SequenceEncoding encoding, List<Path> files)
            throws IOException {
        try (DuckDb db = DuckDb.forFiles(files, place.folder())) {
            return stage(db, like(encoding), null, encoding, files).names();
        }
    }

    private SequenceRows stage(
            DuckDb db,
            SeriesSpec series,
            @Nullable String label,
            @Nullable SequenceEncoding given,
            List<Path> files) {
        return SequenceRows.stage(
                db,
                spec,
                series,
                label,
                given == null ? null : given.label(),
                given == null ? null : given.ofCategories(),
                format,
                files,
                place.progress());
    }

    private static List<String> told(
            String sentence, SequenceRows rows, SequenceEncoding encoding) {
        List<String> all = new ArrayList<>(List.of(sentence));
        all.addAll(rows.sentences());
        all.addAll(rows.categories().sentences(encoding.ofCategories()));
        return all;
    }

    private BitSet kept(double[] labels, LabelChoice choice, List<Path> validation) {
        boolean isStratified = spec.split().kind() == SplitKind.STRATIFIED && !choice.isValue();
        long[] counts = new long[isStratified ? choice.classValues().size() : 1];
        for (double label : labels) {
            counts[isStratified ? (int) label : 0]++;
        }
        SplitKind kind = isStratified ? SplitKind.STRATIFIED : SplitKind.RANDOM;
        SplitSequence split =
                validation.isEmpty()
                        ? new SplitSequence(
                                kind, spec.split().validationFraction(), counts, place.seed())
                        : SplitSequence.none(labels.length);
        BitSet kept = new BitSet();
        for (int s = 0; s < labels.length; s++) {
            kept.set(s, split.nextIsValidation(isStratified ? (int) labels[s] : 0));
        }
        return kept;
    }

    private SequenceEncoding fit(
            SeriesSpec series, SequenceRows rows, LabelChoice choice, double[] labels, BitSet kept)
            throws IOException {
        int columns = rows.columns().size();
        Spread[] spreads = new Spread[columns + 1];
        Arrays.setAll(spreads, c -> new Spread());
        rows.scan(
                chunk -> {
                    for (int row = 0; row < chunk.rows; row++) {
                        boolean isTrained = !kept.get(chunk.codes[0][row]);
                        if (isTrained) {
                            rows.categories().count(chunk.codes, 1, row);
                        }
                        for (int c = 0; c < columns && isTrained; c++) {
                            double value = chunk.numbers[c + 1][row];
                            if (!Double.isNaN(value)) {
                                spreads[c].add(value);
                            }
                        }
                    }
                });
        for (int s = 0; s < labels.length; s++) {
            if (!kept.get(s)) {
                spreads[columns].add(labels[s]);
            }
        }
        String name = choice.column().name();
        Scaling values = spreads[columns].scaling();
        LabelEncoding label =
                choice.isValue()
                        ? LabelEncoding.ofNumber(
                                name,
                                choice.column().form().source(),
                                values.centre(),
                                values.scale())
                        : LabelEncoding.ofClasses(name, choice.classValues());
        return new SequenceEncoding(
                series.time(),
                series.by(),
                rows.columns(),
                series.lookBack(),
                Arrays.stream(spreads, 0, columns).map(Spread::scaling).toList(),
                label,
                rows.categories().fit(spec.table().terms()));
    }

    @FunctionalInterface
    private interface Choice {
        SequenceFile of(int sequence);
    }

    private static void write(SequenceRows rows, double[] labels, OneHot oneHot, Choice choice)
            throws IOException {
        int[] at = {0};
        rows.scan(
                chunk -> {
                    for (int row = 0; row < chunk.rows; row++) {
                        int s = chunk.codes[0][row];
                        if (s != at[0]) {
                            choice.of(at[0]).end(labels[at[0]]);
                            at[0] = s;
                        }
                        choice.of(s).add(chunk, row, oneHot);
                    }
                });
        if (labels.length > 0) {
            choice.of(at[0]).end(labels[at[0]]);
        }
    }

    private static List<Long> counts(double[] labels, BitSet kept, LabelEncoding label) {
        Long[] counts = new Long[label.classes().size()];
        Arrays.fill(counts, 0L);
        for (int s = 0; s < labels.length && counts.length > 0; s++) {
            counts[(int) labels[s]] += kept.get(s) ? 0 : 1;
        }
        return List.of(counts);
    }

    /** The columns of a trained model. */
    private static SeriesSpec like(SequenceEncoding encoding) {
        return SeriesSpec.of(encoding.time(), encoding.rows(), 1)
                .seeing(encoding.by(), encoding.seen());
    }
}
