package dev.medley.spark.connect;

import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.functions;

/** Looks at DataFrames. */
final class Frames {
    private Frames() {}

    /** Elements of the vectors of a column that has some. */
    static int size(Dataset<?> rows, String vectors) {
        return first(rows, vectors).length;
    }

    /** The first of them. */
    static double[] first(Dataset<?> rows, String vectors) {
        Column column = functions.col("`" + vectors.replace("`", "``") + "`");
        return ((Vector) rows.select(column).where(column.isNotNull()).head().get(0)).toArray();
    }
}
