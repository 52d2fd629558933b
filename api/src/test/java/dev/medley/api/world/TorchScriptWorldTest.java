package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.Models;
import dev.medley.api.TrainedModel;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunProgress;
import dev.medley.api.world.AgentThread.Join;
import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A network that Python wrote trains on any workers, travels to machines, and goes back. */
@Tag("real")
@Timeout(240)
class TorchScriptWorldTest {
    private static final int STEPS = 150;
    private static final String MODEL = "model=net.pt";

    @TempDir Path folder;

    @Test
    void shouldTrainAsOneWorkerDoesOnMachinesThatDoNotSeeTheFile() throws Exception {
        Path net = folder.resolve("net.pt");
        try (InputStream rows =
                TorchScriptWorldTest.class.getResourceAsStream("/torchscript/rows.pt")) {
            Files.copy(Objects.requireNonNull(rows), net);
        }
        FaultJob.write(folder, STEPS, "workers: 1");
        RunRecord whole;
        RunRecord resumed;
        try (World world = new World(folder)) {
            whole = world.train(MODEL).completed();
            RunThread part = world.train(MODEL);
            part.awaitStep(20);
            Path run = part.interrupted().folder().path();
            refuseAnotherFile(world, run, net);
            resumed = world.resumeOn(2, run).completed();
        }
        assertClose(losses(resumed), losses(whole));
        assertThat(losses(whole).get(STEPS - 1)).isLessThan(0.9 * losses(whole).get(0));
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 2, begin: all");
        Path model;
        try (World world = new World(folder)) {
            RunThread run = world.train(MODEL);
            AgentThread one = world.agent(run, Join.as("one").copying());
            world.agent(run, Join.as("two").copying());
            RunRecord record = run.completed();
            assertThat(one.ended()).as(one.said()).isTrue();
            assertThat(one.said()).contains("net.pt");
            assertClose(losses(record), losses(whole));
            model = record.folder().model();
        }
        predictAndGoBack(model, net);
    }

    /** Without the file that it was made of. */
    private void predictAndGoBack(Path model, Path net) throws Exception {
        Files.delete(net);
        Path back = folder.resolve("back.pt");
        Path out = folder.resolve("out.csv");
        try (TrainedModel trained = TrainedModel.load(model, 1)) {
            new Predictor(trained, PredictOptions.ofWorkers(1))
                    .write(
                            Predictor.like(trained, folder.resolve("t.csv")),
                            out,
                            (phase, done, total) -> {});
            trained.writeTorchScript(back);
        }
        assertThat(Files.readAllLines(out)).hasSize(1001);
        assertThat(Models.torchScript(back)).isInstanceOf(ModelSpec.TorchScript.class);
    }

    /** The run began with another file of that name. */
    private static void refuseAnotherFile(World world, Path run, Path net) throws Exception {
        byte[] content = Files.readAllBytes(net);
        Files.writeString(net, "another");
        assertThatThrownBy(
                        () ->
                                JobRun.train(
                                        JobRun.jobOf(run),
                                        world.options().resuming(run),
                                        RunProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(net + " is not the file that it was");
        Files.write(net, content);
    }

    private static List<Double> losses(RunRecord record) {
        return record.steps().stream().map(StepRecord::loss).toList();
    }

    private static void assertClose(List<Double> actual, List<Double> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i))
                    .as("loss of step %d", i + 1)
                    .isCloseTo(expected.get(i), within(1e-3 * expected.get(i) + 1e-5));
        }
    }
}
