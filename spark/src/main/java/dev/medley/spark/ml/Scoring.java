package dev.medley.spark.ml;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.TrainedModel;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.spark.rows.FrameColumns;
import dev.medley.spark.rows.RowScorer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;

/** Adds what a model says of each row to a DataFrame, a partition after another. */
final class Scoring implements MapPartitionsFunction<Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String HIDDEN = "__medley_";

    /**
     * What a model reads.
     *
     * @param columns of the DataFrame
     * @param trained names of the columns that they stand for
     */
    record Inputs(List<String> columns, List<String> trained) {
        /** Of one whose vector of features may have another name now. */
        static Inputs of(List<String> trained, String featuresCol, boolean isRenamed) {
            return new Inputs(isRenamed ? List.of(featuresCol) : trained, trained);
        }

        FrameColumns.Known known(ModelFiles files) {
            int elements = 0;
            if (!(files.encoding() instanceof TableEncoding encoding)) {
                return new FrameColumns.Known(trained, elements);
            }
            for (ColumnEncoding.Dense column : encoding.dense()) {
                boolean isElement =
                        trained.stream()
                                .anyMatch(
                                        vector ->
                                                column.name()
                                                        .matches(Pattern.quote(vector) + "_\\d+"));
                if (isElement) {
                    elements = Math.max(elements, FrameColumns.place(column.name()) + 1);
                }
            }
            return new FrameColumns.Known(trained, elements);
        }
    }

    /** Makes the values of the new columns from a model's outputs. */
    interface Answer extends Serializable {
        Object[] of(float[] outputs);
    }

    private final ModelFiles files;
    private final FrameColumns columns;
    private final int kept;
    private final Answer answer;

    private Scoring(ModelFiles files, FrameColumns columns, int kept, Answer answer) {
        this.files = files;
        this.columns = columns;
        this.kept = kept;
        this.answer = answer;
    }

    /**
     * The same rows with more columns.
     *
     * @param inputs of the model
     * @param added types of the new columns, in the order of {@code answer}
     */
    static Dataset<Row> add(
            Dataset<?> frame,
            ModelFiles files,
            Inputs inputs,
            List<StructField> added,
            Answer answer) {
        FrameColumns.Projection projection =
                FrameColumns.find(
                        frame, FrameColumns.Wanted.of(inputs.columns(), inputs.known(files)));
        for (StructField field : added) {
            check(
                    !List.of(frame.schema().fieldNames()).contains(field.name()),
                    "the DataFrame has a column %s already: drop it, or name the prediction"
                            + " otherwise",
                    field.name());
        }
        List<Column> select = new ArrayList<>();
        select.add(functions.col("*"));
        for (int i = 0; i < projection.select().size(); i++) {
            select.add(projection.select().get(i).as(HIDDEN + i));
        }
        StructType schema = frame.schema();
        for (StructField field : added) {
            schema = schema.add(field);
        }
        int kept = frame.schema().size();
        return frame.toDF()
                .select(select.toArray(Column[]::new))
                .mapPartitions(
                        new Scoring(files, projection.columns(), kept, answer),
                        Encoders.row(schema));
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        LoadedModels<TrainedModel>.Use use = files.use();
        TaskCompletionListener giveBack = task -> use.close();
        TaskContext unused = TaskContext.get().addTaskCompletionListener(giveBack);
        return new RowScorer<>(use.model(), columns, kept, rows, this::with);
    }

    private Row with(Row row, float[] outputs) {
        Object[] more = answer.of(outputs);
        Object[] all = new Object[kept + more.length];
        for (int i = 0; i < kept; i++) {
            all[i] = row.get(i);
        }
        System.arraycopy(more, 0, all, kept, more.length);
        return RowFactory.create(all);
    }
}
