package dev.medley.data.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.S3Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
@Timeout(300)
class StoredFilesTest {
    private static S3Server server;
    private static int tests;

    @TempDir Path cache;
    private String root = "";

    @BeforeAll
    static void begin() throws Exception {
        server = S3Server.start();
    }

    @AfterAll
    static void end() throws Exception {
        server.close();
    }

    @BeforeEach
    void takeFolder() {
        root = "s3://bucket/test" + tests++;
    }

    @Test
    void anObjectShouldBeAFile() throws IOException {
        put("people.csv", "a,b\n1,2\n");
        assertThat(here(root + "/people.csv")).hasContent("a,b\n1,2\n");
    }

    @Test
    void foldersAndPatternsShouldNameWhatLiesBelow() throws IOException {
        put("t/a.csv", "a");
        put("t/deep/b.csv", "b");
        put("t/c.txt", "c");
        put("t/.hidden/d.csv", "d");
        put("t2/e.csv", "e");
        Path folder = here(root + "/t");
        assertThat(below(folder)).containsExactly("a.csv", "c.txt", "deep/b.csv");
        assertThat(here(root + "/t/")).isEqualTo(folder);
        Path pattern = here(root + "/t/**.csv");
        assertThat(pattern.getFileName()).hasToString("**.csv");
        assertThat(below(here(root + "/t2"))).containsExactly("e.csv");
    }

    @Test
    void aPatternShouldFetchNoMoreThanItNames() throws IOException {
        put("t/a.csv", "a");
        put("t/b.parquet", "b");
        assertThat(below(here(root + "/t/*.csv").getParent())).containsExactly("a.csv");
    }

    @Test
    void whatHasNotChangedShouldNotComeAgain() throws IOException {
        put("t/a", "1");
        put("t/b", "2");
        Path folder = here(root + "/t");
        var before = Files.readAttributes(folder.resolve("b"), "unix:ino,ctime");
        put("t/a", "other");
        assertThat(folder.resolve("a")).hasContent("1");
        assertThat(here(root + "/t")).isEqualTo(folder);
        assertThat(folder.resolve("a")).hasContent("other");
        assertThat(Files.readAttributes(folder.resolve("b"), "unix:ino,ctime")).isEqualTo(before);
    }

    /** Of the same length, which times and sizes would not tell. */
    @Test
    void anotherVersionOfTheSameLengthShouldCome() throws IOException {
        put("a", "one");
        Path file = here(root + "/a");
        put("a", "two");
        assertThat(here(root + "/a")).isEqualTo(file).hasContent("two");
    }

    @Test
    void whatIsNotThereAnyMoreShouldNotBeRead() throws IOException {
        put("t/a", "1");
        put("t/b", "2");
        Path folder = here(root + "/t");
        delete("t/b");
        assertThat(below(here(root + "/t"))).containsExactly("a");
        assertThat(below(folder)).containsExactly("a");
    }

    /** As of a kill between a copy and the word that it is whole. */
    @Test
    void aCopyWithoutItsOriginShouldComeAgain() throws IOException {
        put("a", "whole");
        Path file = here(root + "/a");
        Files.writeString(file, "torn!");
        Files.delete(file.resolveSibling(".a.origin"));
        assertThat(here(root + "/a")).hasContent("whole");
    }

    @Test
    void whatIsNotThereShouldBeOneSentence() throws IOException {
        put("t/a", "1");
        for (String entry : List.of("/none", "/t/*.csv", "/t/none/x")) {
            assertThatThrownBy(() -> here(root + entry))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage(
                            root
                                    + entry
                                    + ": there is no object of this name, nor one below it that"
                                    + " matches");
        }
        assertThatThrownBy(() -> here("s3://nobodys/x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("data: s3://nobodys/x?/?: NoSuchBucket[^\n]*");
        assertThatThrownBy(() -> here("https://example.org/x.csv"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("s3://BUCKET/KEY");
    }

    @Test
    void aRefusedKeyShouldBeOneSentence() throws IOException {
        put("a", "1");
        Map<String, String> wrong = new HashMap<>(server.environment());
        wrong.put("AWS_SECRET_ACCESS_KEY", "guessed");
        assertThatThrownBy(
                        () ->
                                new StoredFiles(cache, PreparationProgress.NONE, wrong::get)
                                        .here(root + "/a"))
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("data: s3://bucket/[^\n]*");
    }

    @Test
    void aNameThatLeadsOutShouldBeRefused() {
        for (String name : List.of("../x", "a/../../x", "a//b", "./a", "a/", "a\\..\\b")) {
            assertThatThrownBy(
                            () -> new dev.medley.store.object.StoredObject(name, 1, "1").in(cache))
                    .isInstanceOf(ConfigException.class);
        }
    }

    @Test
    void manyObjectsShouldAllCome() throws IOException {
        for (int i = 0; i < 60; i++) {
            put("many/" + i, "x".repeat(i));
        }
        List<String> all = below(here(root + "/many"));
        assertThat(all).hasSize(60);
        for (String name : all) {
            assertThat(here(root + "/many").resolve(name)).hasSize(Integer.parseInt(name));
        }
    }

    /** What lay in an object's place before may be a folder, and the other way around. */
    @Test
    void anObjectShouldComeWhereAFolderWasAndAFolderWhereAnObjectWas() throws IOException {
        put("x/a", "below");
        here(root + "/x");
        delete("x/a");
        put("x", "an object");
        assertThat(here(root + "/x")).hasContent("an object");
        delete("x");
        put("x/a/b", "below again");
        assertThat(below(here(root + "/x"))).containsExactly("a/b");
        assertThat(here(root + "/x/a/b")).hasContent("below again");
    }

    /** As a path of this machine does, whose letters are looked at when it is not there. */
    @Test
    void aFolderWhoseNameHasLettersOfPatternsShouldBeOne() throws IOException {
        put("years[1]/a.csv", "a");
        put("years[1]/deep/b?.csv", "b");
        assertThat(below(here(root + "/years[1]"))).containsExactly("a.csv", "deep/b?.csv");
        assertThat(here(root + "/years[1]/deep/b?.csv")).hasContent("b");
    }

    @Test
    void whatAKilledCommandLeftShouldGo() throws Exception {
        put("t/a", "1");
        Path folder = here(root + "/t");
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path left = Files.writeString(folder.resolve(".b.%d-1.tmp".formatted(dead.pid())), "half");
        put("t/b", "2");
        here(root + "/t");
        assertThat(left).doesNotExist();
    }

    /** A thread that dies must not leave the command waiting for it. */
    @Test
    void whatCannotEvenBeHeldShouldEndTheCommand() throws IOException {
        put("t/a", "1");
        UnaryOperator<String> environment =
                name -> {
                    if (Thread.currentThread().getName().startsWith("fetch-")) {
                        throw new OutOfMemoryError("as of a small heap");
                    }
                    return server.environment().get(name);
                };
        StoredFiles files = new StoredFiles(cache, PreparationProgress.NONE, environment);
        assertThatThrownBy(() -> files.here(root + "/t")).isInstanceOf(OutOfMemoryError.class);
    }

    /** As of keys that expire: it is no trouble of this machine's disk. */
    @Test
    void whatTheStoreRefusesWhileItIsFetchedShouldBeItsOwnSentence() throws IOException {
        put("t/a", "1");
        UnaryOperator<String> environment =
                name ->
                        name.equals("AWS_SECRET_ACCESS_KEY")
                                        && Thread.currentThread().getName().startsWith("fetch-")
                                ? "expired"
                                : server.environment().get(name);
        StoredFiles files = new StoredFiles(cache, PreparationProgress.NONE, environment);
        assertThatThrownBy(() -> files.here(root + "/t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("data: s3://bucket/[^\n]*/t/a: SignatureDoesNotMatch[^\n]*");
    }

    private void delete(String name) throws IOException {
        try (ObjectStore store = store()) {
            store.delete(root.substring("s3://bucket/".length()) + "/" + name);
        }
    }

    private Path here(String entry) {
        return Path.of(
                new StoredFiles(cache, PreparationProgress.NONE, server.environment()::get)
                        .here(entry));
    }

    private void put(String name, String content) throws IOException {
        try (ObjectStore store = store()) {
            store.write(
                    root.substring("s3://bucket/".length()) + "/" + name,
                    content.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static ObjectStore store() {
        return ObjectStore.open(StoreUrl.of("data", "s3://bucket"), server.environment()::get);
    }

    private static List<String> below(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !("/" + name).contains("/."))
                    .sorted()
                    .toList();
        }
    }
}
