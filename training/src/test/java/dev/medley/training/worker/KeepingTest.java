package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.exchange.Collective;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.profile.record.RunFolder;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.model.ModelFolder;
import dev.medley.tensor.Torch;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.evaluation.Evaluation;
import dev.medley.training.loop.RunState;
import dev.medley.training.loop.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is on the disk when: models and checkpoints, really written. */
@Tag("unit")
@Timeout(60)
class KeepingTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @TempDir Path folder;
    @TempDir Path rescue;

    private RunFolder run;
    private WorkerState state;
    private Coordinated coordinated;
    private Keeping keeping;

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
                        RunState.START);
        coordinated = new Coordinated();
        keeping = coordinated.keeping(folder, rescue, state);
    }

    @AfterEach
    void end() throws Exception {
        keeping.close();
        coordinated.close();
        state.replica().close();
    }

    @Test
    void theModelShouldBeThatOfTheBestEvaluation() throws Exception {
        beginAs(0);
        evaluate(10, 0.5);
        keeping.finish();
        Object first = written();
        evaluate(20, 0.7);
        keeping.finish();
        assertThat(written()).as("a worse one is not written").isEqualTo(first);
        assertThat(modelFigure()).isEqualTo(0.5);
        evaluate(30, 0.3);
        evaluate(40, 0.2);
        keeping.finish();
        assertThat(modelFigure()).isEqualTo(0.2);
    }

    @Test
    void theModelShouldBeOfTheParametersAsTheyWereWhenItWasOffered() throws Exception {
        beginAs(0);
        state.replica().parameters().buffer().putFloat(0, 42);
        evaluate(10, 0.5);
        state.replica().parameters().buffer().putFloat(0, 43);
        keeping.finish();
        assertThat(
                        ModelFolder.read(run.model()).weights().stream()
                                .map(span -> span.data().buffer().getFloat(0)))
                .contains(42f)
                .doesNotContain(43f);
    }

    @Test
    void aCheckpointShouldWaitUntilTheBestThatItSpeaksOfIsOnTheDisk() throws Exception {
        beginAs(0);
        letModelFail();
        evaluate(10, 0.5);
        assertNotKept(); // The writer has tried when that is through.
        for (int step = 11; step < 20; step++) {
            border(step);
        }
        assertNotKept();
        assertThat(checkpoint()).as("its model is not there").isEmpty();
        Files.delete(run.model());
        coordinated.passNs(SECOND_NS);
        for (int step = 20; checkpoint().isEmpty(); step++) {
            border(step);
        }
        assertThat(modelFigure()).isEqualTo(0.5);
        RunState kept = SavedRun.of(checkpoint().orElseThrow()).state();
        assertThat(kept.bestStep()).isEqualTo(10);
        assertThat(kept.step()).isGreaterThan(20);
    }

    @Test
    void aLastCheckpointShouldWaitForTheBestToo() throws Exception {
        beginAs(0);
        letModelFail();
        evaluate(10, 0.5);
        keeping.saveNow();
        assertThat(checkpoint()).as("its model is not there").isEmpty();
        RunFolder rescued = new RunFolder(rescue.resolve(folder.getFileName()));
        assertThat(CheckpointStore.latest(rescued.checkpoints()).found().orElseThrow().step())
                .isEqualTo(10);
        assertThat(ModelFolder.read(rescued.model()).description().metrics()).containsValue(0.5);
        Files.delete(run.model());
        keeping.saveNow();
        assertThat(modelFigure()).isEqualTo(0.5);
        assertThat(checkpoint().orElseThrow().step()).isEqualTo(10);
    }

    /** Nothing was evaluated since, so nobody would write it again. */
    @Test
    void aModelThatWasRemovedShouldBeWrittenAgainAtTheEnd() throws Exception {
        beginAs(0);
        evaluate(10, 0.5);
        keeping.saveNow();
        try (Stream<Path> files = Files.list(run.model())) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(run.model());
        keeping.finish();
        assertThat(modelFigure()).isEqualTo(0.5);
    }

    /** Rank 1 sees that rank 0 has written; where it has not, rank 1 does. */
    @Test
    void whoeverIsLeftWithoutACoordinatorShouldKeepTheState() throws Exception {
        beginAs(1);
        evaluate(10, 0.5);
        state.seat().hold(state.state().progress());
        coordinated.passEachLookNs(SECOND_NS);
        keeping.keepOrphaned();
        assertThat(checkpoint().orElseThrow().step()).isEqualTo(10);
        Object first = checkpoint().orElseThrow().wallMillis();
        keeping.keepOrphaned();
        assertThat(checkpoint().orElseThrow().wallMillis()).isEqualTo(first);
    }

    /** A checkpoint that an earlier process wrote, and that the run could not go on from. */
    @Test
    void aDamagedNewerCheckpointShouldNotStandForWhatOrphansHold() throws Exception {
        beginAs(0);
        evaluate(20, 0.6);
        keeping.saveNow();
        Path damaged = checkpoint().orElseThrow().folder();
        Files.writeString(damaged.resolve("manifest.json"), "{}");
        evaluate(10, 0.5);
        state.seat().hold(state.state().progress());
        keeping.keepOrphaned();
        assertThat(checkpoint().orElseThrow().step()).isEqualTo(10);
        assertThat(damaged).as("stays for people to look at").exists();
    }

    @Test
    void aSoundStateShouldBeKeptWhenTheNextStepIsNot() throws Exception {
        beginAs(0);
        evaluate(10, 0.5);
        keeping.keepSound();
        assertThat(checkpoint().orElseThrow().step()).isEqualTo(10);
        assertThat(modelFigure()).isEqualTo(0.5);
        evaluate(20, 0.6);
        state.replica().parameters().buffer().putFloat(4, Float.NEGATIVE_INFINITY);
        keeping.keepSound();
        assertThat(checkpoint().orElseThrow().step()).as("that of 20 is spoilt").isEqualTo(10);
    }

    @Test
    void anUnsoundStepShouldNotHideBehindADiskThatFails() throws Exception {
        beginAs(0);
        letModelFail();
        evaluate(10, 0.5);
        keeping.keepSound();
        assertThat(checkpoint()).isEmpty();
    }

    @Test
    void onlyRankZeroShouldKeepAnything() throws Exception {
        beginAs(1);
        evaluate(10, 0.5);
        border(11);
        border(20);
        keeping.keepSound();
        keeping.finish();
        assertThat(run.model()).doesNotExist();
        assertThat(run.checkpoints()).doesNotExist();
        assertThat(coordinated.noted()).isEmpty();
    }

    /** One evaluation, and the steps until then before the event of each checkpoint. */
    @Test
    void whatIsKeptShouldBeToldToTheCoordinator() throws Exception {
        beginAs(0);
        evaluate(10, 0.5);
        keeping.saveNow();
        keeping.finish();
        assertThat(coordinated.noted()).containsExactly("evaluation", "steps", "event");
    }

    /** Interrupted ten minutes before its time was up, and gone on with an hour later. */
    @Test
    void aRunThatGoesOnShouldHaveWhatIsLeftOfItsTime() throws Exception {
        goOn(RunState.START);
        beginAs(0);
        coordinated.passNs(6600 * SECOND_NS);
        border(10);
        keeping.saveNow();
        coordinated.passNs(3600 * SECOND_NS);
        goOn(SavedRun.of(checkpoint().orElseThrow()).state());
        beginAs(0);
        coordinated.passNs(599 * SECOND_NS);
        border(11);
        assertThat(keeping.isTimeUp()).isFalse();
        coordinated.passNs(2 * SECOND_NS);
        assertThat(keeping.isTimeUp()).isTrue();
    }

    /** The state that it copies has the time in which it had no part, too. */
    @Test
    void aMemberThatWasBehindShouldCountOnFromWhatItCopies() throws Exception {
        goOn(RunState.START);
        beginAs(1);
        coordinated.passNs(7000 * SECOND_NS);
        begin(1, new Progress(9, false), List.of(1));
        state.move(state.state().trained(7000 * SECOND_NS));
        border(10);
        assertThat(state.state().trainedNs()).isEqualTo(7000 * SECOND_NS);
        beginAs(0);
        coordinated.passNs(199 * SECOND_NS);
        assertThat(keeping.isTimeUp()).isFalse();
        coordinated.passNs(2 * SECOND_NS);
        assertThat(keeping.isTimeUp()).isTrue();
    }

    @Test
    void aFolderThatCannotBeWrittenShouldEndARunThatBegins() throws Exception {
        Files.writeString(run.checkpoints(), "in the way");
        assertThatThrownBy(() -> beginAs(0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is a file, but a folder is needed");
    }

    /** Its predecessor has gone on with a warning; so does whoever takes its place. */
    @Test
    void aFolderThatCannotBeWrittenShouldNotEndARunThatGoesOn() throws Exception {
        beginAs(1);
        border(10);
        Files.writeString(run.checkpoints(), "in the way");
        begin(0, new Progress(10, false), List.of());
        border(11);
        coordinated.passNs(SECOND_NS);
        border(12);
        keeping.saveNow();
        RunFolder rescued = new RunFolder(rescue.resolve(folder.getFileName()));
        assertThat(CheckpointStore.latest(rescued.checkpoints()).found().orElseThrow().step())
                .isEqualTo(12);
        Files.delete(run.checkpoints());
        coordinated.passNs(SECOND_NS);
        border(13);
        keeping.finish();
        assertThat(checkpoint().orElseThrow().step()).isEqualTo(13);
        assertThat(coordinated.noted())
                .as("one warning of the folder, one of the rescue, steps and their checkpoint")
                .containsExactly("event", "event", "steps", "event");
    }

    /** Another process, of a run that may train for two hours. */
    private void goOn(RunState from) {
        keeping.close();
        state.replica().close();
        state =
                GivenState.of(
                        3,
                        GivenTrain.of(0, 100, 8).seconds(7200).spec(),
                        new Seat(Progress.NONE),
                        from);
        keeping = coordinated.keeping(folder, rescue, state);
    }

    private void beginAs(int rank) throws Exception {
        begin(rank, Progress.NONE, List.of());
    }

    private void begin(int rank, Progress committed, List<Integer> behind) throws Exception {
        try (RanksOnThreads group = new RanksOnThreads(2)) {
            Group members = group.group(1);
            Plan plan = new Plan(1, List.of(4, 4), 4, "");
            View view = new View(members, plan, committed, 0, behind, Long.MAX_VALUE);
            List<Collective> ranks = group.play(1, 64, collective -> collective);
            keeping.formed(view, ranks.get(rank));
        }
    }

    private void evaluate(long step, double figure) {
        RunState before = state.state();
        RunState stepped =
                new RunState(
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
        keeping.evaluated(
                new Evaluation(Map.of(GivenState.METRIC.name(), figure), 0, List.of(), 0, 0, 1), 1);
    }

    private void border(long step) {
        RunState at = state.state();
        while (at.step() < step) {
            at = at.stepped();
        }
        state.move(at);
        keeping.atBorder();
    }

    /** A link that leads nowhere is in the way of the model's folder. */
    private void letModelFail() throws IOException {
        Files.createSymbolicLink(run.model(), folder.resolve("nowhere"));
    }

    /** The folder for this case has it instead. */
    private void assertNotKept() throws IOException {
        keeping.finish();
        assertThat(Files.isDirectory(run.model())).isFalse();
        RunFolder rescued = new RunFolder(rescue.resolve(folder.getFileName()));
        assertThat(ModelFolder.read(rescued.model()).description().metrics()).containsValue(0.5);
    }

    private Optional<Checkpoint> checkpoint() {
        return CheckpointStore.latest(run.checkpoints()).found();
    }

    private double modelFigure() {
        return ModelFolder.read(run.model()).description().metrics().get(GivenState.METRIC.name());
    }

    /** Another one with each write. */
    private Object written() throws IOException {
        return Files.readAttributes(run.model(), BasicFileAttributes.class).fileKey();
    }
}
