package dev.medley.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.time.Clock;
import dev.medley.store.file.SmallDisk;
import dev.medley.store.file.Spans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointStoreTest {
    private static final long LONG_NS = 60_000_000_000L;

    @TempDir Path folder;

    /** A run that goes on removes what somebody else reads. */
    @Test
    @Tag("unit")
    void shouldFindOneWhileNewerOnesReplaceIt() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        try (CheckpointStore store = new CheckpointStore(folder, 1, Clock.system())) {
            store.offer(state(1));
            store.finish(LONG_NS);
            Thread training =
                    new Thread(
                            () -> {
                                for (long step = 2; !isOver.get(); step++) {
                                    store.offerWaiting(state(step), LONG_NS);
                                    store.ended();
                                }
                            });
            training.start();
            try {
                for (int looks = 0; looks < 300; looks++) {
                    LatestCheckpoint latest = CheckpointStore.latest(folder);
                    assertThat(latest.passedOver()).isEmpty();
                    assertThat(latest.found()).isPresent();
                }
            } finally {
                isOver.set(true);
                training.join();
            }
        }
    }

    @Test
    @Tag("unit")
    void shouldFindWhatWasOffered() throws Exception {
        assertThat(CheckpointStore.latest(folder.resolve("none")).found()).isEmpty();
        try (CheckpointStore store = new CheckpointStore(folder, 2, Clock.system())) {
            CheckpointState offered = state(12);
            store.reserve(offered.spans());
            OfferOutcome staging = store.offer(offered);
            assertThat(staging.isStaged()).isTrue();
            assertThat(staging.bytes()).isEqualTo(offered.bytes());
            assertThat(staging.stagingNs()).isPositive();
            assertThat(store.finish(LONG_NS))
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WriteResult.Written.class,
                            written -> {
                                assertThat(written.step()).isEqualTo(12);
                                assertThat(written.bytes()).isGreaterThan(offered.bytes());
                                assertThat(written.writingNs()).isPositive();
                                assertThat(written.notes()).isEmpty();
                            });
            assertIsState(store.latest().found().orElseThrow(), 12);
            assertThat(CheckpointStore.said(folder, 12).orElseThrow().step()).isEqualTo(12);
            assertThat(CheckpointStore.said(folder, 11)).isEmpty();
            assertThat(names(folder)).containsExactly("step-000000012");
            assertThat(names(folder.resolve("step-000000012")))
                    .containsExactly("manifest.json", "shard-0.safetensors");
        }
    }

    @Test
    @Tag("unit")
    void shouldCopyBeforeItReturns() {
        try (CheckpointStore store = new CheckpointStore(folder, 2, Clock.system())) {
            CheckpointState state = state(1);
            store.offer(state);
            for (NamedSpan span : state.spans()) {
                span.data().buffers().forEach(b -> b.put(new byte[b.remaining()]));
            }
            store.finish(LONG_NS);
            assertIsState(store.latest().found().orElseThrow(), 1);
        }
    }

    @Test
    @Tag("unit")
    void shouldSkipAnOfferWhileAWriteIsUnderWayAndWaitWhenItIsTheLast() throws Exception {
        SlowWriter clock = new SlowWriter();
        try (CheckpointStore store = new CheckpointStore(folder, 5, clock)) {
            assertThat(store.offer(state(1)).isStaged()).isTrue();
            OfferOutcome skipped = store.offer(state(2));
            assertThat(skipped.status()).isEqualTo(OfferOutcome.Status.SKIPPED);
            assertThat(skipped.message())
                    .isEqualTo(
                            "checkpoint of step 2 left out: that of step 1 is still being written");
            assertThat(skipped.bytes()).isZero();
            assertThat(store.offerWaiting(state(3), 1_000_000).isStaged()).isFalse();
            assertThat(store.finish(1_000_000))
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WriteResult.Failed.class,
                            late ->
                                    assertThat(late.fault().message())
                                            .contains("step 1 is still being written after 1 ms"));
            clock.mayWrite.countDown();
            OfferOutcome last = store.offerWaiting(state(4), LONG_NS);
            assertThat(last.isStaged()).isTrue();
            assertThat(last.finished()).extracting(WriteResult::step).containsExactly(1L);
            store.finish(LONG_NS);
            assertIsState(store.latest().found().orElseThrow(), 4);
        }
    }

    @Test
    @Tag("unit")
    void shouldKeepTheLastAndNeverCountABrokenOne() throws Exception {
        writeAll(3, 1, 2, 3, 4, 5);
        assertThat(CheckpointFolder.steps(folder)).containsExactly(5L, 4L, 3L);
        Files.delete(CheckpointFolder.of(folder, 4).resolve("manifest.json"));
        try (CheckpointStore store = new CheckpointStore(folder, 3, Clock.system())) {
            store.offer(state(6));
            assertThat(store.finish(LONG_NS))
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WriteResult.Written.class,
                            written ->
                                    assertThat(written.notes())
                                            .singleElement()
                                            .asString()
                                            .contains("step-000000004: manifest.json is missing"));
            assertThat(CheckpointFolder.steps(folder)).containsExactly(6L, 5L, 4L, 3L);
            store.offer(state(7));
            store.finish(LONG_NS);
            assertThat(CheckpointFolder.steps(folder)).containsExactly(7L, 6L, 5L);
        }
    }

    @Test
    @Tag("unit")
    void shouldPassOverBrokenOnesAndNameThem() throws Exception {
        writeAll(9, 1, 2, 3, 4, 5, 6);
        Path shard = CheckpointFolder.of(folder, 6).resolve("shard-0.safetensors");
        Files.write(shard, flip(shard, 99));
        Files.delete(CheckpointFolder.of(folder, 5).resolve("shard-0.safetensors"));
        Path cut = CheckpointFolder.of(folder, 4).resolve("shard-0.safetensors");
        byte[] whole = Files.readAllBytes(cut);
        Files.write(cut, Arrays.copyOf(whole, whole.length - 1));
        Path manifest = CheckpointFolder.of(folder, 3).resolve("manifest.json");
        Files.writeString(
                manifest, Files.readString(manifest).replace("\"epoch\" : 4", "\"epoch\" : 5"));
        Files.createDirectory(CheckpointFolder.of(folder, 7));
        Files.move(CheckpointFolder.of(folder, 2), CheckpointFolder.of(folder, 8));

        LatestCheckpoint latest = CheckpointStore.latest(folder);
        assertThat(latest.passedOver())
                .extracting(BrokenCheckpoint::toString)
                .satisfiesExactly(
                        b -> assertThat(b).endsWith("step-000000008: manifest.json is of step 2"),
                        b -> assertThat(b).endsWith("step-000000007: manifest.json is missing"),
                        b -> assertThat(b).contains("step-000000006: shard-0", "is damaged"),
                        b ->
                                assertThat(b)
                                        .endsWith("step-000000005: shard-0.safetensors is missing"),
                        b ->
                                assertThat(b)
                                        .contains(
                                                "step-000000004",
                                                "bytes, %d were".formatted(whole.length)),
                        b -> assertThat(b).contains("step-000000003", "manifest.json is damaged"));
        assertIsState(latest.found().orElseThrow(), 1);
    }

    @Test
    @Tag("unit")
    void shouldHoldAStepOnlyWhereItOrALaterOneIsWhole() throws Exception {
        assertThat(CheckpointStore.holds(folder.resolve("none"), 1)).isFalse();
        writeAll(9, 4, 5);
        assertThat(CheckpointStore.holds(folder, 4)).isTrue();
        assertThat(CheckpointStore.holds(folder, 5)).isTrue();
        assertThat(CheckpointStore.holds(folder, 6)).isFalse();
        Path shard = CheckpointFolder.of(folder, 5).resolve("shard-0.safetensors");
        Files.write(shard, flip(shard, 99));
        assertThat(CheckpointStore.holds(folder, 5)).isFalse();
        assertThat(CheckpointStore.holds(folder, 4)).isTrue();
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldNeverTakeADamagedOneForWhole(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        writeAll(9, 1, 2);
        for (int i = 0; i < 20; i++) {
            Path step = CheckpointFolder.of(folder, 2);
            Path file =
                    step.resolve(random.nextBoolean() ? "manifest.json" : "shard-0.safetensors");
            byte[] before = Files.readAllBytes(file);
            Files.write(file, damaged(before, random));
            assertIsState(CheckpointStore.latest(folder).found().orElseThrow(), 1);
            Files.write(file, before);
            assertIsState(CheckpointStore.latest(folder).found().orElseThrow(), 2);
        }
    }

    @Test
    @Tag("unit")
    void shouldWriteAStepAgain() {
        writeAll(1, 5);
        writeAll(1, 5);
        assertIsState(CheckpointStore.latest(folder).found().orElseThrow(), 5);
    }

    @Test
    @Tag("real")
    void shouldReportAFullDiskAtTheNextCallAndGoOn() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 3);
                CheckpointStore store = new CheckpointStore(disk.root(), 2, Clock.system())) {
            store.offer(bigState(1));
            store.finish(LONG_NS);
            Path filler = disk.root().resolve("filler");
            Files.write(filler, new byte[1 << 20]);
            store.offer(bigState(2));
            OfferOutcome next = store.offerWaiting(bigState(3), LONG_NS);
            assertThat(next.finished())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WriteResult.Failed.class,
                            failed -> {
                                assertThat(failed.step()).isEqualTo(2);
                                assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.STORE);
                                assertThat(failed.fault().message())
                                        .contains(
                                                "checkpoint of step 2: ",
                                                "step-000000002: no space left on the device: ",
                                                "bytes needed");
                            });
            assertThat(store.finish(LONG_NS)).hasOnlyElementsOfType(WriteResult.Failed.class);
            assertThat(store.latest().found().orElseThrow().step()).isEqualTo(1);
            assertThat(names(disk.root())).containsExactly("filler", "step-000000001");
            Files.delete(filler);
            store.offer(bigState(4));
            assertThat(store.finish(LONG_NS)).hasOnlyElementsOfType(WriteResult.Written.class);
            assertThat(store.latest().found().orElseThrow().step()).isEqualTo(4);
        }
    }

    @Test
    @Tag("real")
    void shouldRefuseAReadOnlyFolderBeforeTheStart() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
            disk.makeReadOnly();
            assertThatThrownBy(
                            () -> new CheckpointStore(disk.root().resolve("c"), 2, Clock.system()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("c: the folder is read-only");
        }
    }

    @Test
    @Tag("unit")
    void shouldRefuseOffersAfterItIsClosed() {
        CheckpointStore store = new CheckpointStore(folder, 1, Clock.system());
        store.offer(state(1));
        store.close();
        assertThatThrownBy(() -> store.offer(state(2))).isInstanceOf(IllegalStateException.class);
        assertIsState(store.latest().found().orElseThrow(), 1);
    }

    /** A clock that holds up the writer's thread until told. */
    private static final class SlowWriter implements Clock {
        final CountDownLatch mayWrite = new CountDownLatch(1);

        @Override
        public long nowNs() {
            if (Thread.currentThread().getName().equals("checkpoint-writer")) {
                try {
                    mayWrite.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return Clock.system().nowNs();
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    }

    private void writeAll(int keep, long... steps) {
        try (CheckpointStore store = new CheckpointStore(folder, keep, Clock.system())) {
            for (long step : steps) {
                assertThat(store.offerWaiting(state(step), LONG_NS).isStaged()).isTrue();
            }
            assertThat(store.finish(LONG_NS)).hasOnlyElementsOfType(WriteResult.Written.class);
        }
    }

    private static CheckpointState state(long step) {
        return new CheckpointState(
                step,
                (int) step + 1,
                7,
                Spans.ofEveryType(step),
                Json.tree(Map.of("cursor", Map.of("epoch", 0, "position", step * 32))));
    }

    private static CheckpointState bigState(long step) {
        NamedSpan big = Spans.random(step, "weight", ElementType.FLOAT32, 300_000);
        return new CheckpointState(step, 1, 1, List.of(big), Json.tree(Map.of()));
    }

    private static void assertIsState(Checkpoint checkpoint, long step) {
        CheckpointState expected = state(step);
        assertThat(checkpoint.step()).isEqualTo(step);
        assertThat(checkpoint.epoch()).isEqualTo(expected.epoch());
        assertThat(checkpoint.planVersion()).isEqualTo(7);
        assertThat(Json.line(checkpoint.extra())).isEqualTo(Json.line(expected.extra()));
        assertThat(Spans.describe(checkpoint.spans())).isEqualTo(Spans.describe(expected.spans()));
    }

    private static byte[] flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        return bytes;
    }

    private static byte[] damaged(byte[] bytes, RandomGenerator random) {
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        byte[] damaged = bytes.clone();
        damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        return damaged;
    }

    private static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.forEach(e -> names.add(e.getFileName().toString()));
        }
        names.sort(null);
        return names;
    }
}
