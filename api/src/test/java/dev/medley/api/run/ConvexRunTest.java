package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.JobWorkers;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.inference.model.LoadedModel;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fits linear models by all samples, on any workers. */
@Tag("real")
class ConvexRunTest {
    private static final int ROWS = 8000;

    @TempDir Path folder;

    @BeforeEach
    void table() throws IOException {
        RandomGenerator random = Seeds.generator(11);
        StringBuilder text = new StringBuilder("a,b,c,town,y,price\n");
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextGaussian();
            double b = 1000 * (a + 0.02 * random.nextGaussian());
            double c = random.nextDouble();
            String town = List.of("north", "east", "south").get(random.nextInt(3));
            double eta = a - 2 * c + (town.equals("south") ? 1 : 0);
            boolean isYes = random.nextDouble() < 1 / (1 + Math.exp(-eta));
            text.append(
                    "%s,%s,%s,%s,%s,%s\n"
                            .formatted(a, b, c, town, isYes ? "yes" : "no", 50 + 10 * eta));
        }
        Files.writeString(folder.resolve("table.csv"), text);
    }

    private JobSpec job(
            String label, String scaling, String optimizer, int workers, String... more) {
        String yaml =
                """
                data: {train: table.csv, label: %s, split: {kind: tail, validation: 0.1},
                       table: {drop: [%s], scaling: %s}}
                model: linear
                train: {optimizer: %s%s}
                cluster: {workers: %d, threads: 1}
                """
                        .formatted(
                                label,
                                label.equals("y") ? "price" : "y",
                                scaling,
                                optimizer,
                                String.join("", more),
                                workers);
        return JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"), folder.resolve("cache"));
    }

    @Test
    void coefficientsShouldBeToldByName() throws IOException {
        RunResult run =
                JobRun.train(job("price", "standard", "lbfgs", 1), options(), RunProgress.NONE);
        assertThat(run.outcome().why()).startsWith("converged in ");
        assertThat(run.folder().model().resolve("reference.safetensors")).exists();
        List<String> rows = Files.readAllLines(run.folder().model().resolve("coefficients.csv"));
        assertThat(rows.get(0)).isEqualTo("class,feature,coefficient,standard_error,z,p");
        assertThat(rows).hasSize(8);
        assertThat(rows.get(4))
                .as("the first category is what others are compared with")
                .isEqualTo(",town=east,0.0000000,,,");
        assertThat(rows.get(5)).startsWith(",town=north,");
        assertThat(rows.get(6)).startsWith(",town=south,10.0000");
        assertThat(rows.get(7)).startsWith(",(intercept),");
        try (LoadedModel model = LoadedModel.load(run.folder().model(), 1)) {
            assertThat(model.description().metrics().get("r2")).isGreaterThan(0.999);
        }
    }

    /** Kills a worker in the step, or interrupts the run. */
    private static final class Troubling implements RunProgress {
        private final long killAt;
        private final long interruptAt;
        private Interruptible run = () -> {};

        Troubling(long killAt, long interruptAt) {
            this.killAt = killAt;
            this.interruptAt = interruptAt;
        }

        @Override
        public void interruptible(Interruptible interruptible) {
            run = interruptible;
        }

        @Override
        public void stepped(StepRecord step) {
            if (step.step() == killAt) {
                Runs.killAWorker();
            }
            if (step.step() == interruptAt) {
                run.interrupt();
            }
        }
    }

    /** Without second derivatives, and with columns of unlike size: hundreds of steps. */
    @Test
    void anyWorkersShouldComeToTheSameBitsWhateverHappens() {
        String slow = "{kind: lbfgs, tolerance: 1e-12, history: 1}";
        String loss = ", loss: squared-hinge, steps: 300";
        RunResult alone =
                JobRun.train(job("y", "none", slow, 1, loss), options(), RunProgress.NONE);
        assertThat(alone.outcome().why()).startsWith("the last ");

        RunResult killed =
                JobRun.train(job("y", "none", slow, 3, loss), options(), new Troubling(4, 0));
        assertThat(RunRecord.read(killed.folder()).events())
                .extracting(RunEvent::kind)
                .contains(RunEvent.Kind.LOST);
        assertThat(killed.outcome().parameterHash()).isEqualTo(alone.outcome().parameterHash());

        RunResult part =
                JobRun.train(job("y", "none", slow, 2, loss), options(), new Troubling(0, 4));
        assertThat(part.outcome().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        Path run = part.folder().path();
        JobSpec onThree = JobWorkers.onWorkers(JobRun.jobOf(run), 3);
        RunResult rest = JobRun.train(onThree, options().resuming(run), RunProgress.NONE);
        assertThat(rest.outcome().parameterHash()).isEqualTo(alone.outcome().parameterHash());
        assertThat(RunRecord.read(rest.folder()).steps())
                .extracting(StepRecord::step)
                .doesNotHaveDuplicates()
                .isSorted();
    }
}
