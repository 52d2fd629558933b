package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.net.membership.Progress;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.model.ModelFolder;
import dev.medley.training.GivenState;
import dev.medley.training.loop.TrainingState;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept where another worker, or another process of the run, takes over. */
@Tag("unit")
@Timeout(600)
class TakeOverTest extends KeepingCase {
    /** Interrupted ten minutes before its time was up, and gone on with an hour later. */
    @Test
    void aRunThatGoesOnShouldHaveWhatIsLeftOfItsTime() throws Exception {
        goOn(TrainingState.START);
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
        goOn(TrainingState.START);
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

    /** Rank 0 is gone before it has written the best model. */
    @Test
    void theNextInTurnShouldKeepTheBestModel() throws Exception {
        beginAs(1);
        state.learner().parameters().buffer().putFloat(0, 42);
        evaluate(10, 0.5);
        state.learner().parameters().buffer().putFloat(0, 43);
        evaluate(20, 0.7);
        keeping.finish();
        assertThat(run.model()).as("that is for rank 0").doesNotExist();
        begin(0, new Progress(20, true), List.of());
        border(21);
        keeping.finish();
        assertThat(modelFigure()).isEqualTo(0.5);
        assertThat(firstParameters()).contains(42f).doesNotContain(43f);
    }

    @Test
    void whoTakesOverShouldLeaveTheBestModelThatIsKept() throws Exception {
        beginAs(1);
        evaluate(10, 0.5);
        Keeping next = keeping;
        keeping = coordinated.keeping(folder, rescue, state);
        beginAs(0);
        evaluate(10, 0.5);
        keeping.finish();
        keeping.close();
        Object first = written();
        keeping = next;
        begin(0, new Progress(10, true), List.of());
        border(11);
        keeping.finish();
        assertThat(written()).isEqualTo(first);
    }

    /** Both that had it are gone: the user is told, and something newer is kept in its place. */
    @Test
    void whereNobodyHasTheBestModelTheNextThatIsAsGoodShouldTakeItsPlace() throws Exception {
        beginAs(0);
        evaluate(10, 0.6);
        keeping.finish();
        keeping.close();
        keeping = coordinated.keeping(folder, rescue, state); // In its place, with no memory.
        StopSpec never = StopSpec.never();
        state.move(state.state().stepped().evaluated(0.2, 0, GivenState.METRIC, never));
        begin(0, new Progress(11, true), List.of());
        border(12);
        evaluate(20, 0.7);
        keeping.finish();
        assertThat(modelFigure()).as("0.7 is worse than what is kept").isEqualTo(0.6);
        evaluate(30, 0.5);
        evaluate(40, 0.55);
        keeping.finish();
        assertThat(modelFigure()).isEqualTo(0.5);
        evaluate(50, 0.1);
        evaluate(60, 0.2);
        keeping.finish();
        assertThat(modelFigure()).isEqualTo(0.1);
        assertThat(coordinated.noted()).contains("event");
        assertThat(coordinated.events())
                .filteredOn(event -> event.contains("was lost"))
                .singleElement()
                .asString()
                .startsWith("the model of step 11, the best so far, was lost");
    }

    /** Who kept the model before is in no group any more, and its disk has room again. */
    @Test
    void anOlderModelShouldNotTakeThePlaceOfALaterOne() throws Exception {
        beginAs(0);
        letModelFail();
        evaluate(10, 0.5);
        assertNotKept();
        Files.delete(run.model());
        Keeping old = keeping;
        keeping = coordinated.keeping(folder, rescue, state);
        begin(0, new Progress(10, true), List.of());
        evaluate(20, 0.3);
        keeping.finish();
        old.finish();
        old.close();
        assertThat(modelFigure()).isEqualTo(0.3);
    }

    private List<Float> firstParameters() {
        return ModelFolder.read(run.model()).weights().stream()
                .map(span -> span.data().buffer().getFloat(0))
                .toList();
    }
}
