package dev.medley.record.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.Runs;
import dev.medley.record.entry.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real processes are killed and a real disk fills up. */
@Tag("real")
class RecordingUnderFireTest {
    private static final RecorderOptions FEW =
            new RecorderOptions(64, 1 << 20, 100_000, 1 << 30, 1_000_000L, 0);

    @TempDir Path runs;

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldLoseAtMostTheLineUnderWayWhenKilled(long seed) throws Exception {
        Process writer =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Writer.class.getName(),
                                runs.toString())
                        .redirectErrorStream(true)
                        .start();
        long reported = 0;
        try (var output = writer.inputReader()) {
            long enough = 1 + Seeds.generator(seed).nextLong(2000);
            while (reported < enough) {
                reported = Long.parseLong(output.readLine());
            }
            writer.destroyForcibly();
        }
        assertThat(writer.waitFor(10, TimeUnit.SECONDS)).isTrue();

        RunFolder folder = RunFolder.list(runs).get(0);
        RunRecord run = RunRecord.read(folder);
        assertThat(run.unreadableLines()).isZero();
        assertThat(run.summary().state()).isEqualTo(RunStatus.VANISHED);
        List<Long> steps = run.steps().stream().map(StepRecord::step).toList();
        assertThat(steps).isSorted().doesNotHaveDuplicates().hasSizeBetween(1, 65);
        assertThat(run.events()).hasSizeGreaterThanOrEqualTo((int) reported);
    }

    @Test
    void shouldWriteWholeLinesOrNoneOnADiskThatFillsUp() throws Exception {
        Path disk = Files.createDirectory(runs.resolve("disk"));
        assumeThat(mount(disk, "size=256k"))
                .as("skipped: not allowed to mount a small disk")
                .isTrue();
        try {
            RecorderOptions many =
                    new RecorderOptions(100_000, 1 << 30, 100_000, 1 << 30, 1_000_000L, 0);
            List<Fault> faults = new ArrayList<>();
            RunFolder folder;
            try (RunRecorder recorder = Runs.start(disk, many, Clock.system())) {
                folder = recorder.folder();
                for (long step = 1; step <= 600; step++) {
                    Fault fault = recorder.step(Runs.step(step, Clock.system()));
                    if (fault != null) {
                        faults.add(fault);
                    }
                }
                assertThat(recorder.summary().unwrittenLines()).isPositive();
            }
            assertThat(faults.get(0).message()).contains("No space left on device");
            RunRecord run = RunRecord.read(folder);
            assertThat(run.unreadableLines()).isZero();
            assertThat(run.steps()).hasSizeGreaterThan(100).hasSizeLessThan(600);
        } finally {
            new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
        }
    }

    @Test
    void shouldRefuseAReadOnlyDiskBeforeTheStart() throws Exception {
        Path disk = Files.createDirectory(runs.resolve("disk"));
        assumeThat(mount(disk, "ro")).as("skipped: not allowed to mount a small disk").isTrue();
        try {
            assertThatThrownBy(() -> Runs.start(disk, FEW, Clock.system()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(disk.toString())
                    .hasMessageContaining("Read-only file system")
                    .hasMessageContaining("--run-dir");
        } finally {
            new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
        }
    }

    private static boolean mount(Path disk, String options) throws InterruptedException {
        try {
            return new ProcessBuilder("mount", "-t", "tmpfs", "-o", options, "none", "" + disk)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    /** Records steps and events as fast as it can, and says how far it is. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) {
            Clock clock = Clock.system();
            RunRecorder recorder = Runs.start(Path.of(args[0]), FEW, clock);
            for (long step = 1; step < 1_000_000; step++) {
                recorder.step(Runs.step(step, clock));
                recorder.event(RunEvent.of(0, step, RunEvent.Kind.WARNING, "step " + step));
                System.out.println(step);
            }
        }
    }
}
