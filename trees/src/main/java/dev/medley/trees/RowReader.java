package dev.medley.trees;

import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rows from batches, in order: their values, targets, and what each counts. */
final class RowReader {
    private final List<TreeColumn> columns;
    private final TargetKind kind;
    private final float[] classWeights;
    private final Cells cells;
    private final float[] targets;
    private float @Nullable [] weights;
    private final List<Integer> groups = new ArrayList<>();
    private int rows;

    /** Takes values. */
    interface Cells {
        /** The value of a row in a column; NaN for none. */
        void set(int row, int column, float value);
    }

    /**
     * For so many rows.
     *
     * @param columns dense features, then those that are codes
     * @param classWeights what rows of each class count; empty where all count one
     */
    RowReader(
            List<TreeColumn> columns,
            TargetKind kind,
            float[] classWeights,
            int count,
            Cells cells) {
        this.columns = columns;
        this.kind = kind;
        this.classWeights = classWeights;
        this.cells = cells;
        this.targets = new float[count];
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
                cells.set(rows + row, at + i, from.get(row * width + i));
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
                cells.set(rows + row, at + i, isKnown ? code : Float.NaN);
            }
        }
    }

    private void targets(Batch batch) {
        if (kind == TargetKind.CLASSES) {
            LongBuffer from = batch.target().data().buffer().asLongBuffer();
            for (int row = 0; row < batch.samples(); row++) {
                targets[rows + row] = from.get(row);
            }
        } else if (kind == TargetKind.GRADE) {
            grades(batch);
        } else {
            batch.target().data().buffer().asFloatBuffer().get(targets, rows, batch.samples());
        }
    }

    /** The first row begins a group, whatever it was before others were left out. */
    private void grades(Batch batch) {
        FloatBuffer from = batch.target().data().buffer().asFloatBuffer();
        for (int row = 0; row < batch.samples(); row++) {
            targets[rows + row] = from.get(2 * row);
            if (groups.isEmpty() || from.get(2 * row + 1) > 0) {
                groups.add(0);
            }
            groups.set(groups.size() - 1, groups.get(groups.size() - 1) + 1);
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
                batch.weights() == null ? null : batch.weights().data().buffer().asFloatBuffer();
        for (int row = 0; row < batch.samples(); row++) {
            float ofRow = own == null ? 1 : own.get(row);
            float ofClass = classWeights.length == 0 ? 1 : classWeights[(int) targets[rows + row]];
            weights[rows + row] = ofRow * ofClass;
        }
    }

    /** Targets and weights of the rows that were promised. */
    RowTargets read() {
        if (rows != targets.length) {
            throw new IllegalStateException(rows + " rows came of " + targets.length);
        }
        int[] sizes = groups.stream().mapToInt(Integer::intValue).toArray();
        return new RowTargets(targets, weights, sizes);
    }
}
