package dev.medley.hub.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class JobProcessesTest {
    @Test
    void shouldBeginNoJobOnAFullDisk(@TempDir Path folder) {
        JobProcesses processes =
                new JobProcesses(
                        folder, List.of("/bin/false"), null, Clock.system(), Long.MAX_VALUE);
        JobRequest request = new JobRequest("j", "mlp/1.0/j", "", "/", JobOwner.of("ann"), 1, 1);
        FleetJob job = FleetJob.submitted(1, request, 0);
        assertThatThrownBy(() -> processes.start(job))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("MiB free")
                .hasMessageEndingWith("make room");
        assertThat(processes.folder(1).launch()).isEmpty();
    }
}
