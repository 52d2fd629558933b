package dev.medley.spark.rows;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.image.ImageSchema;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Says which columns of a DataFrame a model reads, and how each becomes a number or a text by
 * Spark's own expressions. A vector is as many numbers as it has elements.
 *
 * @param columns that are read
 * @param roles what else a row has
 */
public record FrameColumns(List<FrameColumn> columns, Roles roles) implements Serializable {
    private static final long DAY_SECONDS = 86_400;

    /** Vectors that are longer become a column each for too many columns. */
    private static final int MOST_ELEMENTS = 20_000;

    /**
     * The places of what a row has besides, in the projected row; -1 where it has none.
     *
     * @param label what is learnt
     * @param isText whether the label is a string
     * @param weight what the row counts
     * @param validation whether the row is kept for validation
     * @param group which rows it is ranked with, as a string
     */
    public record Roles(int label, boolean isText, int weight, int validation, int group)
            implements Serializable {}

    /**
     * What to read.
     *
     * @param inputs names of columns: numbers, strings, booleans, dates, timestamps and vectors
     * @param label null for none
     * @param weight null where all rows count one
     * @param validation a boolean column; null where rows are drawn
     * @param group whose values say which rows are ranked together; null where none are
     */
    public record Wanted(
            List<String> inputs,
            @Nullable String label,
            @Nullable String weight,
            @Nullable String validation,
            @Nullable String group,
            Known known) {
        /** To learn from. */
        public Wanted(
                List<String> inputs,
                @Nullable String label,
                @Nullable String weight,
                @Nullable String validation) {
            this(inputs, label, weight, validation, null, new Known(inputs, 0));
        }

        /** The same of rows that are ranked among those with the same value of a column. */
        public Wanted rankedBy(@Nullable String column) {
            return new Wanted(inputs, label, weight, validation, column, known);
        }

        /** To predict. */
        public static Wanted of(List<String> inputs, Known known) {
            return new Wanted(inputs, null, null, null, null, known);
        }
    }

    /**
     * What a model knows of the columns that it was trained on.
     *
     * @param names of them
     * @param elements of the vectors; 0 where that has still to be found
     */
    public record Known(List<String> names, int elements) {}

    /** The column of images, which is the only one then; null for rows of numbers and texts. */
    @Nullable FrameColumn image() {
        FrameColumn first = columns.isEmpty() ? null : columns.get(0);
        return first != null
                        && (first.kind() == FrameColumn.Kind.IMAGE
                                || first.kind() == FrameColumn.Kind.PIXELS)
                ? first
                : null;
    }

    /** Whether a column holds images: bytes of files, or what Spark's source of images gives. */
    public static boolean isImage(StructField field) {
        return field.dataType() instanceof BinaryType || isPixels(field.dataType());
    }

    private static boolean isPixels(DataType type) {
        return type.sameType(ImageSchema.columnSchema());
    }

    /** A projection under way. */
    private static final class Draft {
        private final StructType schema;
        private final List<FrameColumn> columns = new ArrayList<>();
        private final List<Column> select = new ArrayList<>();

        Draft(StructType schema) {
            this.schema = schema;
        }

        int add(Column column) {
            select.add(column);
            return select.size() - 1;
        }

        StructField field(String role, String name) {
            check(
                    Arrays.asList(schema.fieldNames()).contains(name),
                    "%s=%s: the DataFrame has no such column%s; it has %s",
                    role,
                    name,
                    DidYouMean.of(name, Arrays.asList(schema.fieldNames()))
                            .map(near -> ", did you mean " + near + "?")
                            .orElse(""),
                    String.join(", ", schema.fieldNames()));
            return schema.apply(name);
        }
    }

    /**
     * The columns and the projection that has them.
     *
     * @param columns as they lie in the projection
     * @param select its expressions
     */
    public record Projection(FrameColumns columns, List<Column> select) {
        /** Of the DataFrame that it was made for. */
        public Dataset<Row> of(Dataset<?> frame) {
            return frame.select(select.toArray(Column[]::new));
        }

        /**
         * The same with rows that are ranked together in one partition, one behind the other as
         * they lay before.
         */
        public Dataset<Row> together(Dataset<?> frame) {
            int group = columns.roles().group();
            if (group < 0) {
                return of(frame);
            }
            String[] names = new String[select.size()];
            Arrays.setAll(names, i -> "c" + i);
            String by = names[group];
            int parts =
                    Integer.parseInt(
                            frame.sparkSession().conf().get("spark.sql.shuffle.partitions"));
            return of(frame)
                    .toDF(names)
                    .withColumn("place", functions.monotonically_increasing_id())
                    .repartition(parts, functions.col(by))
                    .sortWithinPartitions(by, "place");
        }
    }

    /**
     * Finds them in a schema.
     *
     * @throws dev.medley.base.ConfigException if one is not there, or is of a type that is not read
     */
    public static Projection find(Dataset<?> frame, Wanted wanted) {
        Draft draft = new Draft(frame.schema());
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < wanted.inputs().size(); i++) {
            String input = wanted.inputs().get(i);
            check(taken.add(input), "inputCols: %s is named twice", input);
            input(draft, input, wanted.known(), wanted.known().names().get(i), frame);
        }
        Set<String> names = new HashSet<>();
        for (FrameColumn column : draft.columns) {
            check(
                    draft.columns.size() == 1
                            || (column.kind() != FrameColumn.Kind.IMAGE
                                    && column.kind() != FrameColumn.Kind.PIXELS),
                    "inputCols=%s: holds images, which are learnt from alone: name that column or"
                            + " the others",
                    column.name());
            check(
                    names.add(column.name()),
                    "inputCols: the column %s and an element of a vector have the same name: rename"
                            + " the column",
                    column.name());
        }
        int label = -1;
        boolean isText = false;
        if (wanted.label() != null) {
            StructField field = draft.field("labelCol", wanted.label());
            isText = field.dataType() instanceof StringType;
            check(
                    isText
                            || field.dataType() instanceof NumericType
                            || field.dataType() instanceof BooleanType,
                    "labelCol=%s: is of type %s; a number, a boolean or a string is needed",
                    wanted.label(),
                    field.dataType().simpleString());
            Column column = quoted(wanted.label());
            label = draft.add(isText ? column : column.cast("double"));
        }
        return new Projection(
                new FrameColumns(
                        List.copyOf(draft.columns),
                        new Roles(
                                label,
                                isText,
                                weight(draft, wanted.weight()),
                                validation(draft, wanted.validation()),
                                group(draft, wanted.group()))),
                List.copyOf(draft.select));
    }

    private static int weight(Draft draft, @Nullable String name) {
        if (name == null) {
            return -1;
        }
        StructField field = draft.field("weightCol", name);
        check(
                field.dataType() instanceof NumericType,
                "weightCol=%s: is of type %s; a number is needed",
                name,
                field.dataType().simpleString());
        return draft.add(quoted(name).cast("double"));
    }

    private static int validation(Draft draft, @Nullable String name) {
        if (name == null) {
            return -1;
        }
        StructField field = draft.field("validationIndicatorCol", name);
        check(
                field.dataType() instanceof BooleanType,
                "validationIndicatorCol=%s: is of type %s; a boolean is needed",
                name,
                field.dataType().simpleString());
        return draft.add(quoted(name));
    }

    private static int group(Draft draft, @Nullable String name) {
        if (name == null) {
            return -1;
        }
        StructField field = draft.field("data.group", name);
        check(
                field.dataType() instanceof AtomicType,
                "data.group=%s: is of type %s; a string or a number is needed",
                name,
                field.dataType().simpleString());
        return draft.add(quoted(name).cast("string"));
    }

    private static void input(Draft draft, String name, Known known, String as, Dataset<?> frame) {
        StructField field = draft.field("inputCols", name);
        DataType type = field.dataType();
        Column column = quoted(name);
        if (type.equals(SQLDataTypes.VectorType())) {
            vector(draft, field, known, as, frame);
        } else if (isImage(field)) {
            boolean isFile = type instanceof BinaryType;
            FrameColumn.Kind kind = isFile ? FrameColumn.Kind.IMAGE : FrameColumn.Kind.PIXELS;
            draft.columns.add(new FrameColumn(as, kind, draft.add(column), 0));
        } else if (type instanceof StringType) {
            draft.columns.add(new FrameColumn(as, FrameColumn.Kind.TEXT, draft.add(column), 0));
        } else {
            Column number = number(column, name, type);
            if (number == null) {
                throw new ConfigException(
                        ("inputCols=%s: is of type %s; numbers, strings, booleans, dates,"
                             + " timestamps and vectors are read: cast it, or leave it out")
                                .formatted(name, type.simpleString()));
            }
            boolean isNumber = type instanceof NumericType || type instanceof BooleanType;
            FrameColumn.Kind kind = isNumber ? FrameColumn.Kind.NUMBER : FrameColumn.Kind.MOMENT;
            draft.columns.add(new FrameColumn(as, kind, draft.add(number), 0));
        }
    }

    private static @Nullable Column number(Column column, String name, DataType type) {
        if (type instanceof NumericType || type instanceof BooleanType) {
            return column.cast("double");
        } else if (type instanceof TimestampType) {
            return column.cast("double"); // Seconds since 1970.
        } else if (type instanceof TimestampNTZType) {
            return functions.expr(
                    "timestampdiff(MICROSECOND, TIMESTAMP_NTZ'1970-01-01 00:00:00', `%s`) / 1e6"
                            .formatted(name.replace("`", "``")));
        } else if (type instanceof DateType) {
            return functions.unix_date(column).cast("double").multiply(DAY_SECONDS);
        }
        return null;
    }

    /** How long the vectors are: as the column's attributes say, or as the first row has it. */
    private static void vector(
            Draft draft, StructField field, Known known, String as, Dataset<?> frame) {
        AttributeGroup group = AttributeGroup.fromStructField(field);
        int size = known.elements() > 0 ? known.elements() : group.size();
        if (size < 0) {
            Row first =
                    frame
                            .select(quoted(field.name()))
                            .where(quoted(field.name()).isNotNull())
                            .limit(1)
                            .collectAsList()
                            .stream()
                            .findFirst()
                            .orElse(null);
            if (first == null) {
                throw new ConfigException(
                        "featuresCol=%s: no row has a vector there: nothing can be learnt"
                                .formatted(field.name()));
            }
            size = ((Vector) first.get(0)).size();
        }
        check(
                size > 0 && size <= MOST_ELEMENTS,
                "featuresCol=%s: vectors of %d elements; from 1 to %d are read: hash into fewer"
                        + " (HashingTF.setNumFeatures), or select some",
                field.name(),
                size,
                MOST_ELEMENTS);
        int at = draft.add(quoted(field.name()));
        for (int i = 0; i < size; i++) {
            // By place: the names of attributes may be there in training, and not later.
            draft.columns.add(new FrameColumn(element(as, i), FrameColumn.Kind.ELEMENT, at, i));
        }
    }

    /** The name of an element of a vector. */
    public static String element(String vector, int place) {
        return vector + "_" + place;
    }

    /** The place that a name of that kind says. */
    public static int place(String element) {
        return Integer.parseInt(element.substring(element.lastIndexOf('_') + 1));
    }

    static Column quoted(String name) {
        return functions.col("`" + name.replace("`", "``") + "`");
    }
}
