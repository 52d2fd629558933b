package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.Segments;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.model.ModelFolder;
import dev.medley.training.loop.TrainingState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is on the disk when: models and checkpoints, really written. */
@Tag("unit")
@Timeout(600)
class KeepingTest extends KeepingCase {
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
        state.learner().parameters().buffer().putFloat(0, 42);
        evaluate(10, 0.5);
        state.learner().parameters().buffer().putFloat(0, 43);
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
        TrainingState kept = SavedRun.of(checkpoint().orElseThrow()).state();
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
        state.learner().parameters().buffer().putFloat(4, Float.NEGATIVE_INFINITY);
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

    /** Its threshold is chosen with its report: without one it would say the usual one. */
    @Test
    void aModelThatTakesTheLostOnesPlaceShouldBeReportedToo() throws Exception {
        beginAs(1);
        move(10, 0.5); // It was the best, on workers that are gone.
        beginAs(0);
        border(11);
        move(20, 0.7);
        keeping.evaluated(evaluation(0.7, () -> List.of(Segments.UNKNOWN)), 1);
        keeping.saveNow();
        assertThat(modelFigure()).isEqualTo(0.7);
        assertThat(coordinated.noted()).contains(EvaluationReport.KIND);
    }
}
