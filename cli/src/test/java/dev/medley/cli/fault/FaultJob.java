package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * A small job, as text, and what has to be true of its record whatever happened to its processes.
 * The samples of an epoch are no multiple of the batch, and dropout draws in every step.
 */
final class FaultJob {
    static final int TRAIN_SAMPLES = 900;
    private static final int BATCH = 24;
    private static final int ROWS = 1000;

    private FaultJob() {}

    /**
     * Writes table and job.
     *
     * @param cluster the inside of the braces of the job's cluster section
     */
    static void write(Path folder, int steps, String cluster) throws IOException {
        write(folder, steps, cluster, "every_steps: 2, keep: 2");
    }

    static void write(Path folder, int steps, String cluster, String checkpoint)
            throws IOException {
        table(folder.resolve("t.csv"));
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: faults
                data: {train: t.csv, label: y, split: 0.1}
                model: {family: mlp, hidden: [256, 256], dropout: 0.1}
                train: {steps: %d, batch: %d, evaluate_every: 30}
                cluster: {%s, threads: 1, java_options: ["-XX:TieredStopAtLevel=1"]}
                checkpoint: {%s}
                seed: 5
                """
                        .formatted(steps, BATCH, cluster, checkpoint));
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
    static Map<Long, String> hashes(RunRecord record) {
        Map<Long, String> hashes = new TreeMap<>();
        for (RunEvent event : record.events()) {
            if (event.kind() == RunEvent.Kind.EPOCH) {
                hashes.put(event.step(), String.valueOf(event.value()));
            }
        }
        return hashes;
    }

    /** Each step once and in order, each sample of each whole epoch once. */
    static void assertNothingLostOrRepeated(RunRecord record, int steps) {
        assertThat(record.steps())
                .extracting(StepRecord::step)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, steps).boxed().toList());
        Map<Long, Long> samples = new TreeMap<>();
        for (StepRecord step : record.steps()) {
            samples.merge(step.dataEpoch(), step.samples(), Long::sum);
            assertThat(step.workers().stream().mapToLong(w -> w.samples()).sum())
                    .as("samples of all workers in step %d", step.step())
                    .isEqualTo(step.samples());
        }
        long last = record.steps().get(steps - 1).dataEpoch();
        assertThat(last).as("epochs begun").isPositive();
        samples.forEach(
                (epoch, seen) -> {
                    if (epoch < last) {
                        assertThat(seen).as("samples in epoch %d", epoch).isEqualTo(TRAIN_SAMPLES);
                    }
                });
    }
}
