package dev.medley.trees;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import java.util.List;
import ml.dmlc.xgboost4j.java.XGBoostJNI;
import ml.dmlc.xgboost4j.java.util.BigDenseMatrix;

/** Holds rows as XGBoost takes them for training, in native memory. */
final class RowMatrix implements AutoCloseable {
    private final RowTargets targets;
    private long handle;

    private RowMatrix(long handle, RowTargets targets) {
        this.handle = handle;
        this.targets = targets;
    }

    long handle() {
        return handle;
    }

    RowTargets targets() {
        return targets;
    }

    @Override
    public void close() {
        if (handle != 0) {
            Natives.check(XGBoostJNI.XGDMatrixFree(handle));
            handle = 0;
        }
    }

    /** Takes rows from batches, in order. One use; to be closed. */
    static final class Builder implements AutoCloseable {
        private final List<TreeColumn> columns;
        private final BigDenseMatrix values;
        private final RowReader reader;

        /** For so many rows; see {@link RowReader}. */
        Builder(List<TreeColumn> columns, TargetKind kind, float[] classWeights, int rows) {
            Natives.load();
            this.columns = columns;
            values = new BigDenseMatrix(Math.max(1, rows), columns.size());
            reader = new RowReader(columns, kind, classWeights, rows, values::set);
        }

        /** Adds the rows of a batch. */
        void add(Batch batch) {
            reader.add(batch);
        }

        /** The matrix of all rows that were promised. */
        RowMatrix build() {
            RowTargets read = reader.read();
            long[] out = new long[1];
            Natives.check(
                    XGBoostJNI.XGDMatrixCreateFromMatRef(
                            values.address, read.rows(), columns.size(), Float.NaN, out));
            RowMatrix matrix = new RowMatrix(out[0], read);
            try {
                describe(matrix);
                return matrix;
            } catch (RuntimeException e) {
                matrix.close();
                throw e;
            }
        }

        private void describe(RowMatrix matrix) {
            long handle = matrix.handle();
            RowTargets read = matrix.targets();
            String[] types = columns.stream().map(TreeColumn::type).toArray(String[]::new);
            Natives.check(XGBoostJNI.XGDMatrixSetStrFeatureInfo(handle, "feature_type", types));
            Natives.check(XGBoostJNI.XGDMatrixSetFloatInfo(handle, "label", read.targets()));
            if (read.groups().length > 0) {
                Natives.check(XGBoostJNI.XGDMatrixSetUIntInfo(handle, "group", read.groups()));
            }
            if (read.weights() != null) {
                Natives.check(XGBoostJNI.XGDMatrixSetFloatInfo(handle, "weight", read.weights()));
            }
        }

        @Override
        public void close() {
            values.dispose();
        }
    }
}
