package dev.medley.serving.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.engine.Pace;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.batch.BatchLimits;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class ModelHostTest {
    @TempDir private Path folder;

    @Test
    void aVersionShouldBeTriedGentlyWhileOthersAnswer() throws Exception {
        GivenTable.in(folder, "hours", new ModelSpec.Linear()).trained(null).close();
        Path model = folder.resolve("model");
        ServeLimits limits = new ServeLimits(BatchLimits.USUAL, null, 1, 1);
        try (ModelHost host = new ModelHost(limits, Clock.system())) {
            host.add(new ModelName("m", "1"), model);
            assertThat(host.pace("m")).as("nobody answers yet").isEqualTo(Pace.FULL);
            host.load(new ModelName("m", "1"), model);
            assertThat(host.pace("m")).isEqualTo(Pace.QUARTER);
            assertThat(host.pace("other")).isEqualTo(Pace.QUARTER);
            host.replace(new ModelName("m", "2"), model);
            assertThat(host.hold("m", null).model().name().version()).isEqualTo("2");
            host.unload("m");
            assertThat(host.pace("m")).isEqualTo(Pace.FULL);
        }
    }
}
