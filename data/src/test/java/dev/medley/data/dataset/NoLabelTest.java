package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of which no column is predicted. */
@Tag("unit")
class NoLabelTest {
    private static final SplitSpec TAIL = new SplitSpec(SplitKind.TAIL, 0.25, null);

    @TempDir Path folder;

    private Path csv(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private PreparedData prepare(DataSpec spec) {
        return Datasets.prepare(spec, 1, folder.resolve("cache"), PreparationProgress.NONE);
    }

    private DataSpec clusters(Path file) {
        return Given.files(file).task(Task.NONE).split(TAIL).standard().spec();
    }

    @Test
    void allColumnsShouldBeLearntFromAndNewRowsBeReadAlike() throws IOException {
        Path file = csv("t.csv", "x,c", "1,a", "3,b", "5,a", "4,b");
        PreparedData data = prepare(clusters(file));
        assertThat(data.signature().target().kind()).isEqualTo(TargetKind.NONE);
        assertThat(data.signature().inputs().get(0).shape()).containsExactly(3);
        assertThat(data.trainSamples()).isEqualTo(3);
        assertThat(data.findings().classCounts()).isEmpty();
        Path more = csv("more.csv", "c,x", "b,3", "a,5");
        for (PreparedData rows :
                List.of(
                        Datasets.encode(data.encoding(), Given.files(more).spec(), cache(), NONE),
                        Datasets.encodeInputs(
                                data.encoding(), Given.files(more).spec(), cache(), NONE))) {
            assertThat(rows.findings().targets()).isTrue();
            assertThat(firstOf(rows)).containsExactly(0, 0, 1);
        }
        PreparedData again = Datasets.prepareAs(data.encoding(), clusters(file), 1, cache(), NONE);
        assertThat(again.trainSamples()).isEqualTo(3);
    }

    private static final PreparationProgress NONE = PreparationProgress.NONE;

    private Path cache() {
        return folder.resolve("cache");
    }

    private static float[] firstOf(PreparedData rows) {
        try (TrainingData data = TrainingData.open(rows, 1, Clock.system())) {
            Batch batch = data.validation(0, 1);
            float[] features = new float[3];
            batch.inputs().get(0).data().buffer().asFloatBuffer().get(features);
            assertThat(batch.target().data().buffer().asFloatBuffer().get(0)).isZero();
            return features;
        }
    }

    @Test
    void whatPredictsShouldStillNeedALabelAndStrataAColumn() throws IOException {
        Path file = csv("t.csv", "x,c", "1,a", "3,b", "5,a", "4,b");
        assertThatThrownBy(() -> prepare(Given.files(file).split(TAIL).spec()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("data.label is not set: name the column to predict");
        assertThatThrownBy(
                        () ->
                                prepare(
                                        Given.files(file)
                                                .task(Task.NONE)
                                                .split(
                                                        new SplitSpec(
                                                                SplitKind.STRATIFIED, 0.5, null))
                                                .spec()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("data.split.kind=stratified: there is no label here");
        assertThatThrownBy(() -> Given.files(file).label("c").task(Task.NONE).spec())
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("data.label=c: what is learnt here takes no label");
    }
}
