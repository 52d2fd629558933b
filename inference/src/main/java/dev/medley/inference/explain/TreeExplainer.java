package dev.medley.inference.explain;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnPlace;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.trees.GrownTrees;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Explains models of trees, exactly: the sum over trees of {@link TreeShap}. Boosting is explained
 * on the scale on which its trees add up, a forest by the mean of its trees. Features of a column
 * count together.
 */
final class TreeExplainer implements Explainer {
    private final List<List<TreeShap>> trees;
    private final double[] start;
    private final double times;
    private final double centre;
    private final TableRows rows;
    private final int features;
    private final int[] knownCodes;
    private final String scale;
    private final boolean areShares;

    private TreeExplainer(
            GrownTrees grown, ModelSpec.Trees spec, TableEncoding encoding, TableRows rows) {
        Target target = encoding.label().target();
        boolean isForest = spec instanceof ModelSpec.Forest;
        this.rows = rows;
        features = encoding.featureNames().size();
        knownCodes = encoding.embedded().stream().mapToInt(Category::valueCodes).toArray();
        trees = new ArrayList<>();
        grown.start().forEach(output -> trees.add(new ArrayList<>()));
        grown.trees().forEach(tree -> trees.get(tree.output()).add(new TreeShap(tree)));
        start = grown.start().stream().mapToDouble(Double::doubleValue).toArray();
        int grownRounds = grown.trees().size() / start.length;
        times = isForest ? (double) spec.rounds() / Math.max(1, grownRounds) : 1;
        centre = isForest && target.kind() == TargetKind.VALUE ? target.mean() : 0;
        areShares = isForest && target.kind() != TargetKind.VALUE;
        scale = areShares ? "probability of the class" : Explainer.scaleOf(target);
    }

    static TreeExplainer of(
            GrownTrees grown, ModelSpec.Trees spec, TableEncoding encoding, TableRows rows) {
        return new TreeExplainer(grown, spec, encoding, rows);
    }

    @Override
    public String method() {
        return "TreeSHAP (path-dependent)";
    }

    @Override
    public boolean isExact() {
        return true;
    }

    @Override
    public String background() {
        return "the rows that each tree grew from";
    }

    @Override
    public String scale() {
        return scale;
    }

    @Override
    public Explanation explain(double[][] row, ExplainedOutput output, BooleanSupplier isOver) {
        float[] values = values(row);
        double[] ofFeatures = new double[values.length];
        double base = start[output.index()];
        double sum = base;
        for (TreeShap tree : trees.get(output.index())) {
            if (isOver.getAsBoolean()) {
                throw new OverdueException();
            }
            tree.add(values, times, ofFeatures);
            base += tree.mean();
            sum += tree.value(values);
        }
        double[] ofColumns = ofColumns(ofFeatures);
        for (int c = 0; output.isFirstOfTwo() && c < ofColumns.length; c++) {
            ofColumns[c] = -ofColumns[c];
        }
        return Explanation.exact(told(base, output), told(sum, output), ofColumns);
    }

    /** What trees add up to, on the scale that is told. */
    private double told(double sum, ExplainedOutput output) {
        double mean = centre + (sum - centre) * times;
        return areShares && output.isFirstOfTwo() ? 1 - mean : output.of(mean);
    }

    /** A row as the trees take it: a code that training did not see is missing. */
    private float[] values(double[][] row) {
        float[] values = new float[features + knownCodes.length];
        Arrays.fill(values, Float.NaN);
        for (int c = 0; c < row.length; c++) {
            int at = from(rows.places().get(c));
            for (int i = 0; i < row[c].length; i++) {
                boolean isCode = at >= features;
                boolean isKnown =
                        !isCode || (row[c][i] >= 0 && row[c][i] < knownCodes[at - features]);
                values[at + i] = isKnown ? (float) row[c][i] : Float.NaN;
            }
        }
        return values;
    }

    private double[] ofColumns(double[] ofFeatures) {
        double[] sums = new double[rows.places().size()];
        for (int c = 0; c < sums.length; c++) {
            ColumnPlace place = rows.places().get(c);
            for (int i = 0; i < place.width(); i++) {
                sums[c] += ofFeatures[from(place) + i];
            }
        }
        return sums;
    }

    /** Codes are behind the features, if there are any. */
    private int from(ColumnPlace place) {
        boolean isCode = rows.signature().inputs().get(place.input()).name().equals("categories");
        return place.from() + (isCode ? features : 0);
    }
}
