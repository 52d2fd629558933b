package dev.medley.spark.connect;

import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.spark.rows.FrameColumns;
import dev.medley.trees.GrownTrees;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.classification.DecisionTreeClassificationModel;
import org.apache.spark.ml.regression.DecisionTreeRegressionModel;
import org.apache.spark.ml.tree.ContinuousSplit;
import org.apache.spark.ml.tree.InternalNode;
import org.apache.spark.ml.tree.LeafNode;
import org.apache.spark.ml.tree.Node;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.mllib.tree.impurity.GiniCalculator;
import org.apache.spark.mllib.tree.impurity.ImpurityCalculator;
import org.apache.spark.mllib.tree.impurity.VarianceCalculator;

/**
 * Makes Spark's trees of those that were grown. A missing value (NaN) goes right in Spark, whatever
 * training found best.
 */
final class SparkTrees {
    private final GrownTrees grown;
    private final int features;
    private final int[] places;

    private SparkTrees(GrownTrees grown, int features, int[] places) {
        this.grown = grown;
        this.features = features;
        this.places = places;
    }

    static SparkTrees of(TrainedModel model, int features) {
        GrownTrees grown =
                model.trees().orElseThrow(() -> new IllegalStateException("a model without trees"));
        List<Dense> dense = ((TableEncoding) model.encoding()).dense();
        int[] places = dense.stream().mapToInt(c -> FrameColumns.place(c.name())).toArray();
        return new SparkTrees(grown, features, places);
    }

    /**
     * Trees that add up to the margin.
     *
     * @param times what their leaves are multiplied with
     * @param begin what the first tree adds besides
     */
    DecisionTreeRegressionModel[] regression(double times, double begin) {
        List<DecisionTreeRegressionModel> trees = new ArrayList<>();
        double more = begin;
        for (GrownTrees.Tree tree : grown.trees()) {
            double added = more;
            Node root = node(tree, 0, value -> value * times + added, false);
            trees.add(
                    new DecisionTreeRegressionModel(
                            Identifiable$.MODULE$.randomUID("dtr"), root, features));
            more = 0;
        }
        return trees.toArray(DecisionTreeRegressionModel[]::new);
    }

    /** Trees of which each is a prediction by itself, and their mean that of all. */
    DecisionTreeRegressionModel[] everyTree(double times, double begin) {
        return grown.trees().stream()
                .map(
                        tree ->
                                new DecisionTreeRegressionModel(
                                        Identifiable$.MODULE$.randomUID("dtr"),
                                        node(tree, 0, value -> value * times + begin, false),
                                        features))
                .toArray(DecisionTreeRegressionModel[]::new);
    }

    /** Trees whose leaves are the share of the second of two classes. */
    DecisionTreeClassificationModel[] ofTwoClasses(double times, double begin) {
        List<DecisionTreeClassificationModel> trees = new ArrayList<>();
        for (GrownTrees.Tree tree : grown.trees()) {
            Node root = node(tree, 0, value -> value * times + begin, true);
            trees.add(
                    new DecisionTreeClassificationModel(
                            Identifiable$.MODULE$.randomUID("dtc"), root, features, 2));
        }
        return trees.toArray(DecisionTreeClassificationModel[]::new);
    }

    /** What all rows begin from. */
    double start() {
        return grown.start().get(0);
    }

    int trees() {
        return grown.trees().size();
    }

    /** What a leaf of Medley's becomes. */
    private interface Leaf {
        double of(double value);
    }

    private Node node(GrownTrees.Tree tree, int at, Leaf leaf, boolean isClass) {
        GrownTrees.Tree.Node node = tree.nodes().get(at);
        if (node.isLeaf()) {
            double value = leaf.of(node.value());
            double prediction = isClass ? (value > 0.5 ? 1 : 0) : value;
            return new LeafNode(prediction, 0, stats(value, node.weight(), isClass));
        }
        ConfigException.check(
                !node.isOfCategory(), "trees of categories cannot be told as Spark's are");
        Node left = node(tree, node.left(), leaf, isClass);
        Node right = node(tree, node.right(), leaf, isClass);
        ImpurityCalculator both = left.impurityStats().copy().add(right.impurityStats());
        return new InternalNode(
                both.predict(),
                both.calculate(),
                node.gain(),
                left,
                right,
                new ContinuousSplit(places[node.feature()], threshold(node.threshold())),
                both);
    }

    /** The largest double that becomes a float below the threshold. */
    private static double threshold(float below) {
        return Math.nextDown(((double) Math.nextDown(below) + below) / 2);
    }

    private static ImpurityCalculator stats(double value, double weight, boolean isClass) {
        double[] sums =
                isClass
                        ? new double[] {weight * (1 - value), weight * value}
                        : new double[] {weight, weight * value, weight * value * value};
        long count = Math.max(1, Math.round(weight));
        return isClass ? new GiniCalculator(sums, count) : new VarianceCalculator(sums, count);
    }
}
