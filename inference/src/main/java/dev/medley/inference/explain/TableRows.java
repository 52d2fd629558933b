package dev.medley.inference.explain;

import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.ColumnPlace;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BatchBuffers;
import java.util.List;

/**
 * Takes encoded rows of a table apart into columns, and puts columns of different rows together. A
 * row is an array for each column with what became of it: its features, its code, or its terms.
 */
public final class TableRows {
    private final Signature signature;
    private final List<String> names;
    private final List<ColumnPlace> places;

    /** Rows of an encoding. */
    public TableRows(TableEncoding encoding) {
        signature = encoding.signature();
        var all = ColumnPlace.of(encoding);
        names = List.copyOf(all.keySet());
        places = List.copyOf(all.values());
    }

    /** The columns, as they are called in files. */
    public List<String> names() {
        return names;
    }

    /** Where each of them is in a sample. */
    List<ColumnPlace> places() {
        return places;
    }

    /** What the rows become. */
    Signature signature() {
        return signature;
    }

    /** One row of a batch. */
    public double[][] row(Batch batch, int row) {
        double[][] cells = new double[places.size()][];
        for (int c = 0; c < cells.length; c++) {
            ColumnPlace place = places.get(c);
            cells[c] = new double[place.width()];
            if (place.width() == 0) {
                continue;
            }
            HostArray input = batch.inputs().get(place.input());
            int from = row * (int) (input.count() / batch.samples()) + place.from();
            for (int i = 0; i < place.width(); i++) {
                cells[c][i] =
                        input.type() == ElementType.INT64
                                ? input.data().buffer().asLongBuffer().get(from + i)
                                : input.data().buffer().asFloatBuffer().get(from + i);
            }
        }
        return cells;
    }

    /** Rows as a batch; shorter terms than there is room for are none behind. */
    Batch batch(List<double[][]> rows) {
        BatchBuffers buffers = new BatchBuffers(signature);
        buffers.reserve(rows.size());
        for (int r = 0; r < rows.size(); r++) {
            for (int c = 0; c < places.size(); c++) {
                put(rows.get(r)[c], places.get(c), buffers, r);
            }
        }
        return buffers.batch(rows.size());
    }

    private void put(double[] cells, ColumnPlace place, BatchBuffers buffers, int row) {
        if (place.width() == 0) {
            return;
        }
        int from = row * buffers.perSample(place.input()) + place.from();
        boolean isCode = signature.inputs().get(place.input()).type() == ElementType.INT64;
        for (int i = 0; i < place.width(); i++) {
            double value = i < cells.length ? cells[i] : 0;
            if (isCode) {
                buffers.longs(place.input()).put(from + i, (long) value);
            } else {
                buffers.floats(place.input()).put(from + i, (float) value);
            }
        }
    }
}
