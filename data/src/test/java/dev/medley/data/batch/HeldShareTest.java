package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.order.SampleRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A share of all samples is read once, whatever the number of steps, until it is another. */
@Tag("unit")
class HeldShareTest {
    @TempDir Path folder;

    @Test
    void aShareShouldBeReadOnceAndAnewWhereItChanges() throws IOException {
        String rows =
                IntStream.range(0, 20)
                        .mapToObj(i -> i + "," + i % 2)
                        .collect(Collectors.joining("\n", "x,y\n", "\n"));
        Path file = Files.writeString(folder.resolve("t.csv"), rows);
        PreparedData data =
                new GivenEncoding(folder.resolve("cache"))
                        .prepare(
                                Given.files(file)
                                        .label("y")
                                        .scaling(dev.medley.base.job.DataSpec.NumberScaling.NONE)
                                        .numeric("x")
                                        .split(new SplitSpec(SplitKind.RANDOM, 0, null)));
        try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                BatchStream stream =
                        training.held(step -> new SampleRange(step - 1, step < 3 ? 0 : 5, 10), 1)) {
            Batch first = stream.next();
            assertThat(Given.floats(first.inputs().get(0)))
                    .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            assertThat(stream.next()).isSameAs(first);
            assertThat(Given.floats(stream.next().inputs().get(0))).containsExactly(5, 6, 7, 8, 9);
        }
    }

    @Test
    void aShareThatOneBatchCannotHoldShouldSayHowManyWorkersCan() {
        Signature wide =
                new Signature(
                        List.of(new Input("x", ElementType.FLOAT32, List.of(1000), List.of())),
                        new Target(TargetKind.VALUE, 1, List.of()));
        TrainingData.requireHeld(wide, 1_000_000, 2);
        assertThatThrownBy(() -> TrainingData.requireHeld(wide, 1_000_000, 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("1,000,000 samples of 4,004 bytes", "take 2 workers");
    }
}
