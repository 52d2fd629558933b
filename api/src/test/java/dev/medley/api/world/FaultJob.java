package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A small job, as text, and what has to be true of its record whatever happened to its processes.
 * The samples of an epoch are no multiple of the batch, and dropout draws in every step.
 */
public final class FaultJob {
    public static final int TRAIN_SAMPLES = 900;
    public static final int BATCH = 24;
    private static final int ROWS = 1000;

    private FaultJob() {}

    /**
     * Writes table and job.
     *
     * @param cluster the inside of the braces of the job's cluster section
     */
    public static void write(Path folder, int steps, String cluster) throws IOException {
        write(folder, "steps: " + steps, cluster, 2);
    }

    /** The same without an end, so that a test decides when it has seen enough. */
    public static void writeEndless(Path folder, String cluster) throws IOException {
        write(folder, "steps: 100000000, schedule: constant", cluster, 50);
    }

    private static void write(Path folder, String budget, String cluster, int checkpointSteps)
            throws IOException {
        table(folder.resolve("t.csv"));
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: faults
                data: {train: t.csv, label: y, split: 0.1}
                model: {family: mlp, hidden: [256, 256], dropout: 0.1}
                train: {%s, batch: %d, evaluate_every: 30}
                cluster: {%s, threads: 1, java_options: ["-XX:TieredStopAtLevel=1"]}
                checkpoint: {every_steps: %d, keep: 2}
                seed: 5
                """
                        .formatted(budget, BATCH, cluster, checkpointSteps));
    }

    private static void table(Path file) throws IOException {
        RandomGenerator random = Seeds.generator(3);
        StringBuilder rows = new StringBuilder("a,b,c,y\n");
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextDouble();
            double b = random.nextDouble();
            double c = random.nextDouble();
            String row = String.format(Locale.ROOT, "%.4f,%.4f,%.4f,", a, b, c);
            rows.append(row).append(a + b * c > 0.8 ? "yes\n" : "no\n");
        }
        Files.writeString(file, rows);
    }

    /** The parameter hashes that all members held, by step, as they were last computed. */
    public static Map<Long, String> hashes(RunRecord record) {
        Map<Long, String> hashes = new TreeMap<>();
        for (RunEvent event : record.events()) {
            if (event.kind() == RunEvent.Kind.EPOCH) {
                hashes.put(event.step(), String.valueOf(event.value()));
            }
        }
        return hashes;
    }

    /** Each step once and in order, each sample of each whole epoch once. */
    public static void assertNothingLostOrRepeated(RunRecord record, long steps) {
        List<StepRecord> recorded = record.steps();
        for (int i = 0; i < recorded.size(); i++) {
            assertThat(recorded.get(i).step()).as("step of line %d", i + 1).isEqualTo(i + 1);
        }
        assertThat(recorded).as("lines of %d steps", steps).size().isEqualTo((int) steps);
        Map<Long, Long> samples = new TreeMap<>();
        recorded.forEach(step -> samples.merge(step.dataEpoch(), step.samples(), Long::sum));
        long last = recorded.get(recorded.size() - 1).dataEpoch();
        assertThat(last).as("epochs begun").isPositive();
        for (long epoch = 0; epoch < last; epoch++) {
            assertThat(samples.get(epoch)).as("epoch %d", epoch).isEqualTo(TRAIN_SAMPLES);
        }
        assertSharesAddUp(record);
    }

    /**
     * What the workers took adds up to the batch. A worker that is lost takes its last reports with
     * it, so the steps of groups that shrank may lack its part; so may those before a resume, which
     * the one who wrote the checkpoint told of.
     */
    private static void assertSharesAddUp(RunRecord record) {
        // By steps and not by epochs, which begin anew when a run is resumed.
        TreeMap<Long, Integer> sizes = new TreeMap<>();
        record.plans().forEach(plan -> sizes.put(plan.fromStep(), plan.workers().size()));
        for (StepRecord step : record.steps()) {
            int size = sizes.floorEntry(step.step()).getValue();
            Map.Entry<Long, Integer> next = sizes.higherEntry(step.step());
            boolean isLast = next != null && next.getValue() <= size;
            if (!isLast || step.workers().size() == size) {
                assertThat(step.workers().stream().mapToLong(WorkerTimes::samples).sum())
                        .as("samples of all workers in step %d", step.step())
                        .isEqualTo(step.samples());
            }
        }
    }
}
