package dev.medley.inference.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.trees.GrownTrees.Tree;
import dev.medley.trees.GrownTrees.Tree.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The values of a tree's features are those that Shapley's formula gives over all subsets. */
@Tag("property")
class TreeShapTest {
    private static final int FEATURES = 6;
    private static final int CATEGORIES = 5;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 60));
    }

    /** Grows a random tree below a node; features may come again on the same way. */
    private static int grow(List<Node> nodes, int depth, double weight, RandomGenerator random) {
        int at = nodes.size();
        nodes.add(null);
        boolean isLeaf = depth == 0 || random.nextInt(5) == 0;
        if (isLeaf) {
            nodes.set(
                    at,
                    new Node(
                            -1,
                            0,
                            false,
                            Set.of(),
                            false,
                            -1,
                            -1,
                            random.nextGaussian(),
                            weight,
                            0));
            return at;
        }
        int feature = random.nextInt(FEATURES);
        boolean isOfCategory = feature == FEATURES - 1;
        double share = random.nextInt(10) == 0 ? 0 : random.nextDouble();
        int left = grow(nodes, depth - 1, weight * share, random);
        int right = grow(nodes, depth - 1, weight * (1 - share), random);
        Set<Integer> goRight = isOfCategory ? Set.of(random.nextInt(CATEGORIES)) : Set.of();
        nodes.set(
                at,
                new Node(
                        feature,
                        (float) random.nextGaussian(),
                        isOfCategory,
                        goRight,
                        random.nextBoolean(),
                        left,
                        right,
                        0,
                        weight,
                        1));
        return at;
    }

    private static float[] row(RandomGenerator random) {
        float[] row = new float[FEATURES];
        for (int i = 0; i < FEATURES - 1; i++) {
            row[i] = random.nextInt(5) == 0 ? Float.NaN : (float) random.nextGaussian();
        }
        row[FEATURES - 1] = random.nextInt(4) == 0 ? Float.NaN : random.nextInt(CATEGORIES);
        return row;
    }

    /** What the tree says where only some features are known. */
    private static double known(List<Node> nodes, int at, float[] row, int subset) {
        Node node = nodes.get(at);
        if (node.isLeaf()) {
            return node.value();
        }
        if ((subset >> node.feature() & 1) == 1) {
            float value = row[node.feature()];
            boolean isLeft =
                    Float.isNaN(value)
                            ? node.missingLeft()
                            : node.isOfCategory()
                                    ? !node.goRight().contains((int) value)
                                    : value < node.threshold();
            return known(nodes, isLeft ? node.left() : node.right(), row, subset);
        }
        double left = nodes.get(node.left()).weight();
        double right = nodes.get(node.right()).weight();
        double share = left + right > 0 ? left / (left + right) : 0.5;
        return share * known(nodes, node.left(), row, subset)
                + (1 - share) * known(nodes, node.right(), row, subset);
    }

    private static double factorial(int n) {
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    private static double shapley(List<Node> nodes, float[] row, int feature) {
        double sum = 0;
        for (int subset = 0; subset < 1 << FEATURES; subset++) {
            if ((subset >> feature & 1) == 1) {
                continue;
            }
            int size = Integer.bitCount(subset);
            double weight = factorial(size) * factorial(FEATURES - size - 1) / factorial(FEATURES);
            double with = known(nodes, 0, row, subset | 1 << feature);
            sum += weight * (with - known(nodes, 0, row, subset));
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBeWhatAllSubsetsGive(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Node> nodes = new ArrayList<>();
        grow(nodes, 1 + random.nextInt(7), 100, random);
        TreeShap tree = new TreeShap(new Tree(0, nodes));
        float[] row = row(random);
        double[] values = new double[FEATURES];
        tree.add(row, 2, values);
        double sum = tree.mean();
        for (int f = 0; f < FEATURES; f++) {
            double expected = shapley(nodes, row, f);
            assertThat(values[f] / 2).as("feature %d", f).isCloseTo(expected, within(1e-10));
            sum += values[f] / 2;
        }
        assertThat(sum).isCloseTo(tree.value(row), within(1e-10));
        assertThat(tree.mean()).isCloseTo(known(nodes, 0, row, 0), within(1e-12));
    }
}
