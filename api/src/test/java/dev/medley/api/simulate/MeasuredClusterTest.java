package dev.medley.api.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Plan;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of three machines at two sites, of which the second is half as fast as the others. */
@Tag("unit")
class MeasuredClusterTest {
    private static final int BATCH = 60;
    private static final double[] SAMPLE_NS = {1e6, 2e6, 1e6};
    private static final List<Integer> SHARES = List.of(24, 12, 24);

    /** Of the workers in order of rank, none of whom has its rank for an id. */
    private static final List<Integer> WORKERS = List.of(7, 3, 5);

    @TempDir Path folder;

    @Test
    void shouldFindTheMachinesAndLinksOfARunAgain() {
        Path run = record("data-parallel", profile(), 300, 1);
        SimulatedCluster cluster = MeasuredCluster.of(run).cluster();
        assertThat(cluster.sites()).containsExactly("north", "south");
        for (int rank = 0; rank < 3; rank++) {
            SimulatedMachine kind = cluster.kinds().get(rank);
            assertThat(kind.machine().name()).isEqualTo("m" + rank);
            assertThat(kind.time().betaNs()).isCloseTo(SAMPLE_NS[rank], within(1.0));
            assertThat(kind.time().alphaNs()).isZero();
            assertThat(kind.unrest().variation()).isCloseTo(0.1, within(0.001));
        }
        assertThat(cluster.links().between("south", "north").way())
                .isEqualTo(new LinkPath(15_000_000, 5e6, Origin.MEASURED));
        assertThat(cluster.links().inside().bytesPerSecond()).isEqualTo(1e8);
    }

    /** A round of eight batches scatters less than one of them. */
    @Test
    void roundsShouldTellOfTheirBatches() {
        Path run = record("{kind: diloco, sync_every: 8}", profile(), 60, 8);
        MeasuredCluster measured = MeasuredCluster.of(run);
        assertThat(measured.job().strategy().kind()).isEqualTo(StrategySpec.Kind.DILOCO);
        SimulatedMachine slow = measured.cluster().kinds().get(1);
        assertThat(slow.time().betaNs()).isCloseTo(SAMPLE_NS[1], within(1.0));
        assertThat(slow.unrest().variation()).isCloseTo(0.1 * Math.sqrt(8), within(0.01));
    }

    @Test
    void shouldSayWhichRunsTellNothing() {
        assertThatThrownBy(() -> MeasuredCluster.of(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not the folder of a run");
        assertThatThrownBy(() -> MeasuredCluster.of(record("data-parallel", null, 300, 1)))
                .hasMessageContaining("on processes of one machine says nothing of others");
        assertThatThrownBy(() -> MeasuredCluster.of(record("data-parallel", profile(), 101, 1)))
                .hasMessageContaining("1 whole steps after the first 100 batches say too little");
    }

    private Path record(
            String strategy, @Nullable ClusterProfile cluster, int steps, int innerSteps) {
        Clock clock = Clock.system();
        RunFolder run = RunFolder.create(folder, "measured", clock);
        RunIdentity identity =
                new RunIdentity("measured", clock.wallMillis(), "train", "0", RunProcess.self());
        String text =
                "data: {train: a.csv, label: y}\nmodel: mlp\ntrain: {batch: %d}\nstrategy: %s\n"
                        .formatted(BATCH, strategy);
        JobSpec job = JobFile.parse("job.yaml", text, folder, List.of()).spec();
        try (RunRecorder recorder =
                RunRecorder.start(run, identity, job, RecorderOptions.defaults(), clock)) {
            if (cluster != null) {
                recorder.cluster(cluster);
            }
            Plan plan = new Plan(1, SHARES, 24, "by speed");
            List<String> sites = List.of("north", "south", "north");
            recorder.plan(new PlanRecord(0, 1, 1, WORKERS, plan, sites, null));
            for (int step = 1; step <= steps; step++) {
                recorder.step(step(step, innerSteps));
            }
        }
        return run.path();
    }

    /** Times with a standard deviation of a tenth, and a median that is the mean. */
    private static StepRecord step(int step, int innerSteps) {
        double scatter = 1 + 0.1 * Math.sqrt(1.5) * (step % 3 - 1);
        List<WorkerTimes> workers = new ArrayList<>();
        long stepNs = 0;
        for (int rank = 0; rank < 3; rank++) {
            long samples = (long) SHARES.get(rank) * innerSteps;
            stepNs = Math.max(stepNs, Math.round(samples * SAMPLE_NS[rank] * scatter));
        }
        for (int rank = 0; rank < 3; rank++) {
            long samples = (long) SHARES.get(rank) * innerSteps;
            long own = Math.round(samples * SAMPLE_NS[rank] * scatter);
            workers.add(new WorkerTimes(WORKERS.get(rank), samples, own, 0, stepNs - own, 0, 0, 0));
        }
        long samples = (long) BATCH * innerSteps;
        return new StepRecord(step, 0, 1, 1, 0.5, 0.1, null, samples, 0, stepNs, workers);
    }

    private static ClusterProfile profile() {
        List<Machine> machines =
                IntStream.range(0, 3)
                        .mapToObj(
                                i -> new Machine("m" + i, i == 1 ? "south" : "north", "t", 1, 1.0))
                        .toList();
        List<List<LinkPath>> ways =
                IntStream.range(0, 3)
                        .mapToObj(
                                from ->
                                        IntStream.range(0, 3)
                                                .mapToObj(to -> way(from, to))
                                                .toList())
                        .toList();
        return new ClusterProfile(machines, ways);
    }

    private static LinkPath way(int from, int to) {
        if (from == to) {
            return LinkPath.assumedInside();
        }
        return from == 1 || to == 1
                ? new LinkPath(15_000_000, 5e6, Origin.MEASURED)
                : new LinkPath(100_000, 1e8, Origin.MEASURED);
    }
}
