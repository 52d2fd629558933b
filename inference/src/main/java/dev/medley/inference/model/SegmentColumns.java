package dev.medley.inference.model;

import dev.medley.base.evaluation.Segments;
import dev.medley.base.evaluation.Segments.Line;
import dev.medley.base.memory.NamedSpan;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.tensor.kmeans.KMeansLearner;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts centres back into the units of the files: a centre is the mean of the features of its rows,
 * so of a number it is the scaled mean, and of a category the share of each value. Of dates it is
 * the mean of days since 1970, and of times of day seconds.
 */
final class SegmentColumns {
    /**
     * Features are kept in single precision: what is below this share of a deviation says nothing.
     */
    private static final double DIGIT = 1e-6;

    private final TableEncoding encoding;
    private final DoubleBuffer centres;
    private final double[] shares;
    private final int features;
    private final List<Line> lines = new ArrayList<>();

    private SegmentColumns(TableEncoding encoding, DoubleBuffer centres, double[] shares) {
        this.encoding = encoding;
        this.centres = centres;
        this.shares = shares;
        this.features = encoding.featureCount();
    }

    /** Describes the clusters of a model. */
    static Segments of(TableEncoding encoding, List<NamedSpan> weights) {
        double[] sizes = array(weights, KMeansLearner.SIZES);
        double all = 0;
        for (double size : sizes) {
            all += size;
        }
        if (all == 0) {
            return Segments.UNKNOWN;
        }
        List<Double> shares = new ArrayList<>();
        for (int c = 0; c < sizes.length; c++) {
            sizes[c] /= all;
            shares.add(sizes[c]);
        }
        double[] centres = array(weights, KMeansLearner.CENTRES);
        SegmentColumns columns = new SegmentColumns(encoding, DoubleBuffer.wrap(centres), sizes);
        columns.tell();
        return new Segments(shares, columns.lines);
    }

    private static double[] array(List<NamedSpan> weights, String name) {
        for (NamedSpan span : weights) {
            if (span.name().equals(name)) {
                DoubleBuffer from = span.data().buffer().asDoubleBuffer();
                double[] values = new double[from.remaining()];
                from.get(values);
                return values;
            }
        }
        throw new IllegalArgumentException("no " + name + " among " + weights);
    }

    private void tell() {
        int at = 0;
        for (Dense column : encoding.dense()) {
            dense(column, at);
            at += column.features().size();
        }
        for (Category column : encoding.oneHot()) {
            List<String> values = column.values();
            for (int value = 0; value < values.size(); value++) {
                share(column.name(), values.get(value), at + value);
            }
            if (column.missing()) {
                share(column.name(), "missing", at + values.size());
            }
            at += column.knownCodes();
        }
    }

    private void dense(Dense column, int at) {
        boolean isShare = column instanceof Numeric numeric && numeric.source() == Source.BOOLEAN;
        add(column.name(), isShare ? "true" : Segments.MEAN, at, column);
        boolean hasMissing =
                column instanceof Numeric numeric
                        ? numeric.missingIndicator()
                        : column instanceof Moment moment && moment.missingIndicator();
        if (hasMissing) {
            share(column.name(), "missing", at + column.features().size() - 1);
        }
    }

    private void share(String column, String of, int at) {
        add(column, of, at, null);
    }

    private void add(String column, String of, int at, @Nullable Dense scaled) {
        List<Double> values = new ArrayList<>();
        double all = 0;
        for (int c = 0; c < shares.length; c++) {
            double mean = centres.get(c * features + at);
            double value = scaled == null ? mean : scaled.scaling().original(mean);
            double digit = DIGIT * (scaled == null ? 1 : scaled.scaling().scale());
            values.add(Math.rint(value / digit) * digit + 0.0); // No minus in front of a 0.
            all += shares[c] * values.get(c);
        }
        lines.add(new Line(column, of, values, all));
    }
}
