package dev.medley.spark.rows;

import dev.medley.data.image.ImageRecord;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Reads the values of a projected row, as Spark has it inside or as users see it. */
interface RowValues {
    boolean isNull(int at);

    double number(int at);

    String text(int at);

    boolean flag(int at);

    /** All elements, those that a sparse one does not name as 0. */
    double[] vector(int at);

    /** The image whose file or pixels stand there. */
    ImageRecord.Opened image(int at, boolean isFile);

    /** Rows as Spark has them inside: one object for all rows. */
    final class Inside implements RowValues {
        private static final int VECTOR_FIELDS = 4;
        private static final byte DENSE = 1;

        private InternalRow row = InternalRow.empty();

        Inside of(InternalRow next) {
            row = next;
            return this;
        }

        @Override
        public boolean isNull(int at) {
            return row.isNullAt(at);
        }

        @Override
        public double number(int at) {
            return row.getDouble(at);
        }

        @Override
        public String text(int at) {
            return row.getUTF8String(at).toString();
        }

        @Override
        public boolean flag(int at) {
            return row.getBoolean(at);
        }

        /** As {@code VectorUDT} lays it out. */
        @Override
        public double[] vector(int at) {
            InternalRow struct = row.getStruct(at, VECTOR_FIELDS);
            ArrayData values = struct.getArray(3);
            if (struct.getByte(0) == DENSE) {
                return values.toDoubleArray();
            }
            double[] all = new double[struct.getInt(1)];
            ArrayData indices = struct.getArray(2);
            for (int i = 0; i < indices.numElements(); i++) {
                all[indices.getInt(i)] = values.getDouble(i);
            }
            return all;
        }

        @Override
        public ImageRecord.Opened image(int at, boolean isFile) {
            if (isFile) {
                return ImageRecord.open(row.getBinary(at));
            }
            InternalRow image = row.getStruct(at, FrameImages.FIELDS);
            return FrameImages.opened(
                    image.getInt(FrameImages.HEIGHT),
                    image.getInt(FrameImages.WIDTH),
                    image.getInt(FrameImages.CHANNELS),
                    image.getBinary(FrameImages.DATA));
        }
    }

    /** Rows as users see them, of which the first columns are not of the projection. */
    final class Outside implements RowValues {
        private final int first;
        private Row row = Row.empty();

        Outside(int first) {
            this.first = first;
        }

        Outside of(Row next) {
            row = next;
            return this;
        }

        @Override
        public boolean isNull(int at) {
            return row.isNullAt(first + at);
        }

        @Override
        public double number(int at) {
            return row.getDouble(first + at);
        }

        @Override
        public String text(int at) {
            return row.getString(first + at);
        }

        @Override
        public boolean flag(int at) {
            return row.getBoolean(first + at);
        }

        @Override
        public double[] vector(int at) {
            return ((Vector) row.get(first + at)).toArray();
        }

        @Override
        public ImageRecord.Opened image(int at, boolean isFile) {
            if (isFile) {
                return ImageRecord.open((byte[]) row.get(first + at));
            }
            Row image = row.getStruct(first + at);
            return FrameImages.opened(
                    image.getInt(FrameImages.HEIGHT),
                    image.getInt(FrameImages.WIDTH),
                    image.getInt(FrameImages.CHANNELS),
                    (byte[]) image.get(FrameImages.DATA));
        }
    }
}
