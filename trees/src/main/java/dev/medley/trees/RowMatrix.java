package dev.medley.trees;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.List;
import ml.dmlc.xgboost4j.java.XGBoostJNI;
import ml.dmlc.xgboost4j.java.util.BigDenseMatrix;
import org.jspecify.annotations.Nullable;

/** Holds rows as XGBoost takes them, in native memory. */
final class RowMatrix implements AutoCloseable {
    private final long handle;
    private final int rows;
    private final float[] targets;
    private final float @Nullable [] weights;

    private RowMatrix(long handle, int rows, float[] targets, float @Nullable [] weights) {
        this.handle = handle;
        this.rows = rows;
        this.targets = targets;
        this.weights = weights;
    }

    long handle() {
        return handle;
    }

    int rows() {
        return rows;
    }

    /** Numbers, or classes by number. */
    float[] targets() {
        return targets;
    }

    /** What a row counts. */
    float weight(int row) {
        return weights == null ? 1 : weights[row];
    }

    /** What all rows count. */
    double weight() {
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum += weight(row);
        }
        return sum;
    }

    @Override
    public void close() {
        Natives.check(XGBoostJNI.XGDMatrixFree(handle));
    }

    /** Takes rows from batches, in order. One use; to be closed where nothing was built. */
    static final class Builder implements AutoCloseable {
        private final List<TreeColumn> columns;
        private final TargetKind kind;
        private final float[] classWeights;
        private final BigDenseMatrix values;
        private final float[] targets;
        private float @Nullable [] weights;
        private int rows;

        /**
         * For so many rows.
         *
         * @param columns dense features, then those that are codes
         * @param classWeights what rows of each class count; empty where all count one
         */
        Builder(List<TreeColumn> columns, TargetKind kind, float[] classWeights, int rows) {
            Natives.load();
            this.columns = columns;
            this.kind = kind;
            this.classWeights = classWeights;
            values = new BigDenseMatrix(Math.max(1, rows), columns.size());
            targets = new float[rows];
        }

        /** Adds the rows of a batch. */
        void add(Batch batch) {
            int at = 0;
            for (HostArray input : batch.inputs()) {
                int width = (int) (input.count() / Math.max(1, batch.samples()));
                switch (input.type()) {
                    case FLOAT32 -> numbers(input, at, width, batch.samples());
                    case INT64 -> codes(input, at, width, batch.samples());
                    default -> throw new IllegalStateException("features of " + input.type());
                }
                at += width;
            }
            targets(batch);
            weights(batch);
            rows += batch.samples();
        }

        private void numbers(HostArray input, int at, int width, int samples) {
            FloatBuffer from = input.data().buffer().asFloatBuffer();
            for (int row = 0; row < samples; row++) {
                for (int i = 0; i < width; i++) {
                    values.set(rows + row, at + i, from.get(row * width + i));
                }
            }
        }

        /** A value that is missing or that training never saw is missing. */
        private void codes(HostArray input, int at, int width, int samples) {
            LongBuffer from = input.data().buffer().asLongBuffer();
            for (int i = 0; i < width; i++) {
                int known = columns.get(at + i).categories();
                for (int row = 0; row < samples; row++) {
                    long code = from.get(row * width + i);
                    boolean isKnown = code >= 0 && code < known;
                    values.set(rows + row, at + i, isKnown ? code : Float.NaN);
                }
            }
        }

        private void targets(Batch batch) {
            if (kind == TargetKind.CLASSES) {
                LongBuffer from = batch.target().data().buffer().asLongBuffer();
                for (int row = 0; row < batch.samples(); row++) {
                    targets[rows + row] = from.get(row);
                }
            } else {
                batch.target().data().buffer().asFloatBuffer().get(targets, rows, batch.samples());
            }
        }

        private void weights(Batch batch) {
            if (batch.weights() == null && classWeights.length == 0) {
                return;
            }
            if (weights == null) {
                weights = new float[targets.length];
            }
            FloatBuffer own =
                    batch.weights() == null
                            ? null
                            : batch.weights().data().buffer().asFloatBuffer();
            for (int row = 0; row < batch.samples(); row++) {
                float ofRow = own == null ? 1 : own.get(row);
                float ofClass =
                        classWeights.length == 0 ? 1 : classWeights[(int) targets[rows + row]];
                weights[rows + row] = ofRow * ofClass;
            }
        }

        /** The matrix of all rows that were promised. */
        RowMatrix build() {
            if (rows != targets.length) {
                throw new IllegalStateException(rows + " rows came of " + targets.length);
            }
            long[] out = new long[1];
            Natives.check(
                    XGBoostJNI.XGDMatrixCreateFromMatRef(
                            values.address, rows, columns.size(), Float.NaN, out));
            RowMatrix matrix = new RowMatrix(out[0], rows, targets, weights);
            try {
                describe(out[0]);
                return matrix;
            } catch (RuntimeException e) {
                matrix.close();
                throw e;
            }
        }

        private void describe(long handle) {
            String[] types = columns.stream().map(TreeColumn::type).toArray(String[]::new);
            Natives.check(XGBoostJNI.XGDMatrixSetStrFeatureInfo(handle, "feature_type", types));
            Natives.check(XGBoostJNI.XGDMatrixSetFloatInfo(handle, "label", targets));
            if (weights != null) {
                Natives.check(XGBoostJNI.XGDMatrixSetFloatInfo(handle, "weight", weights));
            }
        }

        @Override
        public void close() {
            values.dispose();
        }
    }
}
