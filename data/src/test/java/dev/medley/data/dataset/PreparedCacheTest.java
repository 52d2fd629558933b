package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class PreparedCacheTest {
    @TempDir Path folder;
    private long disk = 1 << 30;

    @Test
    void shouldNotReadUnchangedFilesAgain() throws IOException {
        Path file = text("a.txt", "hello world. ", 1000);
        PreparedData first = prepare(file, 1, PreparationProgress.NONE);
        PreparedData again =
                prepare(
                        file,
                        1,
                        (phase, done, total) -> {
                            throw new AssertionError(phase);
                        });
        assertThat(again).isEqualTo(first);
    }

    @Test
    void shouldFindTheSameContentUnderAnotherName() throws IOException {
        Path file = text("a.txt", "hello world. ", 1000);
        PreparedData first = prepare(file, 1, PreparationProgress.NONE);
        Files.createDirectories(folder.resolve("moved/" + folder.getFileName()));
        Path moved = Files.copy(file, folder.resolve("moved/" + folder.getFileName() + "/a.txt"));
        assertThat(prepare(moved, 1, PreparationProgress.NONE).folder()).isEqualTo(first.folder());
    }

    @Test
    void shouldPrepareAgainWhenContentOptionsOrSeedChange() throws IOException {
        Path file = text("a.txt", "hello world. ", 1000);
        PreparedData first = prepare(file, 1, PreparationProgress.NONE);
        assertThat(prepare(file, 2, PreparationProgress.NONE).folder())
                .isNotEqualTo(first.folder());
        text("a.txt", "Hello world. ", 1000);
        PreparedData changed = prepare(file, 1, PreparationProgress.NONE);
        assertThat(changed.folder()).isNotEqualTo(first.folder());
        assertThat(changed.dataHash()).isNotEqualTo(first.dataHash()).hasSize(64);
    }

    @Test
    void shouldPrepareAgainWhatAnotherBuildPrepared() throws IOException {
        Path file = text("a.txt", "hello world. ", 1000);
        PreparedData now = prepare(file, 1, PreparationProgress.NONE);
        Inputs inputs = Inputs.find(now.spec());
        String earlier = "another";
        String key =
                Fingerprint.of(Fingerprint.ofSet(inputs, now.dataHash(), now.spec(), 1, earlier));
        String stamp = Fingerprint.of(Fingerprint.ofTimes(inputs, now.spec(), 1, earlier));
        Path cache = now.path().getParent();
        Files.move(now.path(), cache.resolve(key));
        Files.writeString(cache.resolve("stamps").resolve(stamp), key);
        assertThat(prepare(file, 1, PreparationProgress.NONE).path()).isEqualTo(now.path());
        assertThat(sets()).hasSize(2);
    }

    @Test
    void shouldMakeASetAgainWhoseFileIsTooShort() throws IOException {
        Path file = text("a.txt", "hello world. ", 1000);
        PreparedData first = prepare(file, 1, PreparationProgress.NONE);
        Path tokens = first.path().resolve(first.train().name());
        byte[] whole = Files.readAllBytes(tokens);
        Files.write(tokens, new byte[10]);
        prepare(file, 1, PreparationProgress.NONE);
        assertThat(Files.readAllBytes(tokens)).isEqualTo(whole);
    }

    @Test
    void shouldLetSeveralPrepareAtOnce() throws IOException {
        Path file = text("a.txt", "hello world. ", 100_000);
        List<CompletableFuture<PreparedData>> all =
                IntStream.range(0, 4)
                        .mapToObj(
                                i ->
                                        CompletableFuture.supplyAsync(
                                                () -> prepare(file, 1, PreparationProgress.NONE)))
                        .toList();
        assertThat(all.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        assertThat(sets()).hasSize(1);
    }

    @Test
    void shouldRemoveTheSetsThatWereNotUsedForTheLongestTime() throws IOException {
        disk = 150_000;
        Path one = text("a.txt", "hello world. ", 5_000);
        Path two = text("b.txt", "other words. ", 5_000);
        Path three = text("c.txt", "third text.. ", 5_000);
        PreparedData first = prepare(one, 1, PreparationProgress.NONE);
        age(first, 2_000_000_000_000L);
        PreparedData second = prepare(two, 1, PreparationProgress.NONE);
        age(second, 1_000_000_000_000L);
        PreparedData third = prepare(three, 1, PreparationProgress.NONE);
        assertThat(first.path()).exists();
        assertThat(second.path()).doesNotExist();
        assertThat(third.path()).exists();
    }

    @Test
    void shouldLeaveASetThatIsInUse() throws IOException {
        disk = 150_000;
        PreparedData first =
                prepare(text("a.txt", "hello world. ", 5_000), 1, PreparationProgress.NONE);
        age(first, 1_000_000_000_000L);
        try (InUse once = InUse.begin(first);
                InUse twice = InUse.begin(first)) {
            PreparedData second =
                    prepare(text("b.txt", "other words. ", 5_000), 1, PreparationProgress.NONE);
            prepare(text("c.txt", "third text.. ", 5_000), 1, PreparationProgress.NONE);
            assertThat(first.path()).exists();
            assertThat(second.path()).doesNotExist();
        }
        prepare(text("d.txt", "fourth text. ", 5_000), 1, PreparationProgress.NONE);
        assertThat(first.path()).doesNotExist();
    }

    /** Asks as another run would. */
    static final class OtherProcess {
        private OtherProcess() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println(InUse.isNobody(Path.of(arguments[0])) ? "unused" : "in use");
        }
    }

    @Test
    void otherProcessesShouldSeeThatASetIsInUse() throws Exception {
        PreparedData data =
                prepare(text("a.txt", "hello world. ", 1000), 1, PreparationProgress.NONE);
        assertThat(askedElsewhere(data)).isEqualTo("unused");
        try (InUse once = InUse.begin(data)) {
            InUse.begin(data).close();
            assertThat(InUse.isNobody(data.path())).isFalse();
            assertThat(askedElsewhere(data)).isEqualTo("in use");
        }
        assertThat(askedElsewhere(data)).isEqualTo("unused");
    }

    private static String askedElsewhere(PreparedData data) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                OtherProcess.class.getName(),
                                data.folder())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var answer = process.inputReader()) {
            return answer.readLine();
        }
    }

    @Test
    void shouldSweepWhatAKilledProcessLeft() throws IOException {
        Path left = Files.createDirectories(folder.resolve("cache/tmp-left"));
        Files.write(left.resolve("lock"), new byte[0]);
        Files.write(left.resolve("train.bin"), new byte[100]);
        prepare(text("a.txt", "hello world. ", 1000), 1, PreparationProgress.NONE);
        assertThat(left).doesNotExist();
        assertThat(sets()).hasSize(1);
    }

    private static void age(PreparedData data, long millis) throws IOException {
        Files.setLastModifiedTime(
                data.path().resolve("used"), java.nio.file.attribute.FileTime.fromMillis(millis));
    }

    private List<Path> sets() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("cache"))) {
            return all.filter(p -> !p.endsWith("stamps")).toList();
        }
    }

    private Path text(String name, String text, int times) throws IOException {
        return Files.writeString(folder.resolve(name), text.repeat(times));
    }

    private PreparedData prepare(Path file, long seed, PreparationProgress progress) {
        return Datasets.prepare(
                Given.files(file)
                        .text(new TextSpec(TextUnit.BYTES, 16, 16, List.of("*")))
                        .cache(1 << 20, disk)
                        .spec(),
                seed,
                folder.resolve("cache"),
                progress);
    }
}
