package dev.medley.data.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.BatchSizes;
import dev.medley.base.Cursor;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.data.shard.BlockLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs as their state sees them: groups form with other shares, sizes of steps, owners, or none;
 * steps are discarded; the state goes through a checkpoint; samples of earlier steps are owed.
 */
@Tag("property")
class PlacedRunsTest {
    private static final int EPOCHS = 4;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySampleShouldBeTakenOnceAnEpoch(long seed) {
        Run run = new Run(seed);
        while (run.cursor().epoch() < EPOCHS) {
            run.form();
            run.train();
        }
        for (long epoch = 0; epoch < EPOCHS; epoch++) {
            List<Long> taken = run.taken.get(epoch);
            assertThat(taken).hasSize((int) run.layout.samples()).doesNotHaveDuplicates();
        }
    }

    private static final class Run {
        final BlockLayout layout;
        final Map<Long, List<Long>> taken = new HashMap<>();
        private final long seed;
        private final RandomGenerator random;
        private BatchSizes sizes = BatchSizes.of(8);
        private @Nullable PlacedEpoch placed;
        private long step;

        Run(long seed) {
            this.seed = seed;
            this.random = Seeds.generator(seed);
            int window = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(9);
            layout = new BlockLayout(50 + random.nextInt(900), 1 << random.nextInt(5), window);
        }

        Cursor cursor() {
            return sizes.before(step + 1, layout.samples());
        }

        void form() {
            List<Integer> shares = new ArrayList<>();
            for (int rank = random.nextInt(4); rank >= 0; rank--) {
                shares.add(random.nextInt(12));
            }
            shares.set(0, shares.get(0) + 1);
            int ranks = shares.size();
            boolean hasPlaces = random.nextInt(8) > 0;
            int shards = hasPlaces ? ShardCut.of(layout).count() : 0;
            List<Integer> owners =
                    IntStream.range(0, shards).map(s -> random.nextInt(ranks)).boxed().toList();
            int batch = shares.stream().mapToInt(Integer::intValue).sum();
            sizes = sizes.from(step + 1, batch);
            placed = PlacedEpoch.next(placed, cursor(), shares, owners);
            if (placed != null && random.nextBoolean()) {
                placed = Json.parse(Json.bytes(placed), PlacedEpoch.class);
            }
        }

        /** Some steps, or none: the first was discarded. */
        void train() {
            for (int steps = random.nextInt(20); steps > 0; steps--) {
                Cursor at = cursor();
                long samples = sizes.samples(step + 1, layout.samples());
                EpochOrder order = order(at.epoch());
                List<Long> ofEpoch = taken.computeIfAbsent(at.epoch(), e -> new ArrayList<>());
                assertThat((long) ofEpoch.size()).isEqualTo(at.position());
                if (!ofEpoch.isEmpty()) {
                    int owed = random.nextInt(ofEpoch.size());
                    assertThat(order.sampleAt(owed)).isEqualTo(ofEpoch.get(owed));
                }
                for (long i = 0; i < samples; i++) {
                    ofEpoch.add(order.sampleAt(at.position() + i));
                }
                step++;
            }
        }

        private EpochOrder order(long epoch) {
            PlacedEpoch known = placed;
            return known == null || epoch < known.epoch()
                    ? new SampleOrder(layout, seed, epoch)
                    : new PlacedOrder(layout, seed, known.of(epoch));
        }
    }
}
