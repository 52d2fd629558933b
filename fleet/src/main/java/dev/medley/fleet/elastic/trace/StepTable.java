package dev.medley.fleet.elastic.trace;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds the measured step times of one model by placement and local batch. A placement that was
 * measured is interpolated between its local batches; any other, of more than 4 nodes, between node
 * counts, worker counts and local batches. Pollux's simulator triangulates these three at once;
 * here the plane of nodes and workers is triangulated at each measured local batch, which differs
 * within a cell alone.
 *
 * <p>Thread: one; it remembers what it interpolated.
 */
public final class StepTable {
    private static final int MAX_NODES = 16;

    private final Map<String, Ladder<StepCost>> placements = new HashMap<>();
    private final Ladder<Layer> layers;
    private final Map<String, StepCost> remembered = new HashMap<>();
    private final Map<Long, StepCost> ofPacked = new HashMap<>();
    private final int minLocal;
    private final int maxLocal;

    /** All that was measured with one local batch, by nodes and workers. */
    private record Layer(PlaneTriangles triangles, StepCost[] costs) {
        StepCost at(int nodes, int workers) {
            PlaneTriangles.Weights found = triangles.at(nodes, workers);
            double stepS = 0;
            double syncS = 0;
            for (int i = 0; i < 3; i++) {
                StepCost cost = costs[found.points()[i]];
                stepS += found.weights()[i] * cost.stepS();
                syncS += found.weights()[i] * cost.syncS();
            }
            return new StepCost(stepS, syncS);
        }
    }

    /** Reads {@code placements.csv} and {@code scalability.csv} of a model's folder. */
    public StepTable(Path folder) {
        Map<String, TreeMap<Integer, StepCost>> byPlacement = new HashMap<>();
        Map<Integer, Map<Long, double[]>> sums = new TreeMap<>();
        CsvRows rows = CsvRows.read(folder.resolve("placements.csv"));
        for (int row = 0; row < rows.count(); row++) {
            String placement = rows.text(row, "placement");
            StepCost cost = cost(rows, row);
            int local = rows.whole(row, "local_bsz");
            byPlacement.computeIfAbsent(placement, p -> new TreeMap<>()).put(local, cost);
            int workers = placement.chars().map(digit -> digit - '0').sum();
            add(sums, local, placement.length(), workers, cost);
        }
        byPlacement.forEach((name, costs) -> placements.put(name, new Ladder<>(costs)));
        minLocal = placements.values().stream().mapToInt(Ladder::least).min().orElseThrow();
        maxLocal = placements.values().stream().mapToInt(Ladder::most).max().orElseThrow();
        rows = CsvRows.read(folder.resolve("scalability.csv"));
        for (int row = 0; row < rows.count(); row++) {
            add(
                    sums,
                    rows.whole(row, "local_bsz"),
                    rows.whole(row, "num_nodes"),
                    rows.whole(row, "num_replicas"),
                    cost(rows, row));
        }
        TreeMap<Integer, Layer> byLocal = new TreeMap<>();
        Map<Set<Long>, PlaneTriangles> known = new HashMap<>();
        sums.forEach((local, byShape) -> byLocal.put(local, layer(byShape, known)));
        layers = new Ladder<>(byLocal);
    }

    /** The smallest local batch of any placement. */
    public int minLocal() {
        return minLocal;
    }

    /** The largest local batch of any placement. */
    public int maxLocal() {
        return maxLocal;
    }

    /**
     * Seconds of a step of workers on nodes.
     *
     * @param placement workers by node that has any, in order
     * @param local samples of each worker
     */
    public StepCost at(int[] placement, int local) {
        String least = leastRotation(placement);
        return remembered.computeIfAbsent(
                least + "/" + local, key -> interpolated(least, placement, local));
    }

    /** The same for workers on as few nodes of four as they need. */
    public StepCost packed(int workers, int local) {
        return ofPacked.computeIfAbsent(local * 1000L + workers, key -> at(packed(workers), local));
    }

    private StepCost interpolated(String least, int[] placement, int local) {
        Ladder<StepCost> measured = placements.get(least);
        if (measured != null) {
            Ladder.Between<StepCost> around = measured.around(local);
            return around.low().mix(around.share(), around.high());
        }
        int nodes = Math.min(MAX_NODES, placement.length);
        int workers = Arrays.stream(placement).sum();
        Ladder.Between<Layer> around = layers.around(local);
        return around.low()
                .at(nodes, workers)
                .mix(around.share(), around.high().at(nodes, workers));
    }

    private static StepCost cost(CsvRows rows, int row) {
        return new StepCost(rows.number(row, "step_time"), rows.number(row, "sync_time"));
    }

    private static void add(
            Map<Integer, Map<Long, double[]>> sums,
            int local,
            int nodes,
            int workers,
            StepCost cost) {
        double[] sum =
                sums.computeIfAbsent(local, l -> new TreeMap<>())
                        .computeIfAbsent(nodes * 1000L + workers, s -> new double[3]);
        sum[0] += cost.stepS();
        sum[1] += cost.syncS();
        sum[2]++;
    }

    private static Layer layer(Map<Long, double[]> byShape, Map<Set<Long>, PlaneTriangles> known) {
        StepCost[] costs =
                byShape.values().stream()
                        .map(sum -> new StepCost(sum[0] / sum[2], sum[1] / sum[2]))
                        .toArray(StepCost[]::new);
        return new Layer(known.computeIfAbsent(byShape.keySet(), StepTable::triangles), costs);
    }

    private static PlaneTriangles triangles(Set<Long> shapes) {
        return new PlaneTriangles(
                shapes.stream()
                        .map(shape -> new double[] {shape / 1000, shape % 1000})
                        .toArray(double[][]::new));
    }

    /** Placements are measured up to rotation, and named by the least. */
    private static String leastRotation(int[] placement) {
        StringBuilder digits = new StringBuilder();
        for (int count : placement) {
            digits.append((char) ('0' + count));
        }
        String text = digits.toString();
        String least = text;
        for (int i = 1; i < text.length(); i++) {
            String rotated = text.substring(i) + text.substring(0, i);
            least = rotated.compareTo(least) < 0 ? rotated : least;
        }
        return least;
    }

    /** Workers on as few nodes of four GPUs as they need. */
    public static int[] packed(int workers) {
        int[] placement = new int[(workers + 3) / 4];
        Arrays.fill(placement, 4);
        placement[placement.length - 1] = workers - 4 * (placement.length - 1);
        return placement;
    }
}
