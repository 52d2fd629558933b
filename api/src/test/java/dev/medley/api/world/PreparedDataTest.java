package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.net.control.Message.FailureKind;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        RunRecord failed;
        try (World world = new World(folder)) {
            failed = world.whenARunBegins(this::cutShort).train().failed(FailureKind.INPUT);
            assertThat(failed.summary().message())
                    .contains("data of step 1: the prepared data in " + cache())
                    .contains("ends at byte 100", "--resume")
                    .doesNotContain("bug");
        }
        try (World world = new World(folder)) {
            world.resume(failed.folder().path()).completed();
        }
    }

    /** Who trains has it open; whoever comes in the place of another has not. */
    @Test
    void aFileThatIsGoneShouldCostTheSuccessorAndNotTheRun() throws Exception {
        FaultJob.writeEndless(folder, "workers: 2");
        try (World world = new World(folder)) {
            RunThread run = world.train();
            run.awaitStep(10);
            for (Path file : prepared()) {
                Files.delete(file);
            }
            run.kill(1);
            run.awaitEvents("the prepared data in " + cache(), 1);
            run.awaitMoreSteps(20);
            run.interrupted();
            assertThat(run.said())
                    .contains("A worker cannot take part: ", " is gone")
                    .doesNotContain("bug");
        }
    }

    private void cutShort() {
        try {
            for (Path file : prepared()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(100);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path cache() {
        return folder.resolve("cache/data");
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
