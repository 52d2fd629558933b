package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.BatchBounds;
import dev.medley.fleet.elastic.trace.LearningCurves;
import dev.medley.fleet.elastic.trace.MeasuredModel;
import dev.medley.fleet.elastic.trace.StepCost;
import dev.medley.fleet.elastic.trace.StepTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes traces of a made model in Pollux's format: linear steps, noise that grows by epoch. */
final class MadeTraces {
    static final int[] LOCAL = {8, 64, 128};

    private MadeTraces() {}

    /** A step's seconds: its computation, and its exchange by nodes and workers. */
    static StepCost cost(int nodes, int workers, int local) {
        double syncS = workers == 1 ? 0 : (nodes == 1 ? 0.01 : 0.05) + 0.001 * workers;
        return new StepCost(0.02 + 0.001 * local + syncS, syncS);
    }

    /** Writes and reads one model: an epoch is 400 steps of the initial batch of 64. */
    static Map<String, MeasuredModel> read(Path folder, int epochs) throws IOException {
        StringBuilder placements = new StringBuilder("placement,local_bsz,step_time,sync_time\n");
        for (int placement = 1; placement <= 4444; placement++) {
            String name = Integer.toString(placement);
            if (name.matches("[1-4]+")) {
                int workers = name.chars().map(digit -> digit - '0').sum();
                append(placements, name, name.length(), workers);
            }
        }
        StringBuilder scalability =
                new StringBuilder("num_nodes,num_replicas,local_bsz,step_time,sync_time\n");
        for (int nodes = 6; nodes <= 16; nodes += 5) {
            for (int workers = nodes; workers <= 4 * nodes; workers += nodes) {
                append(scalability, nodes + "," + workers, nodes, workers);
            }
        }
        Files.writeString(folder.resolve("placements.csv"), placements);
        Files.writeString(folder.resolve("scalability.csv"), scalability);
        for (int batch : new int[] {64, 1024}) {
            StringBuilder curve =
                    new StringBuilder("progress,iteration,metric,grad_sqr,grad_var\n");
            for (int epoch = 1; epoch <= epochs; epoch++) {
                curve.append(400.0 * epoch + "," + 400 * 64 / batch * epoch + ",1.0,1.0," + epoch)
                        .append('\n');
            }
            Files.writeString(folder.resolve("validation-" + batch + ".csv"), curve);
        }
        StepTable steps = new StepTable(folder);
        LearningCurves curves = new LearningCurves(folder);
        BatchBounds batches = new BatchBounds(64, 1024, 8, 128);
        return Map.of("made", new MeasuredModel("made", steps, curves, batches, epochs, 0));
    }

    private static void append(StringBuilder to, String name, int nodes, int workers) {
        for (int local : LOCAL) {
            StepCost cost = cost(nodes, workers, local);
            to.append(name).append(',').append(local).append(',');
            to.append(cost.stepS()).append(',').append(cost.syncS()).append('\n');
        }
    }
}
