package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class WorkerProcessTest {
    @TempDir private Path folder;

    /** The build gives its workers one: they are too short for the optimizing compiler. */
    @Test
    void whatTheMachinesOwnerAddsShouldComeLast() throws Exception {
        String added = System.getenv("MEDLEY_WORKER_JAVA_OPTS");
        List<String> line =
                WorkerProcess.of(SmallJob.in(folder, 1, 1).job(), 1, WorkerProcessTest.class)
                        .process(folder.resolve("crash.log"), List.of())
                        .command();
        assertThat(added).as("set by the build").isNotBlank();
        int first = line.indexOf("-XX:-UsePerfData");
        assertThat(first).isPositive();
        assertThat(line.subList(first, line.size())).containsSequence(added.split(" "));
        assertThat(line.indexOf(added.split(" ")[0]))
                .isLessThan(line.indexOf(WorkerProcessTest.class.getName()));
    }
}
