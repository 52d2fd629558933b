package dev.medley.trees;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The trees of a model as other programs take them, in the order in which they were grown.
 *
 * @param trees all of them
 * @param start of each output, to which the leaves are added
 */
public record GrownTrees(List<Tree> trees, List<Double> start) {
    public GrownTrees {
        trees = List.copyOf(trees);
        start = List.copyOf(start);
    }

    /**
     * A tree as other programs take it: node 0 is its root, and a row goes left where its number,
     * as a float, is below the threshold.
     *
     * @param output that its leaves add to
     * @param nodes inner ones and leaves
     */
    public record Tree(int output, List<Node> nodes) {
        /**
         * A node.
         *
         * @param feature that it splits, by its place among the columns; -1 for a leaf
         * @param threshold of a number
         * @param isOfCategory whether it splits categories, which a threshold does not tell
         * @param goRight the categories that go right, of a node that splits them
         * @param missingLeft whether a missing value goes left
         * @param left child
         * @param right child
         * @param value of a leaf
         * @param weight of the rows that come here, by their second derivatives
         * @param gain of the split
         */
        public record Node(
                int feature,
                float threshold,
                boolean isOfCategory,
                Set<Integer> goRight,
                boolean missingLeft,
                int left,
                int right,
                double value,
                double weight,
                double gain) {
            public Node {
                goRight = Set.copyOf(goRight);
            }

            /** Whether it has no children. */
            public boolean isLeaf() {
                return feature < 0;
            }
        }

        public Tree {
            nodes = List.copyOf(nodes);
        }

        /** What it adds for a row without values. */
        public double ofEmptyRow() {
            int at = 0;
            while (!nodes.get(at).isLeaf()) {
                Node node = nodes.get(at);
                at = node.missingLeft() ? node.left() : node.right();
            }
            return nodes.get(at).value();
        }
    }

    /** All trees of a model as XGBoost writes it in JSON. */
    static List<Tree> of(JsonNode model) {
        JsonNode booster = model.at("/learner/gradient_booster/model");
        List<Tree> trees = new ArrayList<>();
        for (int i = 0; i < booster.path("trees").size(); i++) {
            trees.add(
                    new Tree(
                            booster.path("tree_info").path(i).asInt(),
                            nodes(booster.path("trees").path(i))));
        }
        return trees;
    }

    private static List<Tree.Node> nodes(JsonNode tree) {
        Map<Integer, Set<Integer>> ofCategories = sets(tree);
        List<Tree.Node> nodes = new ArrayList<>();
        JsonNode left = tree.path("left_children");
        for (int i = 0; i < left.size(); i++) {
            boolean isLeaf = left.path(i).asInt() < 0;
            double condition = tree.path("split_conditions").path(i).asDouble();
            nodes.add(
                    new Tree.Node(
                            isLeaf ? -1 : tree.path("split_indices").path(i).asInt(),
                            (float) condition,
                            ofCategories.containsKey(i),
                            ofCategories.getOrDefault(i, Set.of()),
                            tree.path("default_left").path(i).asInt() != 0,
                            left.path(i).asInt(),
                            tree.path("right_children").path(i).asInt(),
                            isLeaf ? condition : 0,
                            tree.path("sum_hessian").path(i).asDouble(),
                            tree.path("loss_changes").path(i).asDouble()));
        }
        return nodes;
    }

    /** The categories that go right, of each node that splits categories. */
    private static Map<Integer, Set<Integer>> sets(JsonNode tree) {
        Map<Integer, Set<Integer>> sets = new HashMap<>();
        JsonNode nodes = tree.path("categories_nodes");
        for (int i = 0; i < nodes.size(); i++) {
            int from = tree.path("categories_segments").path(i).asInt();
            int size = tree.path("categories_sizes").path(i).asInt();
            Set<Integer> set = new HashSet<>();
            for (int at = from; at < from + size; at++) {
                set.add(tree.path("categories").path(at).asInt());
            }
            sets.put(nodes.path(i).asInt(), set);
        }
        return sets;
    }
}
