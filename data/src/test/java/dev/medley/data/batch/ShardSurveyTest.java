package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.placement.ShardPlacement.Shard;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.OwnSourceTest;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class ShardSurveyTest {
    private static final int ROWS = 4000;

    @TempDir Path folder;

    @Test
    void aShardsStratumShouldBeTheClassOfItsSamples() throws IOException {
        List<Shard> shards = ShardSurvey.of(prepared("kind", Placement.STRATA), 1, Clock.system());
        assertThat(shards.stream().mapToDouble(Shard::cost).sum()).isEqualTo(0.9 * ROWS);
        assertThat(shards).hasSizeBetween(256, 1024);
        int half = shards.size() / 2;
        assertThat(shards.subList(0, half - 2)).extracting(Shard::stratum).containsOnly("class 0");
        assertThat(shards.subList(half + 2, shards.size()))
                .extracting(Shard::stratum)
                .containsOnly("class 1");
    }

    @Test
    void withoutStrataAllShardsShouldBeOfOneKind() throws IOException {
        assertThat(ShardSurvey.of(prepared("kind", Placement.SHARDS), 1, Clock.system()))
                .extracting(Shard::stratum)
                .containsOnly("");
    }

    /** Not as many as there are samples, as for those of a prepared set, but what they took. */
    @Test
    void samplesOfAnOwnSourceShouldBeTried() {
        ClassSpec source =
                new ClassSpec(OwnSourceTest.Counting.class.getName(), Map.of("size", "70"));
        PreparedData data =
                Datasets.prepare(
                        Given.custom(source).placement(Placement.SHARDS).spec(),
                        1,
                        folder,
                        PreparationProgress.NONE);
        AtomicLong nowNs = new AtomicLong();
        Clock clock =
                new Clock() {
                    @Override
                    public long nowNs() {
                        return nowNs.addAndGet(5);
                    }

                    @Override
                    public long wallMillis() {
                        return 0;
                    }
                };
        assertThat(ShardSurvey.of(data, 1, clock))
                .hasSize(63)
                .allSatisfy(shard -> assertThat(shard.cost()).isEqualTo(1))
                .allSatisfy(shard -> assertThat(shard.time()).isEqualTo(5));
    }

    @Test
    void aNumberShouldHaveNoStrata() throws IOException {
        PreparedData data = prepared("size", Placement.STRATA);
        assertThatThrownBy(() -> ShardSurvey.require(data))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.placement=strata needs classes")
                .hasMessageContaining("a number");
    }

    /** Sorted by class. */
    private PreparedData prepared(String label, Placement placement) throws IOException {
        StringBuilder rows = new StringBuilder("size,kind\n");
        for (int row = 0; row < ROWS; row++) {
            rows.append(row * 0.37).append(row < ROWS / 2 ? ",cat\n" : ",dog\n");
        }
        Path file = Files.writeString(folder.resolve("sorted.csv"), rows);
        return Datasets.prepare(
                Given.files(file).label(label).placement(placement).spec(),
                1,
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }
}
