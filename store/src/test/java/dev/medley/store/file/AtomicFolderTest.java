package dev.medley.store.file;

import static dev.medley.store.file.AtomicFileTest.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFolderTest {
    @TempDir Path folder;

    @Test
    @Tag("unit")
    void shouldReplaceTheWholeFolder() throws Exception {
        Path target = folder.resolve("model");
        AtomicFolder.write(target, 0, into -> Files.writeString(into.resolve("old.txt"), "old"));
        AtomicFolder.write(target, 0, into -> Files.writeString(into.resolve("new.txt"), "new"));
        assertThat(names(target)).containsExactly("new.txt");
        assertThat(names(folder)).containsExactly("model");
    }

    @Test
    @Tag("unit")
    void shouldKeepTheOldFolderWhenWritingFails() throws Exception {
        Path target = folder.resolve("model");
        AtomicFolder.write(target, 0, into -> Files.writeString(into.resolve("old.txt"), "old"));
        assertThatThrownBy(
                        () ->
                                AtomicFolder.write(
                                        target,
                                        0,
                                        into -> {
                                            Files.writeString(into.resolve("new.txt"), "new");
                                            throw new IOException("the cable was pulled");
                                        }))
                .isInstanceOf(WriteFailure.class)
                .hasMessageContaining("the cable was pulled");
        assertThat(names(target)).containsExactly("old.txt");
        assertThat(names(folder)).containsExactly("model");
    }

    @Test
    @Tag("unit")
    void shouldCopyATree() throws Exception {
        Path source = Files.createDirectories(folder.resolve("source/a/b"));
        Files.writeString(source.resolve("deep.txt"), "deep");
        AtomicFolder.copy(folder.resolve("source"), folder.resolve("copies/target"));
        assertThat(folder.resolve("copies/target/a/b/deep.txt")).hasContent("deep");
        assertThatThrownBy(() -> AtomicFolder.copy(folder.resolve("none"), folder.resolve("t")))
                .isInstanceOf(WriteFailure.class);
    }

    @Test
    @Tag("unit")
    void shouldPutBackAFolderWhoseReplacementWasCutShort() throws Exception {
        long dead = deadPid();
        Path old = Files.createDirectory(folder.resolve(".model." + dead + "-3.old"));
        Files.writeString(old.resolve("old.txt"), "old");
        Files.createDirectory(folder.resolve(".model." + dead + "-2.tmp"));
        Files.createDirectory(folder.resolve(".other." + dead + "-4.old"));
        AtomicFolder.settle(folder.resolve("model"));
        assertThat(folder.resolve("model/old.txt")).hasContent("old");
        AtomicFile.sweep(folder);
        assertThat(names(folder)).containsExactly("model", "other");
    }

    @Test
    @Tag("unit")
    void shouldNotPutBackTheRestOfAnEarlierReplacement() throws Exception {
        Path target = folder.resolve("model");
        AtomicFolder.write(target, 0, into -> Files.writeString(into.resolve("a"), "1"));
        Path rest = Files.createDirectory(folder.resolve(".model." + deadPid() + "-9.old"));
        AtomicFolder.write(
                target,
                0,
                into -> {
                    Files.writeString(into.resolve("a"), "2");
                    assertThat(rest).exists();
                });
        assertThat(rest).doesNotExist();
        Files.createDirectory(rest);
        AtomicFolder.delete(target);
        assertThat(names(folder)).isEmpty();
    }

    @Test
    @Tag("unit")
    void shouldNotSweepWhatALivingProcessIsBuilding() throws Exception {
        Path target = folder.resolve("model");
        AtomicFolder.write(
                target,
                0,
                into -> {
                    Files.writeString(into.resolve("new.txt"), "new");
                    AtomicFile.sweep(folder);
                });
        assertThat(names(target)).containsExactly("new.txt");
    }

    @Test
    @Tag("real")
    void shouldRefuseAFolderThatCannotFitBeforeWritingIt() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 2)) {
            Path target = disk.root().resolve("model");
            assertThatThrownBy(() -> AtomicFolder.write(target, 5 << 20, into -> {}))
                    .hasMessageContaining("model: no space left on the device: 5242880 bytes");
            assertThatThrownBy(
                            () ->
                                    AtomicFolder.write(
                                            target,
                                            0,
                                            into ->
                                                    AtomicFile.write(
                                                            into.resolve("weights"),
                                                            new byte[3 << 20])))
                    .isInstanceOfSatisfying(
                            WriteFailure.class,
                            f -> assertThat(f.reason()).isEqualTo(WriteFailure.Reason.NO_SPACE))
                    .hasMessageStartingWith(target + ": no space left");
            assertThat(names(disk.root())).isEmpty();
        }
    }

    @Test
    @Tag("real")
    void shouldLeaveTheOldFolderOrTheNewOneWhenKilled() throws Exception {
        Path target = folder.resolve("model");
        int atLeast = 0;
        for (long seed = 1; seed <= 12; seed++) {
            try (ChildJvm child = ChildJvm.start(Replacer.class, target, atLeast)) {
                int seen = Integer.parseInt(child.readLine());
                List<String> more = child.killAfter(Seeds.generator(seed).nextInt(40_000));
                atLeast = more.isEmpty() ? seen : Integer.parseInt(more.get(more.size() - 1));
            }
            AtomicFolder.settle(target);
            assertThat(names(target)).containsExactly("a", "b");
            int version = Integer.parseInt(Files.readString(target.resolve("a")));
            assertThat(target.resolve("b")).hasContent(Integer.toString(version));
            assertThat(version).as("seed %d", seed).isBetween(atLeast, atLeast + 1);
            atLeast = version;
        }
        AtomicFile.sweep(folder);
        assertThat(names(folder)).containsExactly("model");
    }

    /** Replaces a folder of two files by version after version. */
    public static final class Replacer {
        private Replacer() {}

        public static void main(String[] arguments) throws IOException {
            Path target = Path.of(arguments[0]);
            for (int version = Integer.parseInt(arguments[1]) + 1; ; version++) {
                String text = Integer.toString(version);
                AtomicFolder.write(
                        target,
                        0,
                        into -> {
                            Files.writeString(into.resolve("a"), text);
                            Files.writeString(into.resolve("b"), text);
                        });
                System.out.println(version);
            }
        }
    }

    private static long deadPid() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }
}
