package dev.medley.api.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.time.Clock;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.object.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over a folder as object store; StoredRunTest has one that speaks S3. */
@Tag("real")
@Timeout(120)
class RunMirrorTest {
    @TempDir Path folder;
    private final List<String> warnings = new ArrayList<>();
    private Path run = Path.of("");
    private Path kept = Path.of("");
    private Runnable atWarning = () -> {};
    private volatile long laterNs;

    @BeforeEach
    void make() throws IOException {
        run = Files.createDirectories(folder.resolve("runs/x-1"));
        kept = folder.resolve("store/x-1");
        write("run.json", "{}");
    }

    @Test
    void shouldEndWithWhatTheFolderHas() throws IOException {
        try (RunMirror unused = begin()) {
            write("steps.jsonl", "1\n2\n");
            write("checkpoints/step-000000001/shard-0.safetensors", "old");
            write("checkpoints/step-000000001/manifest.json", "{}");
            write("model/model.json", "{}");
            write(".lock", "");
            write(".incoming/half", "h");
        }
        assertThat(names(kept))
                .containsExactly(
                        "checkpoints/step-000000001/manifest.json",
                        "checkpoints/step-000000001/shard-0.safetensors",
                        "model/model.json",
                        "run.json",
                        "steps.jsonl");
        assertThat(kept.resolve("steps.jsonl")).hasContent("1\n2\n");
        assertThat(warnings).isEmpty();
    }

    /** Of a large one the store has nothing for minutes; a machine that dies then loses all. */
    @Test
    void anOldCheckpointShouldStayUntilANewOneIsThere() throws IOException {
        MirroredFiles files = new MirroredFiles(run, "x-1", Clock.system());
        write("checkpoints/a/manifest.json", "{}");
        pass(files);
        Files.delete(run.resolve("checkpoints/a/manifest.json"));
        write("checkpoints/b/manifest.json", "{}");
        MirroredFiles.Due due = files.due(true);
        Files.createDirectories(kept.resolve("checkpoints/b/manifest.json/in-the-way"));
        assertThatThrownBy(() -> pass(files, due)).isInstanceOf(IOException.class);
        assertThat(kept.resolve("checkpoints/a/manifest.json")).exists();
        Files.delete(kept.resolve("checkpoints/b/manifest.json/in-the-way"));
        Files.delete(kept.resolve("checkpoints/b/manifest.json"));
        Files.delete(run.resolve("checkpoints/b/manifest.json"));
        pass(files, due);
        assertThat(kept.resolve("checkpoints/a/manifest.json")).exists();
        write("checkpoints/c/manifest.json", "{}");
        pass(files);
        assertThat(names(kept)).containsExactly("checkpoints/c/manifest.json", "run.json");
    }

    /** As where bringing one takes longer than the ones after it take to come. */
    @Test
    void aCheckpointThatGoesWhileItIsBroughtShouldBeBroughtWhole() throws IOException {
        write("checkpoints/a/manifest.json", "{}");
        write("checkpoints/a/shard-0", "0");
        write("checkpoints/a/shard-1", "1");
        Path first = kept.resolve("checkpoints/a/shard-0");
        Clock removes =
                new Clock() {
                    @Override
                    public long nowNs() {
                        if (Files.exists(first)) {
                            remove("checkpoints/a/shard-1");
                            remove("checkpoints/a/manifest.json");
                        }
                        return Clock.system().nowNs();
                    }

                    @Override
                    public long wallMillis() {
                        return Clock.system().wallMillis();
                    }
                };
        pass(new MirroredFiles(run, "x-1", removes));
        assertThat(run.resolve("checkpoints/a/manifest.json")).doesNotExist();
        assertThat(names(kept))
                .containsExactly(
                        "checkpoints/a/manifest.json",
                        "checkpoints/a/shard-0",
                        "checkpoints/a/shard-1",
                        "run.json");
        try (Stream<Path> left = Files.list(run)) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("."));
        }
    }

    @Test
    void whatGoesAndChangesShouldGoAndChangeThere() throws IOException {
        MirroredFiles files = new MirroredFiles(run, "x-1", Clock.system());
        write("checkpoints/a/manifest.json", "{}");
        write("checkpoints/a/shard", "1");
        pass(files);
        Files.delete(run.resolve("checkpoints/a/manifest.json"));
        Files.delete(run.resolve("checkpoints/a/shard"));
        write("checkpoints/b/manifest.json", "{}");
        write("run.json", "{\"more\": 1}");
        MirroredFiles.Due due = files.due(true);
        assertThat(due.gone())
                .as("what describes goes first")
                .containsExactly("checkpoints/a/manifest.json", "checkpoints/a/shard");
        assertThat(due.changed().keySet())
                .containsExactly("checkpoints/b/manifest.json", "run.json");
        pass(files);
        assertThat(names(kept)).containsExactly("checkpoints/b/manifest.json", "run.json");
        assertThat(files.due(true).isEmpty()).isTrue();
        write("run.json", "{\"more\": 22}");
        assertThat(files.due(false).isEmpty()).as("a moment ago").isTrue();
        assertThat(files.due(true).isEmpty()).isFalse();
    }

    /** A process that was killed has not taken away what its folder had no more. */
    @Test
    void whatAnEarlierProcessLeftShouldGoWhereItIsHereNoMore() throws IOException {
        try (RunMirror unused = begin()) {
            write("checkpoints/a/manifest.json", "{}");
            write("steps.jsonl", "1");
        }
        Files.delete(run.resolve("checkpoints/a/manifest.json"));
        write("checkpoints/b/manifest.json", "{}");
        write("steps.jsonl", "12");
        try (RunMirror unused = begin()) {
            assertThat(names(kept)).contains("run.json");
        }
        assertThat(names(kept))
                .containsExactly("checkpoints/b/manifest.json", "run.json", "steps.jsonl");
        assertThat(kept.resolve("steps.jsonl")).hasContent("12");
    }

    /** So that a coordinator that was cut off does not write into the run of the one after it. */
    @Test
    void whoBeganLastShouldHaveTheRun() throws IOException {
        RunMirror first = begin();
        write("summary.json", "of the first");
        try (RunMirror second = begin()) {
            first.close();
            assertThat(names(kept)).doesNotContain("summary.json");
            write("summary.json", "of the second");
        }
        assertThat(kept.resolve("summary.json")).hasContent("of the second");
    }

    @Test
    void aStoreThatComesBackAtTheEndShouldHaveTheWholeRun() throws IOException {
        atWarning = this::comeBack;
        try (RunMirror unused = begin()) {
            write("summary.json", "{}");
            goAway();
        }
        assertThat(warnings).singleElement().asString().contains("waits for", url().toString());
        assertThat(names(kept)).containsExactly("run.json", "summary.json");
    }

    @Test
    void aStoreThatStaysAwayShouldBeWaitedForUntilSomebodyEndsIt() throws IOException {
        RunMirror mirror = begin();
        atWarning = mirror::stopWaiting;
        write("summary.json", "{}");
        goAway();
        mirror.close();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("is not whole", "it is in " + run);
    }

    @Test
    void aStoreThatStaysAwayShouldBeGivenUpAfterTenMinutes() throws IOException {
        atWarning = () -> laterNs += TimeUnit.MINUTES.toNanos(11);
        RunMirror mirror = begin();
        write("summary.json", "{}");
        goAway();
        mirror.close();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("is not whole", "Not a directory", "it is in " + run);
    }

    private void goAway() throws IOException {
        Files.move(folder.resolve("store"), folder.resolve("away"));
        Files.writeString(folder.resolve("store"), "a file");
    }

    private void comeBack() {
        try {
            Files.delete(folder.resolve("store"));
            Files.move(folder.resolve("away"), folder.resolve("store"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatCannotBeWrittenShouldBeSaidAtTheBeginning() throws IOException {
        Files.writeString(folder.resolve("store"), "a file");
        assertThatThrownBy(this::begin)
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("file:///[^\n]* cannot be used: [^\n]*Not a directory[^\n]*");
        RunStore store = new RunStore(url(), name -> null);
        assertThatThrownBy(store::requireWritable)
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("file:///[^\n]* cannot be used: [^\n]*Not a directory[^\n]*");
    }

    @Test
    void aFolderThatWasLeftBehindShouldNotTakeTheLaterRunsPlace() throws IOException {
        try (RunMirror unused = begin()) {
            write("checkpoints/step-000000007/shard-0.safetensors", "1");
            write("checkpoints/step-000000007/manifest.json", "{}");
            write("checkpoints/step-000000009/shard-0.safetensors", "1");
        }
        RunStore store = new RunStore(url(), name -> null);
        store.requireNoLater(new RunFolder(run), 7);
        assertThatThrownBy(() -> store.requireNoLater(new RunFolder(run), 6))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is at step 6, and at step 7 in file:///")
                .hasMessageContaining("it went on elsewhere");
    }

    @Test
    void aRunShouldBeFetchedWholeOrNotAtAll() throws IOException {
        try (RunMirror unused = begin()) {
            write("checkpoints/a/shard", "1");
        }
        RunStore store = new RunStore(url(), name -> null);
        assertThat(store.newest()).hasValue("x-1");
        Path other = folder.resolve("other");
        store.fetch("x-1", other, come -> {});
        assertThat(names(other.resolve("x-1"))).containsExactly("checkpoints/a/shard", "run.json");
        assertThatThrownBy(() -> store.fetch("x-1", other, come -> {}))
                .hasMessageContaining("is here already");
        assertThatThrownBy(() -> RunStore.fetch("s3://bucket/", other, name -> null, come -> {}))
                .hasMessageContaining("of which run?");
        RunStore.fetch(url() + "/x-1/", folder.resolve("third"), name -> null, come -> {});
        assertThatThrownBy(() -> store.fetch("x-2", other, come -> {}))
                .hasMessageContaining("there is no run of this name");
        assertThat(other.resolve("x-2")).doesNotExist();
    }

    private void pass(MirroredFiles files) throws IOException {
        pass(files, files.due(true));
    }

    private void pass(MirroredFiles files, MirroredFiles.Due due) throws IOException {
        try (var store = ObjectStore.open(url(), name -> null)) {
            files.pass(store, due);
        }
    }

    private RunMirror begin() {
        Clock clock =
                new Clock() {
                    @Override
                    public long nowNs() {
                        return Clock.system().nowNs() + laterNs;
                    }

                    @Override
                    public long wallMillis() {
                        return Clock.system().wallMillis();
                    }
                };
        return RunMirror.begin(
                url(),
                run,
                name -> null,
                clock,
                why -> {
                    warnings.add(why);
                    atWarning.run();
                });
    }

    private StoreUrl url() {
        return StoreUrl.of("test", "file://" + folder.resolve("store"));
    }

    private void write(String name, String content) throws IOException {
        Path file = run.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void remove(String name) {
        try {
            Files.deleteIfExists(run.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> below.relativize(file).toString())
                    .filter(name -> !("/" + name).contains("/."))
                    .sorted()
                    .toList();
        }
    }
}
