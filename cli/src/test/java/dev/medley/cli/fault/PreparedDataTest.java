package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.FaultJob;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody cleans up the cache of prepared data while a run uses it. */
@Tag("real")
@Timeout(240)
class PreparedDataTest {
    @TempDir Path folder;

    @Test
    void aFileCutShortShouldEndTheRunAndBeNamed() throws Exception {
        FaultJob.write(folder, 100, "workers: 2");
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            medley.await("a run", () -> medley.said().contains("Run: "));
            for (Path file : prepared()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(100);
                }
            }
            assertThat(medley.exitCode()).isEqualTo(2);
            assertThat(medley.said())
                    .contains("Failed: data of step 1: the prepared data in " + cache())
                    .contains("ends at byte 100")
                    .contains("--resume")
                    .doesNotContain("bug", "\tat ");
        }
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "--resume", "latest")) {
            assertThat(medley.exitCode()).as(medley.said()).isZero();
        }
    }

    /** Who trains has it open; whoever comes in the place of another has not. */
    @Test
    void aFileThatIsGoneShouldCostTheSuccessorAndNotTheRun() throws Exception {
        FaultJob.writeEndless(folder, "workers: 2");
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            medley.awaitStep(10);
            for (Path file : prepared()) {
                Files.delete(file);
            }
            medley.workers().get(0).destroyForcibly();
            String why = "A worker cannot take part: the prepared data in " + cache();
            medley.await("a word about the file", () -> medley.said().contains(why));
            medley.awaitStep(medley.lastStep() + 20);
            medley.interrupt();
            assertThat(medley.said()).contains(" is gone").doesNotContain("bug", "\tat ");
        }
    }

    private Path cache() {
        return folder.resolve("cache/medley/data");
    }

    /** The files with the samples. */
    private List<Path> prepared() throws IOException {
        try (Stream<Path> files = Files.walk(cache())) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".bin")).toList();
            assertThat(found).isNotEmpty();
            return found;
        }
    }
}
