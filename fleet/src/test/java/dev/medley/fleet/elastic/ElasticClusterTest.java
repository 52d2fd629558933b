package dev.medley.fleet.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.fleet.elastic.trace.MeasuredModel;
import dev.medley.fleet.elastic.trace.WorkloadJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ElasticClusterTest {
    private static final ElasticCluster.Size SMALL = new ElasticCluster.Size(3, 4, 60);

    @TempDir static Path folder;
    private static MeasuredModel model;

    @BeforeAll
    static void read() throws Exception {
        model = MadeTraces.read(folder, 20).get("made");
    }

    static LongStream seeds() {
        return LongStream.range(0, 15);
    }

    private static List<WorkloadJob> drawn(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<WorkloadJob> jobs = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(20); i++) {
            jobs.add(
                    new WorkloadJob(
                            "made-" + i, random.nextInt(900), model, 1 + random.nextInt(8), 256));
        }
        return jobs;
    }

    private static ElasticJob job(int index, int... nodes) {
        ElasticJob job =
                new ElasticJob(
                        index,
                        new WorkloadJob("made", 0, model, 1, 64),
                        new FixedAgent(64, 1, model.batches()));
        if (nodes.length > 0) {
            job.place(nodes);
        }
        return job;
    }

    /** 20 epochs of 400 steps of 0.084 s after 30 s of restart and a minute until it is seen. */
    @Test
    @Tag("unit")
    void shouldTakeTheTimeThatStepsTake() {
        List<ElasticJob> ended =
                ElasticCluster.playFixed(
                        SMALL,
                        List.of(new WorkloadJob("made", 0, model, 1, 64)),
                        new TiresiasQueues());
        assertThat(ended.get(0).endedS()).isCloseTo(60 + 30 + 20 * 400 * 0.084, within(20.0));
        assertThat(ended.get(0).restarts()).isZero();
    }

    @Test
    @Tag("unit")
    void shouldKeepPlacesAndMoveTheSmallForWholeNodes() {
        ElasticJob stays = job(0, 0, 0, 0, 0);
        ElasticJob small = job(1, 1);
        ElasticJob other = job(2, 2);
        ElasticJob large = job(3);
        Map<ElasticJob, Integer> counts = new LinkedHashMap<>();
        counts.put(stays, 4);
        counts.put(small, 1);
        counts.put(other, 1);
        counts.put(large, 4);
        Map<Integer, int[]> placed =
                new NodePacking(
                                new SharesPolicy.View(0, 3, 4, List.of(stays, small, other, large)),
                                counts)
                        .place();
        assertThat(placed.get(0)).containsExactly(0, 0, 0, 0);
        assertThat(placed.get(3)).containsOnly(placed.get(3)[0]);
        assertThat(placed.get(1)).isEqualTo(placed.get(2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldEndAllJobsWithinTheClusterAndTheirBounds(long seed) {
        List<WorkloadJob> workload = drawn(seed);
        for (Knowledge knowledge : Knowledge.values()) {
            ElasticShares shares = new ElasticShares(SharesOptions.DEFAULTS);
            SharesPolicy watched =
                    view -> {
                        Map<Integer, int[]> placed = shares.decide(view);
                        assertBounds(view, placed);
                        return placed;
                    };
            List<ElasticJob> ended =
                    new ElasticCluster(
                                    SMALL,
                                    workload,
                                    watched,
                                    job -> new LearningAgent(model, new Learnt(), knowledge))
                            .play();
            assertThat(ended).noneMatch(ElasticJob::isOpen);
        }
    }

    private static void assertBounds(SharesPolicy.View view, Map<Integer, int[]> placed) {
        int[] used = new int[view.nodes()];
        placed.values().forEach(nodes -> Arrays.stream(nodes).forEach(node -> used[node]++));
        assertThat(Arrays.stream(used).max().orElse(0)).isLessThanOrEqualTo(view.gpusPerNode());
        for (ElasticJob job : view.jobs()) {
            int[] nodes = placed.getOrDefault(job.index(), new int[0]);
            assertThat(nodes.length).isLessThanOrEqualTo(job.agent().maxWorkers());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldGiveTheSameBitsAgain(long seed) {
        List<WorkloadJob> workload = drawn(seed);
        assertThat(
                        ElasticCluster.playElastic(
                                SMALL, workload, Knowledge.KIND, SharesOptions.DEFAULTS))
                .extracting(ElasticJob::endedS)
                .isEqualTo(
                        ElasticCluster.playElastic(
                                        SMALL, workload, Knowledge.KIND, SharesOptions.DEFAULTS)
                                .stream()
                                .map(ElasticJob::endedS)
                                .toList());
    }
}
