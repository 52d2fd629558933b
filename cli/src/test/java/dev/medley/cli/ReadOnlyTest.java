package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.SmallDisk;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a disk that is mounted read-only: they can be read, and every change is refused. */
@Tag("real")
@Timeout(240)
class ReadOnlyTest {
    @TempDir Path folder;

    @Test
    void whoeverWouldWriteThereShouldSaySoAndWriteNothing() throws Exception {
        writeJob();
        Path disk = Files.createDirectory(folder.resolve("disk"));
        try (SmallDisk small = SmallDisk.mount(disk)) {
            assertDone("train job.yaml --run-dir disk");
            RunFolder folderOfRun = RunFolder.find(disk, "latest");
            String run = folderOfRun.name();
            interrupted(folderOfRun);
            small.makeReadOnly();
            Map<Path, Long> before = files(disk);
            Refused.assertAll(
                    folder,
                    new Refused("train job.yaml --run-dir disk", "/disk", "ead-only", "--run-dir"),
                    new Refused("train --resume disk/" + run, run, "ead-only"),
                    new Refused("report disk/" + run, run, "ead-only"),
                    new Refused("runs rm " + run + " --run-dir disk", run, "ead-only"));
            assertDone("runs list --run-dir disk", "evaluate disk/" + run + "/model t.csv");
            assertThat(files(disk)).isEqualTo(before);
        }
    }

    /** A run that is done is not gone on with, whatever its disk is like. */
    private static void interrupted(RunFolder run) throws IOException {
        String done = Files.readString(run.summary());
        String interrupted = done.replace("\"DONE\"", "\"INTERRUPTED\"");
        assertThat(interrupted).isNotEqualTo(done);
        Files.writeString(run.summary(), interrupted);
    }

    private void assertDone(String... commands) throws Exception {
        for (Said said : ManyCommands.run(folder, List.of(commands))) {
            assertThat(said.exitCode()).as(said.toString()).isZero();
        }
    }

    private void writeJob() throws IOException {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 100; i++) {
            rows.append("%d,%d,%d%n".formatted(i % 7, i % 11, i % 2));
        }
        Files.writeString(folder.resolve("t.csv"), rows);
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: locked
                data: {train: t.csv, label: y}
                model: linear
                train: {steps: 5, batch: 8}
                cluster: 1
                """);
    }

    private static Map<Path, Long> files(Path disk) throws IOException {
        Map<Path, Long> lengths = new TreeMap<>();
        try (Stream<Path> all = Files.walk(disk)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                lengths.put(file, Files.size(file));
            }
        }
        return lengths;
    }
}
