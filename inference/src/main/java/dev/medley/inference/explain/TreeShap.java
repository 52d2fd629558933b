package dev.medley.inference.explain;

import dev.medley.trees.GrownTrees;
import java.util.List;

/**
 * Shapley values of one tree's features, exact. A feature that is not known goes both ways, by the
 * weight of the rows that went there in training: algorithm 2 of Lundberg, Erion and Lee,
 * Consistent Individualized Feature Attribution for Tree Ensembles (2018, arXiv 1802.03888).
 *
 * <p>For each leaf the path keeps the sum over subsets of its features, by size. It grows by a
 * feature in time linear in its length, and shrinks by any as fast: O(leaves * depth^2) in all.
 */
final class TreeShap {
    private final List<GrownTrees.Tree.Node> nodes;

    /** Of each node: which of its parent's rows came to it. */
    private final double[] shares;

    private final double mean;
    private final int depth;

    TreeShap(GrownTrees.Tree tree) {
        nodes = tree.nodes();
        shares = new double[nodes.size()];
        shares[0] = 1;
        for (GrownTrees.Tree.Node node : nodes) {
            if (!node.isLeaf()) {
                double left = nodes.get(node.left()).weight();
                double all = left + nodes.get(node.right()).weight();
                shares[node.left()] = all > 0 ? left / all : 0.5;
                shares[node.right()] = 1 - shares[node.left()];
            }
        }
        mean = mean(0);
        depth = depth(0);
    }

    /** What the tree says where no feature is known. */
    double mean() {
        return mean;
    }

    private double mean(int at) {
        GrownTrees.Tree.Node node = nodes.get(at);
        return node.isLeaf()
                ? node.value()
                : shares[node.left()] * mean(node.left())
                        + shares[node.right()] * mean(node.right());
    }

    private int depth(int at) {
        GrownTrees.Tree.Node node = nodes.get(at);
        return node.isLeaf() ? 0 : 1 + Math.max(depth(node.left()), depth(node.right()));
    }

    /** The child to which a row goes. */
    private static int next(GrownTrees.Tree.Node node, float[] row) {
        float value = row[node.feature()];
        boolean isLeft =
                Float.isNaN(value)
                        ? node.missingLeft()
                        : node.isOfCategory()
                                ? !node.goRight().contains((int) value)
                                : value < node.threshold();
        return isLeft ? node.left() : node.right();
    }

    /** What it says of a row. */
    double value(float[] row) {
        GrownTrees.Tree.Node node = nodes.get(0);
        while (!node.isLeaf()) {
            node = nodes.get(next(node, row));
        }
        return node.value();
    }

    /** Adds the value of each feature for a row, {@code times} so much. */
    void add(float[] row, double times, double[] values) {
        if (depth > 0) {
            new Walk(row, times, values).down(0, 0, 1, 1, -1);
        }
    }

    /**
     * The features on the way to a node. The weight at i is the sum over subsets of i of them, each
     * by how often permutations have it.
     */
    private static final class Path {
        private final int[] features;
        private final double[] ones; // 1 where the row goes the same way, 0 where it does not.
        private final double[] zeros; // Rows of training that go this way.
        private final double[] weights;
        private int length;

        Path(int most) {
            features = new int[most];
            ones = new double[most];
            zeros = new double[most];
            weights = new double[most];
        }

        void copy(Path of) {
            length = of.length;
            System.arraycopy(of.features, 0, features, 0, length);
            System.arraycopy(of.ones, 0, ones, 0, length);
            System.arraycopy(of.zeros, 0, zeros, 0, length);
            System.arraycopy(of.weights, 0, weights, 0, length);
        }

        int find(int feature) {
            for (int i = 1; i < length; i++) { // The first is no feature.
                if (features[i] == feature) {
                    return i;
                }
            }
            return -1;
        }

        void extend(double zero, double one, int feature) {
            features[length] = feature;
            zeros[length] = zero;
            ones[length] = one;
            weights[length] = length == 0 ? 1 : 0;
            for (int i = length - 1; i >= 0; i--) {
                weights[i + 1] += one * weights[i] * (i + 1) / (length + 1);
                weights[i] = zero * weights[i] * (length - i) / (length + 1);
            }
            length++;
        }

        /** Takes a feature out as if it had never been added. */
        void unwind(int at) {
            double one = ones[at];
            double zero = zeros[at];
            double next = weights[length - 1];
            for (int i = length - 2; i >= 0; i--) {
                if (one != 0) {
                    double before = weights[i];
                    weights[i] = next * length / ((i + 1) * one);
                    next = before - weights[i] * zero * (length - 1 - i) / length;
                } else {
                    weights[i] = zero == 0 ? 0 : weights[i] * length / (zero * (length - 1 - i));
                }
            }
            for (int i = at; i < length - 1; i++) {
                features[i] = features[i + 1];
                zeros[i] = zeros[i + 1];
                ones[i] = ones[i + 1];
            }
            length--;
        }

        /** The sum of weights without a feature. */
        double without(int at) {
            double one = ones[at];
            double zero = zeros[at];
            double next = weights[length - 1];
            double sum = 0;
            for (int i = length - 2; i >= 0; i--) {
                if (one != 0) {
                    double own = next * length / ((i + 1) * one);
                    sum += own;
                    next = weights[i] - own * zero * (length - 1 - i) / length;
                } else if (zero != 0) {
                    sum += weights[i] * length / (zero * (length - 1 - i));
                }
            }
            return sum;
        }
    }

    /** A walk over all of the tree for a row. */
    private final class Walk {
        private final float[] row;
        private final double times;
        private final double[] values;
        private final Path[] paths = new Path[depth + 1]; // Of the node at each depth.

        Walk(float[] row, double times, double[] values) {
            for (int i = 0; i < paths.length; i++) {
                paths[i] = new Path(i + 2);
            }
            this.row = row;
            this.times = times;
            this.values = values;
        }

        void down(int at, int level, double zero, double one, int feature) {
            Path path = paths[level];
            if (level > 0) {
                path.copy(paths[level - 1]);
            }
            path.extend(zero, one, feature);
            GrownTrees.Tree.Node node = nodes.get(at);
            if (node.isLeaf()) {
                for (int i = 1; i < path.length; i++) {
                    double share = path.without(i) * (path.ones[i] - path.zeros[i]);
                    values[path.features[i]] += times * share * node.value();
                }
                return;
            }
            double inZero = 1;
            double inOne = 1;
            int known = path.find(node.feature());
            if (known >= 0) { // The same feature once more: both ways count together.
                inZero = path.zeros[known];
                inOne = path.ones[known];
                path.unwind(known);
            }
            int hot = next(node, row);
            int cold = hot == node.left() ? node.right() : node.left();
            down(hot, level + 1, inZero * shares[hot], inOne, node.feature());
            down(cold, level + 1, inZero * shares[cold], 0, node.feature());
        }
    }
}
