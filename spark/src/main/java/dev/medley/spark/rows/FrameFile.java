package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;

/** Writes rows of a DataFrame as a file that is read as any other, with the types they have. */
public final class FrameFile {
    private FrameFile() {}

    /**
     * The rows with the columns of these names, in that order.
     *
     * @throws dev.medley.base.ConfigException if one is not there, or of a type that is not read
     */
    public static Dataset<Row> select(Dataset<?> frame, List<String> columns) {
        List<String> names = Arrays.asList(frame.schema().fieldNames());
        List<Column> select = new ArrayList<>();
        for (String column : columns) {
            check(
                    names.contains(column),
                    "the DataFrame has no column %s; it has %s",
                    column,
                    String.join(", ", names));
            StructField field = frame.schema().apply(column);
            check(
                    field.dataType() instanceof AtomicType,
                    "inputCols=%s: is of type %s; numbers, strings, booleans, dates and timestamps"
                            + " are read over time: cast it, or leave it out",
                    column,
                    field.dataType().simpleString());
            select.add(FrameColumns.quoted(column));
        }
        return frame.select(select.toArray(Column[]::new));
    }

    /** Writes such rows; moments are told in UTC, whose days all have 24 hours. */
    public static void write(List<String> columns, Iterator<Row> rows, Path file)
            throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(String.join(",", columns.stream().map(RowSample::quoted).toList()) + "\n");
            StringBuilder line = new StringBuilder();
            while (rows.hasNext()) {
                Row row = rows.next();
                line.setLength(0);
                for (int i = 0; i < columns.size(); i++) {
                    line.append(i == 0 ? "" : ",");
                    line.append(row.isNullAt(i) ? "" : RowSample.quoted(text(row, i)));
                }
                out.append(line).append('\n');
            }
        }
    }

    private static String text(Row row, int at) {
        Object value = row.get(at);
        boolean isMoment = row.schema().apply(at).dataType() instanceof TimestampType;
        if (isMoment && value instanceof Date time) {
            return time.toInstant().toString();
        }
        return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
    }

    /** What a job asks of such files. */
    public static DataSpec spec(
            DataSpec asked, StructType schema, List<Path> train, List<Path> validation) {
        List<String> numbers = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (StructField field : schema.fields()) {
            if (field.dataType() instanceof NumericType) {
                numbers.add(field.name());
            } else if (field.dataType() instanceof StringType) {
                texts.add(field.name());
            }
        }
        numbers.removeAll(asked.table().drop());
        texts.removeAll(asked.table().drop());
        return spec(asked, DataFormat.CSV, asked.table().typed(numbers, texts), train, validation);
    }

    /** Writes the texts of a column, each of which ends with a line; null is none. */
    static void writeTexts(Dataset<?> frame, String column, Path file) throws IOException {
        Iterator<Row> rows = select(frame, List.of(column)).toLocalIterator();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            while (rows.hasNext()) {
                Row row = rows.next();
                if (!row.isNullAt(0)) {
                    out.append(row.getString(0)).append('\n');
                }
            }
        }
    }

    /** What a job asks of such texts. */
    static DataSpec textSpec(DataSpec asked, Path train, List<Path> validation) {
        return spec(asked, DataFormat.TEXT, asked.table(), List.of(train), validation);
    }

    private static DataSpec spec(
            DataSpec asked,
            DataFormat format,
            DataSpec.TableSpec table,
            List<Path> train,
            List<Path> validation) {
        return new DataSpec(
                format,
                train.stream().map(Path::toString).toList(),
                validation.stream().map(Path::toString).toList(),
                asked.label(),
                asked.split(),
                table,
                asked.image(),
                asked.text(),
                asked.cache(),
                asked.prefetchBatches(),
                null,
                DataSpec.Placement.EVERYWHERE,
                asked.task(),
                null,
                asked.series(),
                null);
    }
}
