package dev.medley.spark.ml;

import dev.medley.api.TrainedModel;
import dev.medley.api.predict.Predictor;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.shard.DiskBudget;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.data.shard.Workplace;
import dev.medley.data.table.series.SequenceIngest;
import dev.medley.data.table.series.SeriesEnds;
import dev.medley.inference.model.Prediction;
import dev.medley.spark.rows.FrameFile;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Says what comes after the last row of each series, or which label a sequence has. The rows of a
 * series are brought into one partition, whose executor reads them as a file with these rows.
 *
 * @param files of the model
 * @param columns that it reads
 * @param schema of those, by which numbers are told from texts
 */
record SeriesScoring(ModelFiles files, List<String> columns, StructType schema)
        implements MapPartitionsFunction<Row, Row> {
    private static final int AT_ONCE = 512;

    /** A moment that is told in UTC, whatever the session's zone is. */
    private static final String OF_UTC =
            "timestamp_micros(timestampdiff(MICROSECOND, TIMESTAMP_NTZ'1970-01-01 00:00:00',"
                    + " CAST(%s AS TIMESTAMP_NTZ)))";

    private static List<String> by(Encoding encoding) {
        return encoding instanceof SeriesEncoding series
                ? series.by()
                : ((SequenceEncoding) encoding).by();
    }

    private static List<String> columns(Encoding encoding) {
        List<String> columns = new ArrayList<>(by(encoding));
        if (encoding instanceof SeriesEncoding series) {
            columns.add(series.time());
            columns.addAll(series.targets());
            columns.addAll(series.aheadColumns());
        } else if (encoding instanceof SequenceEncoding sequences) {
            columns.add(sequences.time());
            columns.addAll(sequences.seen());
        }
        return columns;
    }

    /** The columns that come out: those that tell series apart, and what is predicted of each. */
    static StructType schema(StructType rows, Encoding encoding, List<StructField> predicted) {
        StructType all = new StructType();
        for (String name : by(encoding)) {
            all = all.add(name, rows.apply(name).dataType());
        }
        if (encoding instanceof SeriesEncoding series) {
            all = all.add(series.time(), rows.apply(series.time()).dataType());
            for (String target : series.targets()) {
                all = all.add(target, DataTypes.DoubleType);
            }
            return all;
        }
        for (StructField field : predicted) {
            all = all.add(field);
        }
        return all;
    }

    /**
     * Predicts.
     *
     * @param predicted columns of a sequence's prediction
     */
    static Dataset<Row> of(Dataset<?> frame, ModelFiles files, List<StructField> predicted) {
        Encoding encoding = files.encoding();
        List<String> columns = columns(encoding);
        Dataset<Row> read = FrameFile.select(frame, columns);
        Column[] by =
                by(encoding).stream()
                        .map(name -> functions.col("`" + name.replace("`", "``") + "`"))
                        .toArray(Column[]::new);
        Dataset<Row> together = by.length == 0 ? read.coalesce(1) : read.repartition(by);
        StructType wanted = schema(frame.schema(), encoding, predicted);
        int said = by.length + (encoding instanceof SeriesEncoding ? 1 : 0);
        StructType found = new StructType();
        for (int i = 0; i < wanted.size(); i++) {
            StructField field = wanted.apply(i);
            found = found.add(field.name(), i < said ? DataTypes.StringType : field.dataType());
        }
        Dataset<Row> rows =
                together.mapPartitions(
                        new SeriesScoring(files, columns, read.schema()), Encoders.row(found));
        Column[] select = new Column[wanted.size()];
        for (int i = 0; i < select.length; i++) {
            StructField field = wanted.apply(i);
            String name = "`" + field.name().replace("`", "``") + "`";
            boolean isMoment = i == by.length && field.dataType() instanceof TimestampType;
            Column column =
                    i < said && isMoment
                            ? functions.expr(OF_UTC.formatted(name))
                            : functions.col(name).cast(field.dataType());
            select[i] = column.as(field.name());
        }
        return rows.select(select);
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) throws IOException {
        if (!rows.hasNext()) {
            return rows;
        }
        Path folder = Files.createTempDirectory("medley-series-");
        try (LoadedModels<TrainedModel>.Use use = files.use()) {
            Path file = folder.resolve("rows.csv");
            FrameFile.write(columns, rows, file);
            return predicted(use.model(), file, folder).iterator();
        } finally {
            AtomicFolder.delete(folder);
        }
    }

    private List<Row> predicted(TrainedModel model, Path file, Path folder) throws IOException {
        DataSpec spec =
                FrameFile.spec(Predictor.like(model, file), schema, List.of(file), List.of());
        Encoding encoding = model.encoding();
        PreparedData data =
                Datasets.encodeInputs(
                        encoding, spec, folder.resolve("cache"), PreparationProgress.NONE);
        List<float[]> outputs = outputs(model, data);
        List<Row> all = new ArrayList<>();
        if (encoding instanceof SeriesEncoding series) {
            SeriesEnds ends = SeriesEnds.of(series, spec, DataFormat.CSV, List.of(file), folder);
            Iterator<List<String>> names = ends.rows().iterator();
            for (int s = 0; s < outputs.size(); s++) {
                Object[] scaled = new Object[outputs.get(s).length];
                float[] of = outputs.get(s);
                Arrays.setAll(scaled, i -> (double) of[i]);
                for (Object[] numbers : ends.numbers(s, scaled)) {
                    all.add(row(names.next(), numbers));
                }
            }
            return all;
        }
        Workplace place =
                new Workplace(folder, 0, new DiskBudget(Long.MAX_VALUE), PreparationProgress.NONE);
        List<List<String>> names =
                new SequenceIngest(spec, DataFormat.CSV, place)
                        .names((SequenceEncoding) encoding, List.of(file));
        for (int s = 0; s < outputs.size(); s++) {
            all.add(row(names.get(s), said(model, outputs.get(s))));
        }
        return all;
    }

    private static Object[] said(TrainedModel model, float[] outputs) {
        Target target = model.description().signature().target();
        Prediction prediction = Prediction.of(target, model.description().threshold(), outputs);
        if (target.kind() == TargetKind.VALUE) {
            return new Object[] {(double) outputs[0]};
        }
        double[] scores = prediction.scores().stream().mapToDouble(Double::doubleValue).toArray();
        return new Object[] {prediction.answer(), new DenseVector(scores)};
    }

    private static Row row(List<String> names, Object[] values) {
        Object[] all = Arrays.copyOf(names.toArray(), names.size() + values.length);
        System.arraycopy(values, 0, all, names.size(), values.length);
        return RowFactory.create(all);
    }

    private static List<float[]> outputs(TrainedModel model, PreparedData data) {
        List<float[]> rows = new ArrayList<>();
        try (TrainingData samples = model.open(data)) {
            long count = data.validationSamples();
            for (long from = 0; from < count; from += AT_ONCE) {
                Batch batch = samples.validation(from, Math.min(count, from + AT_ONCE));
                FloatBuffer values = model.predict(batch).data().buffer().asFloatBuffer();
                int width = values.remaining() / batch.samples();
                for (int i = 0; i < batch.samples(); i++) {
                    float[] row = new float[width];
                    values.get(row);
                    rows.add(row);
                }
            }
        }
        return rows;
    }
}
