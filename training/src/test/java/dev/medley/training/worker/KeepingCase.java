package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.evaluation.EvaluationSection;
import dev.medley.exchange.Collective;
import dev.medley.inference.metric.Evaluation;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.model.ModelFolder;
import dev.medley.tensor.Torch;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A worker of two that keeps what it has to of a run, in a folder of its own. */
abstract class KeepingCase {
    static final long SECOND_NS = 1_000_000_000L;

    @TempDir Path folder;
    @TempDir Path rescue;

    RunFolder run;
    WorkerState state;
    Coordinated coordinated;
    Keeping keeping;

    @BeforeAll
    static void startTorch() {
        Torch.start(1);
    }

    @BeforeEach
    void start() throws IOException {
        run = new RunFolder(folder);
        Files.writeString(run.identity(), "{}");
        state =
                GivenState.of(
                        3,
                        GivenTrain.of(0, 100, 8).spec(),
                        new Seat(Progress.NONE),
                        TrainingState.START);
        coordinated = new Coordinated();
        keeping = coordinated.keeping(folder, rescue, state);
    }

    @AfterEach
    void end() throws Exception {
        keeping.close();
        coordinated.close();
        state.learner().close();
    }

    /** Another process, of a run that may train for two hours. */
    void goOn(TrainingState from) {
        keeping.close();
        state.learner().close();
        state =
                GivenState.of(
                        3,
                        GivenTrain.of(0, 100, 8).seconds(7200).spec(),
                        new Seat(Progress.NONE),
                        from);
        keeping = coordinated.keeping(folder, rescue, state);
    }

    void beginAs(int rank) throws Exception {
        begin(rank, Progress.NONE, List.of());
    }

    void begin(int rank, Progress committed, List<Integer> behind) throws Exception {
        try (RanksOnThreads group = new RanksOnThreads(2)) {
            Group members = group.group(1);
            Plan plan = new Plan(1, List.of(4, 4), 4, "");
            View view = new View(members, plan, committed, 0, behind, Long.MAX_VALUE);
            List<Collective> ranks = group.play(1, 64, collective -> collective);
            keeping.formed(view, ranks.get(rank));
        }
    }

    void evaluate(long step, double figure) {
        move(step, figure);
        keeping.evaluated(evaluation(figure, List::of), 1);
    }

    Evaluation evaluation(double figure, Supplier<List<EvaluationSection>> sections) {
        Map<String, Double> figures = Map.of(GivenState.METRIC.name(), figure);
        return new Evaluation(figures, 0, List.of(), 0, 0, 1, sections);
    }

    /** The state after an evaluation, which nobody has kept yet. */
    void move(long step, double figure) {
        TrainingState before = state.state();
        TrainingState stepped =
                new TrainingState(
                        step,
                        false,
                        before.best(),
                        before.bestStep(),
                        before.sinceBest(),
                        null,
                        false);
        state.move(
                stepped.evaluated(
                        figure, Double.NaN, GivenState.METRIC, state.schedule().train().stop()));
    }

    void border(long step) {
        TrainingState at = state.state();
        while (at.step() < step) {
            at = at.stepped();
        }
        state.move(at);
        keeping.atBorder();
    }

    /** A link that leads nowhere is in the way of the model's folder. */
    void letModelFail() throws IOException {
        Files.createSymbolicLink(run.model(), folder.resolve("nowhere"));
    }

    /** The folder for this case has it instead. */
    void assertNotKept() throws IOException {
        keeping.finish();
        assertThat(Files.isDirectory(run.model())).isFalse();
        RunFolder rescued = new RunFolder(rescue.resolve(folder.getFileName()));
        assertThat(ModelFolder.read(rescued.model()).description().metrics()).containsValue(0.5);
    }

    Optional<Checkpoint> checkpoint() {
        return CheckpointStore.latest(run.checkpoints()).found();
    }

    double modelFigure() {
        return ModelFolder.read(run.model()).description().metrics().get(GivenState.METRIC.name());
    }

    /** Another one with each write. */
    Object written() throws IOException {
        return Files.readAttributes(run.model(), BasicFileAttributes.class).fileKey();
    }
}
