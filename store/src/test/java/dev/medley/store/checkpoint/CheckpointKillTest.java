package dev.medley.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.time.Clock;
import dev.medley.store.file.ChildJvm;
import dev.medley.store.file.Spans;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that writes one checkpoint after another is killed with SIGKILL at any moment. */
@Tag("real")
class CheckpointKillTest {
    private static final int KEEP = 3;
    private static final int KILLS = 10;
    private static final int KILLS_IN_MID_WRITE = 3;
    private static final int MOST_KILLS = 60;

    @TempDir Path folder;
    private final Map<Long, List<String>> offeredAt = new HashMap<>();

    @Test
    void shouldAlwaysLeaveWholeCheckpointsOfTheStepsOffered() throws Exception {
        long newest = 0;
        int midWrites = 0;
        for (long seed = 1; seed <= KILLS || midWrites < KILLS_IN_MID_WRITE; seed++) {
            assertThat(seed)
                    .as("kills without %d in mid-write", KILLS_IN_MID_WRITE)
                    .isLessThan(MOST_KILLS);
            List<String> said = runAndKill(seed);
            midWrites += isHalfWritten() ? 1 : 0;
            LatestCheckpoint latest = CheckpointStore.latest(folder);
            assertThat(latest.passedOver()).as("seed %d", seed).isEmpty();
            long found = latest.found().map(Checkpoint::step).orElse(0L);
            assertThat(found)
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(newest)
                    .isBetween(
                            lastStep(said, "written", newest),
                            lastStep(said, "staged", newest) + 1);
            assertThat(CheckpointFolder.steps(folder))
                    .startsWith(
                            LongStream.iterate(found, step -> step - 1)
                                    .limit(Math.min(KEEP, found))
                                    .boxed()
                                    .toArray(Long[]::new));
            assertAllWhole();
            newest = found;
        }
        assertThat(newest).isGreaterThan(KEEP);
        assertThat(CheckpointFolder.steps(folder)).hasSizeGreaterThanOrEqualTo(KEEP);
        assertThat(isHalfWritten()).as("leftovers are swept").isFalse();
    }

    private List<String> runAndKill(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        List<String> said = new ArrayList<>();
        try (ChildJvm child = ChildJvm.start(Offering.class, folder)) {
            for (int line = 1 + random.nextInt(8); line > 0; line--) {
                said.add(child.readLine());
            }
            said.addAll(child.killAfter(random.nextInt(30_000)));
        }
        return said;
    }

    private boolean isHalfWritten() throws Exception {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(e -> e.getFileName().toString().endsWith(".tmp"));
        }
    }

    private void assertAllWhole() throws Exception {
        for (long step : CheckpointFolder.steps(folder)) {
            List<String> offered =
                    offeredAt.computeIfAbsent(step, s -> Spans.describe(Offering.state(s).spans()));
            assertThat(CheckpointFolder.read(folder, step))
                    .isInstanceOfSatisfying(
                            Checkpoint.class,
                            found -> assertThat(Spans.describe(found.spans())).isEqualTo(offered));
        }
    }

    private static long lastStep(List<String> said, String word, long otherwise) {
        return said.stream()
                .filter(line -> line != null && line.startsWith(word + " "))
                .mapToLong(line -> Long.parseLong(line.substring(word.length() + 1)))
                .reduce(otherwise, (a, b) -> b);
    }

    /** Continues from the latest checkpoint and offers step after step. */
    public static final class Offering {
        private Offering() {}

        public static void main(String[] arguments) {
            Path folder = Path.of(arguments[0]);
            long step = CheckpointStore.latest(folder).found().map(Checkpoint::step).orElse(0L);
            CheckpointStore store = new CheckpointStore(folder, KEEP, Clock.system());
            while (true) {
                OfferOutcome staging = store.offerWaiting(state(++step), Long.MAX_VALUE);
                for (WriteResult result : staging.finished()) {
                    System.out.println(
                            result instanceof WriteResult.Written
                                    ? "written " + result.step()
                                    : result);
                }
                System.out.println("staged " + step);
            }
        }

        static CheckpointState state(long step) {
            return new CheckpointState(
                    step,
                    1,
                    1,
                    List.of(
                            Spans.random(step, "weight", ElementType.FLOAT32, 500, 1001),
                            Spans.random(step, "moment", ElementType.FLOAT64, 1001)),
                    Json.tree(Map.of("step", step)));
        }
    }
}
