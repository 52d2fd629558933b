package dev.medley.trees;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.graph.Attribute;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Node;
import dev.medley.tensor.graph.Value;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Tells trees as ONNX's operator TreeEnsemble: nodes and leaves of all trees in flat lists. A
 * number goes the true way below its threshold; a category goes there if it is in the node's set,
 * as XGBoost sends it right. A missing value goes where XGBoost's default is.
 */
final class TreeGraph {
    private static final long BELOW = 1;
    private static final long MEMBER = 6;

    private final int outputs;
    private final List<Long> roots = new ArrayList<>();
    private final List<Long> features = new ArrayList<>();
    private final List<Long> modes = new ArrayList<>();
    private final List<Float> splits = new ArrayList<>();
    private final List<Float> members = new ArrayList<>();
    private final List<Long> missingTrue = new ArrayList<>();
    private final List<Long> trueNodes = new ArrayList<>();
    private final List<Long> trueLeaves = new ArrayList<>();
    private final List<Long> falseNodes = new ArrayList<>();
    private final List<Long> falseLeaves = new ArrayList<>();
    private final List<Long> leafOutputs = new ArrayList<>();
    private final List<Float> leafWeights = new ArrayList<>();
    private final double[] ofEmptyRow;

    private TreeGraph(int outputs) {
        this.outputs = outputs;
        ofEmptyRow = new double[outputs];
    }

    /**
     * The sums over trees [samples, outputs] of rows of floats.
     *
     * @param model as XGBoost writes it in JSON
     * @param emptyMargins what XGBoost says of a row without values: beside its leaves that holds
     *     what all rows begin from
     */
    static Value margins(JsonNode model, float[] emptyMargins, Value rows, Graph graph) {
        TreeGraph trees = new TreeGraph(emptyMargins.length);
        JsonNode booster = model.at("/learner/gradient_booster/model");
        for (int tree = 0; tree < booster.path("trees").size(); tree++) {
            trees.add(booster.path("trees").path(tree), booster.path("tree_info").path(tree));
        }
        HostArray base = HostArray.allocate(ElementType.FLOAT32, emptyMargins.length);
        for (int output = 0; output < emptyMargins.length; output++) {
            float start = (float) (emptyMargins[output] - trees.ofEmptyRow[output]);
            base.data().buffer().putFloat(output * Float.BYTES, start);
        }
        return graph.node("Add", trees.node(rows, graph), graph.constant(base));
    }

    private void add(JsonNode tree, JsonNode output) {
        long target = output.asLong();
        Map<Integer, List<Float>> sets = sets(tree);
        JsonNode left = tree.path("left_children");
        JsonNode right = tree.path("right_children");
        long[] places = new long[left.size()]; // Among the nodes, or among the leaves.
        long inner = features.size();
        long leaf = leafOutputs.size();
        for (int node = 0; node < places.length; node++) {
            places[node] = isLeaf(left, node) ? leaf++ : inner++;
        }
        if (isLeaf(left, 0)) {
            addSingleLeaf();
        }
        roots.add((long) (isLeaf(left, 0) ? features.size() - 1 : places[0]));
        for (int node = 0; node < places.length; node++) {
            float value = (float) tree.path("split_conditions").path(node).asDouble();
            if (isLeaf(left, node)) {
                leafOutputs.add(target);
                leafWeights.add(value);
                continue;
            }
            List<Float> set = sets.get(node);
            boolean isLeft = isDefaultLeft(tree, node);
            features.add(tree.path("split_indices").path(node).asLong());
            modes.add(set == null ? BELOW : MEMBER);
            splits.add(set == null ? value : 0);
            missingTrue.add(isLeft == (set == null) ? 1L : 0L);
            if (set != null) {
                members.addAll(set);
                members.add(Float.NaN);
            }
            JsonNode whenTrue = set == null ? left : right;
            JsonNode whenFalse = set == null ? right : left;
            follow(whenTrue.path(node).asInt(), left, places, trueNodes, trueLeaves);
            follow(whenFalse.path(node).asInt(), left, places, falseNodes, falseLeaves);
        }
        ofEmptyRow[(int) target % outputs] += leafOfEmptyRow(tree);
    }

    /** A tree of one leaf is a node of which both ways lead there. */
    private void addSingleLeaf() {
        features.add(0L);
        modes.add(BELOW);
        splits.add(0f);
        missingTrue.add(1L);
        for (List<Long> way : List.of(trueNodes, falseNodes)) {
            way.add((long) leafOutputs.size());
        }
        trueLeaves.add(1L);
        falseLeaves.add(1L);
    }

    private static void follow(
            int child, JsonNode left, long[] places, List<Long> nodes, List<Long> leaves) {
        nodes.add(places[child]);
        leaves.add(isLeaf(left, child) ? 1L : 0L);
    }

    private static boolean isLeaf(JsonNode left, int node) {
        return left.path(node).asInt() < 0;
    }

    private static boolean isDefaultLeft(JsonNode tree, int node) {
        return tree.path("default_left").path(node).asInt() != 0;
    }

    private static double leafOfEmptyRow(JsonNode tree) {
        int node = 0;
        while (!isLeaf(tree.path("left_children"), node)) {
            String way = isDefaultLeft(tree, node) ? "left_children" : "right_children";
            node = tree.path(way).path(node).asInt();
        }
        return tree.path("split_conditions").path(node).asDouble();
    }

    /** The categories that go right, of each node that splits categories. */
    private static Map<Integer, List<Float>> sets(JsonNode tree) {
        Map<Integer, List<Float>> sets = new HashMap<>();
        JsonNode nodes = tree.path("categories_nodes");
        for (int i = 0; i < nodes.size(); i++) {
            int from = tree.path("categories_segments").path(i).asInt();
            int size = tree.path("categories_sizes").path(i).asInt();
            List<Float> set = new ArrayList<>();
            for (int at = from; at < from + size; at++) {
                set.add((float) tree.path("categories").path(at).asDouble());
            }
            sets.put(nodes.path(i).asInt(), set);
        }
        return sets;
    }

    private Value node(Value rows, Graph graph) {
        List<Attribute> attributes = new ArrayList<>();
        attributes.add(Attribute.of("n_targets", outputs));
        attributes.add(new Attribute.Wholes("tree_roots", roots));
        attributes.add(new Attribute.Wholes("nodes_featureids", features));
        attributes.add(new Attribute.Array("nodes_modes", bytes(modes)));
        attributes.add(new Attribute.Array("nodes_splits", floats(splits)));
        attributes.add(new Attribute.Wholes("nodes_missing_value_tracks_true", missingTrue));
        attributes.add(new Attribute.Wholes("nodes_truenodeids", trueNodes));
        attributes.add(new Attribute.Wholes("nodes_trueleafs", trueLeaves));
        attributes.add(new Attribute.Wholes("nodes_falsenodeids", falseNodes));
        attributes.add(new Attribute.Wholes("nodes_falseleafs", falseLeaves));
        attributes.add(new Attribute.Wholes("leaf_targetids", leafOutputs));
        attributes.add(new Attribute.Array("leaf_weights", floats(leafWeights)));
        if (!members.isEmpty()) {
            attributes.add(new Attribute.Array("membership_values", floats(members)));
        }
        return graph.node(
                Node.ML + "TreeEnsemble", List.of(rows), attributes.toArray(Attribute[]::new));
    }

    private static HostArray bytes(List<Long> values) {
        HostArray array = HostArray.allocate(ElementType.UINT8, values.size());
        for (int i = 0; i < values.size(); i++) {
            array.data().buffer().put(i, values.get(i).byteValue());
        }
        return array;
    }

    private static HostArray floats(List<Float> values) {
        HostArray array = HostArray.allocate(ElementType.FLOAT32, values.size());
        FloatBuffer into = array.data().buffer().asFloatBuffer();
        values.forEach(into::put);
        return array;
    }
}
