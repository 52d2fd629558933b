package dev.medley.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    private static final int VERSION_BYTES = 1 << 20;
    private static final String OTHER = MachineMark.of("another", "machine");

    @TempDir Path folder;

    @Test
    @Tag("unit")
    void shouldReplaceTheOldFile() throws Exception {
        Path file = folder.resolve("made/on/the/way/model.json");
        AtomicFile.write(file, new byte[] {1});
        AtomicFile.write(file, new byte[] {2, 3});
        assertThat(file).hasBinaryContent(new byte[] {2, 3});
        assertThat(names(file.getParent())).containsExactly("model.json");
    }

    @Test
    @Tag("unit")
    void shouldKeepTheOldFileWhenWritingFails() throws Exception {
        Path file = folder.resolve("plan.json");
        AtomicFile.write(file, new byte[] {1});
        assertThatThrownBy(
                        () ->
                                AtomicFile.write(
                                        file,
                                        10,
                                        channel -> {
                                            channel.write(ByteBuffer.allocate(5));
                                            throw new IOException("the cable was pulled");
                                        }))
                .isInstanceOf(WriteFailure.class)
                .hasMessageContainingAll(file.toString(), "the cable was pulled");
        assertThat(file).hasBinaryContent(new byte[] {1});
        assertThat(names(folder)).containsExactly("plan.json");
    }

    @Test
    @Tag("real")
    void shouldSayHowMuchSpaceIsMissing() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 2)) {
            Path file = disk.root().resolve("weights");
            AtomicFile.write(file, new byte[] {1});
            byte[] tooMuch = new byte[3 << 20];
            assertThatThrownBy(() -> AtomicFile.write(file, tooMuch))
                    .isInstanceOfSatisfying(
                            WriteFailure.class,
                            failure -> {
                                assertThat(failure.reason())
                                        .isEqualTo(WriteFailure.Reason.NO_SPACE);
                                assertThat(failure.asFault().kind()).isEqualTo(Fault.Kind.STORE);
                                assertThat(failure.asFault().message())
                                        .contains(
                                                file
                                                        + ": no space left on the device: 3145728"
                                                        + " bytes needed, ");
                            });
            assertThat(file).hasBinaryContent(new byte[] {1});
            assertThat(names(disk.root())).containsExactly("weights");
            assertThatThrownBy(() -> WritableFolder.require(disk.root().resolve("run"), 3 << 20))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll("run: no space left", "3145728 bytes needed");
            assertThat(names(disk.root())).containsExactly("weights");
        }
    }

    @Test
    @Tag("real")
    void shouldSayThatTheFolderIsReadOnly() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 2)) {
            Path file = disk.root().resolve("job.json");
            AtomicFile.write(file, new byte[] {1});
            disk.makeReadOnly();
            assertThatThrownBy(() -> AtomicFile.write(file, new byte[] {2}))
                    .isInstanceOf(WriteFailure.class)
                    .hasMessage(
                            file
                                    + ": the folder is read-only: choose another folder, or make it"
                                    + " writable");
            assertThatThrownBy(() -> WritableFolder.require(disk.root(), 0))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(disk.root() + ": the folder is read-only");
            assertThatThrownBy(() -> WritableFolder.require(disk.root().resolve("a/b"), 0))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("the folder is read-only");
        }
    }

    /** Machines that share a folder have processes of the same id. */
    @Test
    @Tag("unit")
    void shouldLeaveWhatAnotherMachineBuildsForADay() throws Exception {
        long pid = ProcessHandle.current().pid();
        Path theirs = Files.createFile(folder.resolve(".event.%d-1-%s.tmp".formatted(pid, OTHER)));
        Path ours =
                Files.createFile(
                        folder.resolve(".event.%d-1-%s.tmp".formatted(pid, MachineMark.OWN)));
        AtomicFile.sweep(folder);
        assertThat(ours).doesNotExist();
        assertThat(theirs).exists();
        assertThat(Leftovers.isUnderWayElsewhere(folder)).isFalse();
        long before = Clock.system().wallMillis() - Duration.ofHours(25).toMillis();
        Files.setLastModifiedTime(theirs, FileTime.fromMillis(before));
        AtomicFile.sweep(folder);
        assertThat(theirs).doesNotExist();
    }

    @Test
    @Tag("unit")
    void shouldBuildUnderANameOfThisMachineAlone() throws Exception {
        try (ScratchFolder scratch = ScratchFolder.beside(folder.resolve("event"))) {
            assertThat(scratch.path().getFileName().toString())
                    .matches("\\.event\\.\\d+-\\d+-[0-9a-f]{8}\\.tmp")
                    .contains(MachineMark.OWN);
        }
        assertThat(MachineMark.of("a\n", "host\n")).isNotEqualTo(MachineMark.of("a\n", "pod\n"));
    }

    @Test
    @Tag("unit")
    void shouldRefuseAFileWhereAFolderIsNeeded() throws Exception {
        Path file = Files.createFile(folder.resolve("runs"));
        assertThatThrownBy(() -> WritableFolder.require(file, 0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("runs: is a file, but a folder is needed");
        WritableFolder.require(folder.resolve("new/one"), 1);
        assertThat(folder.resolve("new/one")).isEmptyDirectory();
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("new/one"));
        WritableFolder.require(link, 1);
        AtomicFile.write(link.resolve("file"), new byte[] {1});
        assertThat(folder.resolve("new/one/file")).hasBinaryContent(new byte[] {1});
    }

    @Test
    @Tag("real")
    void shouldLeaveTheOldFileOrTheNewOneWhenKilled() throws Exception {
        Path file = folder.resolve("state");
        int atLeast = 0;
        for (long seed = 1; seed <= 12; seed++) {
            try (ChildJvm child = ChildJvm.start(Writer.class, file, atLeast)) {
                int seen = Integer.parseInt(child.readLine());
                List<String> more = child.killAfter(Seeds.generator(seed).nextInt(60_000));
                atLeast = more.isEmpty() ? seen : Integer.parseInt(more.get(more.size() - 1));
            }
            byte[] content = Files.readAllBytes(file);
            int version = ByteBuffer.wrap(content).getInt();
            assertThat(content).isEqualTo(Writer.content(version));
            assertThat(version).as("seed %d", seed).isBetween(atLeast, atLeast + 1);
            atLeast = version;
        }
        AtomicFile.sweep(folder);
        assertThat(names(folder)).containsExactly("state");
    }

    /** Replaces a file by version after version, and says each that is written. */
    public static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[0]);
            for (int version = Integer.parseInt(arguments[1]) + 1; ; version++) {
                AtomicFile.write(file, content(version));
                System.out.println(version);
            }
        }

        static byte[] content(int version) {
            byte[] content = new byte[VERSION_BYTES];
            Arrays.fill(content, (byte) version);
            ByteBuffer.wrap(content).putInt(version);
            return content;
        }
    }

    static List<String> names(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(e -> e.getFileName().toString()).sorted().toList();
        }
    }
}
