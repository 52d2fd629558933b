package dev.medley.plan.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.codec.CodecPlan;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.efficiency.LearningCurveTest;
import dev.medley.plan.efficiency.Lesson;
import dev.medley.plan.efficiency.Lessons;
import dev.medley.plan.forecast.AutoPlan.Before;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.plan.source.SharePlan;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class AutoPlanTest {
    private EfficiencyTable worth = Clusters.table();
    private final MemoryCaps caps = MemoryCaps.unknown();
    private final List<StrategySpec> decided = new ArrayList<>();
    private final List<Measured> told = new ArrayList<>();
    private final Set<WorkerId> joined = new HashSet<>();
    private final Map<WorkerId, String> sittingOut = new HashMap<>();

    /** Without the measurement the ways are assumed, and say the contrary. */
    @Test
    void shouldLookBeforeItChoosesAndTakeWhatWasMeasured() {
        LinkPath good = new LinkPath(50_000, 1.25e9, Origin.MEASURED);
        ClusterProfile seen = Clusters.ways(Clusters.machines("a", "a", "b", "b"), good, good);
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        Group group = group("a", "a", "b", "b");
        Plan look = auto.plan(group, 1, 0);
        assertThat(look.why()).startsWith("auto: a look");
        assertThat(look.globalBatch()).isEqualTo(256);
        assertThat(auto.lastStep(0)).as("no step is taken").isZero();
        assertThat(auto.strategy()).isNull();
        auto.knows(seen);
        assertThat(auto.plan(group, 2, 0).why()).startsWith("auto: data-parallel: 3,");
        assertThat(auto.lastStep(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(auto.strategy()).isEqualTo(StrategySpec.defaults());
    }

    /** The loopback of a busy machine was taken for a thin link. */
    @Test
    void shouldLookAgainBeforeItTakesWhatCostsPrecisionForThinWays() {
        LinkPath thin = new LinkPath(50_000, 7e6, Origin.MEASURED);
        LinkPath good = new LinkPath(50_000, 1.25e9, Origin.MEASURED);
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        Group group = group("a", "a", "b", "b");
        auto.plan(group, 1, 0);
        assertThat(auto.probesAnew()).as("the first look probes all").isFalse();
        auto.knows(Clusters.ways(Clusters.machines("a", "a", "b", "b"), thin, thin));
        assertThat(auto.plan(group, 2, 0).why()).startsWith("auto: another look at the ways");
        assertThat(auto.lastStep(0)).as("no step is taken").isZero();
        assertThat(auto.probesAnew()).isTrue();
        auto.knows(Clusters.ways(Clusters.machines("a", "a", "b", "b"), good, good));
        assertThat(auto.plan(group, 3, 0).why()).startsWith("auto: data-parallel: 3,");
        assertThat(auto.probesAnew()).isFalse();
        assertThat(auto.lastStep(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldTakeWhatCostsPrecisionWhereLooksAgree() {
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        Group group = group("aws", "aws", "gcp", "gcp");
        auto.plan(group, 1, 0);
        auto.knows(Clusters.twoClouds());
        auto.plan(group, 2, 0);
        assertThat(auto.strategy()).isNull();
        auto.knows(Clusters.twoClouds());
        assertThat(auto.plan(group, 3, 0).why())
                .startsWith("auto: diloco every 64 steps, int8 between sites")
                .contains(", by 2 looks at the ways, 1.0 times apart at most");
    }

    @Test
    void shouldChooseOnceWhenTheFirstGroupForms() {
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        assertThat(auto.strategy()).isNull();
        auto.plan(group("aws", "aws", "gcp", "gcp"), 1, 0);
        Plan plan = auto.plan(group("aws", "aws", "gcp", "gcp"), 1, 0);
        assertThat(plan.why()).startsWith("auto: diloco every 64 steps, int8 between sites");
        assertThat(auto.strategy()).isNotNull();
        assertThat(auto.strategy().kind()).isEqualTo(Kind.DILOCO);
        auto.plan(group("aws", "aws", "gcp"), 2, 3);
        assertThat(decided).containsExactly(auto.strategy());
    }

    @Test
    void shouldTellThePlanOfRoundsWhatAnEqualShareOfARoundTakes() {
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        auto.plan(group("a", "a", "b", "b"), 1, 0);
        auto.plan(group("aws", "aws", "gcp", "gcp"), 1, 0);
        assertThat(told).hasSize(4);
        assertThat(told)
                .anySatisfy(
                        m -> {
                            assertThat(m.share()).isEqualTo(64 * 64);
                            double ns = 64 * 64 * 1e9 / 1662;
                            assertThat((double) m.computeNs()).isBetween(0.99 * ns, 1.01 * ns);
                        });
    }

    @Test
    void shouldMeanDataParallelOnOneMachineAndForOneWorker() {
        AutoPlan alone = auto(ClusterProfile.assumed(Clusters.machines("")));
        assertThat(alone.plan(group("host", new String[] {""}), 1, 0).why())
                .startsWith("auto: data-parallel: one worker");
        AutoPlan together = auto(ClusterProfile.assumed(Clusters.machines("", "")));
        assertThat(together.plan(group("host", new String[] {"", ""}), 1, 0).why())
                .startsWith("auto: data-parallel: all workers are processes of one machine");
    }

    @Test
    void shouldSayOnceThatThePredictionHolds() {
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        auto.plan(group("a", "a", "b", "b"), 1, 0);
        auto.plan(group("aws", "aws", "gcp", "gcp"), 1, 0);
        List<String> said = steps(auto, 16_384, 5_000_000_000L, 4_900_000_000L);
        assertThat(said).hasSize(1);
        assertThat(said.get(0)).contains("makes 3,277 samples/s", "were predicted");
        assertThat(said.get(0)).doesNotContain("would");
    }

    /** Data-parallel was taken since links were said to be good; they are not. */
    @Test
    void shouldTakeABetterStrategyWhereThePredictionIsWrong() {
        AutoPlan auto = wronglyChosen();
        List<String> remarks = steps(auto, 1, 12, 256, 600_000_000L, 77_000_000L);
        assertThat(remarks).hasSize(1);
        assertThat(remarks.get(0)).contains("data-parallel makes 427 samples/s", "diloco every");
        assertThat(auto.wish(12)).as("one stretch of steps may be unlucky").isNull();
        steps(auto, 13, 24, 256, 600_000_000L, 77_000_000L);
        assertThat(auto.wish(24)).startsWith("auto: data-parallel makes 427 samples/s");
        Plan plan = auto.plan(group("a", "a", "b", "b"), 3, 25);
        assertThat(plan.why()).contains("as things are diloco every");
        assertThat(auto.strategy()).isNotNull();
        assertThat(auto.strategy().kind()).isEqualTo(Kind.DILOCO);
        assertThat(decided).hasSize(2).last().isEqualTo(auto.strategy());
        assertThat(auto.wish(25)).isNull();
        assertThat(told).as("of rounds, by what was measured").last().satisfies(this::isOfARound);
    }

    /** It was chosen since a sample of it was thought to be worth as much as any. */
    @Test
    void shouldLeaveAStrategyUnderWhichTheJobLearnsTooSlowly() {
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        Group group = group("aws", "aws", "gcp", "gcp");
        auto.plan(group, 1, 0);
        auto.plan(group, 2, 0);
        StrategySpec first = Objects.requireNonNull(auto.strategy());
        Lesson plain =
                new Lesson(
                        StrategySpec.defaults(),
                        1,
                        1,
                        1_790_000_000_000L,
                        LearningCurveTest.losses(60, 1));
        Lesson own = new Lesson(first, 4, 1, 1_790_000_000_000L, LearningCurveTest.losses(60, 0.1));
        worth = Lessons.correct(Clusters.table(), List.of(plain, own));
        List<String> said = steps(auto, 16_384, 5_000_000_000L, 4_900_000_000L);
        assertThat(said).hasSize(1);
        assertThat(said.get(0))
                .contains("auto: as this job learns, a sample counts 0.10", "in runs of this job")
                .contains("as things are ");
        assertThat(auto.wish(40)).isNotNull();
        auto.plan(group, 3, 41);
        assertThat(auto.strategy()).isNotEqualTo(first);
    }

    @Test
    void aRunThatGoesOnShouldLookAndKeepWhatItHadChosenUntilThatIsWrong() {
        Before before = new Before(StrategySpec.defaults(), listening(), 25_600);
        AutoPlan auto = new AutoPlan(terms(Clusters.twoClouds()), this::decide, before);
        assertThat(auto.strategy()).isEqualTo(StrategySpec.defaults());
        assertThat(auto.comes(new WorkerId(1), Groups.kind("")).isFull()).isTrue();
        fourJoin(auto);
        assertThat(told).as("the plan that goes on knows them").hasSize(8);
        Group group = group("a", "a", "b", "b");
        assertThat(auto.plan(group, 1, 100).why()).startsWith("auto: a look");
        assertThat(auto.lastStep(100)).as("no step is taken").isEqualTo(100);
        auto.knows(Clusters.twoClouds());
        assertThat(auto.plan(group, 2, 100).why()).startsWith("auto: goes on with data-parallel; ");
        assertThat(auto.lastStep(100)).isEqualTo(Long.MAX_VALUE);
        assertThat(auto.plan(group, 3, 101).why()).as("said once").doesNotContain("goes on");
        steps(auto, 102, 113, 256, 600_000_000L, 77_000_000L);
        steps(auto, 114, 125, 256, 600_000_000L, 77_000_000L);
        assertThat(auto.wish(125)).startsWith("auto: data-parallel makes 427 samples/s");
        assertThat(auto.plan(group, 4, 126).why()).contains("as things are diloco every");
        assertThat(decided).containsExactly(auto.strategy());
    }

    /** A codec is for links: what runs is the same strategy, and is compared as before. */
    @Test
    void theCodecOfWhatWasChosenShouldBecomeFinerNearTheEnd() {
        StrategySpec coded = StrategySpec.defaults().with(Compress.INT4);
        LinkPath wide = new LinkPath(50_000, 1.25e9, Origin.MEASURED);
        ClusterProfile seen = Clusters.ways(Clusters.machines("a", "a", "b", "b"), wide, wide);
        CodecPlan.Terms codec =
                new CodecPlan.Terms(coded, Clusters.FASHION, 130, 0, ways -> Clusters.twoClouds());
        Before before = new Before(coded, new CodecPlan(codec, listening()), 25_600);
        AutoPlan auto = new AutoPlan(terms(Clusters.twoClouds()), this::decide, before);
        fourJoin(auto);
        Group group = group("a", "a", "b", "b");
        auto.plan(group, 1, 100);
        auto.knows(seen);
        assertThat(auto.plan(group, 2, 100).why()).endsWith("between sites as int4");
        assertThat(auto.strategy()).isEqualTo(coded);
        steps(auto, 101, 120, 256, 78_000_000L, 77_000_000L);
        assertThat(auto.wish(120)).startsWith("gradients cross sites as int8 in ");
        assertThat(auto.plan(group, 3, 120).why()).startsWith("gradients cross sites as int8");
        assertThat(auto.strategy()).isEqualTo(coded.with(Compress.INT8));
        assertThat(decided).as("no other strategy").isEmpty();
    }

    @Test
    void whoTriedNothingShouldBeForeseenByItsSteps() {
        Before before = new Before(StrategySpec.defaults(), listening(), 25_600);
        AutoPlan auto = new AutoPlan(terms(Clusters.twoClouds()), this::decide, before);
        IntStream.rangeClosed(1, 4).forEach(i -> auto.joins(new WorkerId(i), List.of()));
        Group group = group("a", "a", "b", "b");
        auto.plan(group, 1, 100);
        auto.plan(group, 2, 100);
        for (int step = 101; step <= 130; step++) {
            Map<WorkerId, Measured> all = new HashMap<>();
            for (int i = 1; i <= 4; i++) {
                all.put(new WorkerId(i), Measured.alone(64, 77_000_000L));
            }
            auto.stepped(step, all);
            auto.took(256, 600_000_000L);
        }
        assertThat(auto.wish(130)).startsWith("auto: data-parallel makes 427 samples/s");
    }

    private void isOfARound(Measured speed) {
        assertThat(speed.share()).isGreaterThan(1_000);
        assertThat((double) speed.computeNs() / speed.share()).isBetween(2e5, 3e6);
    }

    @Test
    void shouldChangeNothingWhileAWorkerSitsOutOrTooLittleIsLeft() {
        sittingOut.put(new WorkerId(4), "late");
        AutoPlan auto = wronglyChosen();
        auto.sitsOut(1);
        steps(auto, 1, 60, 256, 600_000_000L, 77_000_000L);
        assertThat(auto.wish(60)).isNull();
        auto.comesBack(61);
        steps(auto, 61, 80, 256, 600_000_000L, 77_000_000L);
        assertThat(auto.wish(80)).isNotNull();
        AutoPlan nearTheEnd = wronglyChosen();
        steps(nearTheEnd, 1, 1_670, 256, 1_000_000L, 999_000L);
        steps(nearTheEnd, 1_671, 1_684, 256, 600_000_000L, 77_000_000L);
        assertThat(nearTheEnd.wish(1_684)).as("some seconds are left").isNull();
    }

    /** The group without it would have plans that never ask it back. */
    @Test
    void shouldDropAWishThatWaitsWhenAWorkerSitsOut() {
        AutoPlan auto = wronglyChosen();
        steps(auto, 1, 24, 256, 600_000_000L, 77_000_000L);
        assertThat(auto.wish(24)).isNotNull();
        sittingOut.put(new WorkerId(4), "late");
        auto.sitsOut(24);
        assertThat(auto.wish(24)).isNull();
        auto.plan(group("a", "a", "b"), 3, 24);
        assertThat(auto.strategy()).isEqualTo(StrategySpec.defaults());
        assertThat(decided).hasSize(1);
    }

    /** Nobody else holds the state, for example: the plans have forgotten that it was to go. */
    @Test
    void whoTakesPartAllTheSameShouldNotStandInTheWay() {
        sittingOut.put(new WorkerId(4), "late");
        AutoPlan auto = wronglyChosen();
        auto.sitsOut(1);
        auto.plan(group("a", "a", "b", "b"), 3, 1);
        steps(auto, 2, 25, 256, 600_000_000L, 77_000_000L);
        assertThat(auto.wish(25)).isNotNull();
    }

    /** Two agents on one machine, a third at another site: ways are those between machines. */
    @Test
    void waysThatWereMeasuredShouldCountWhereSeveralStandOnOneMachine() {
        LinkPath good = new LinkPath(50_000, 1.25e9, Origin.MEASURED);
        AutoPlan auto = auto(Clusters.twoClouds());
        fourJoin(auto);
        auto.plan(group("a", "a", "b", "b"), 1, 0);
        ClusterProfile machines = Clusters.ways(Clusters.machines("a", "b"), good, good);
        auto.knows(machines);
        List<List<Integer>> workers = List.of(List.of(1, 2), List.of(3, 4));
        auto.surveyed(new LinkReport(1, workers, machines.ways(), List.of(0, 1), ""));
        assertThat(auto.plan(group("a", "a", "b", "b"), 2, 0).why())
                .contains("data-parallel")
                .doesNotContain("ways between machines that are");
        assertThat(auto.strategy().kind()).isEqualTo(Kind.DATA_PARALLEL);
    }

    @Test
    void whoDiesWhileItSitsOutShouldNotStandInTheWay() {
        sittingOut.put(new WorkerId(4), "late");
        AutoPlan auto = wronglyChosen();
        auto.sitsOut(1);
        auto.plan(group("a", "a", "b"), 3, 1);
        auto.leaves(new WorkerId(4));
        steps(auto, 2, 45, 256, 600_000_000L, 77_000_000L);
        assertThat(auto.wish(45)).isNotNull();
        decided.clear();
        joined.clear();
        auto.plan(group("a", "a", "b"), 4, 45);
        assertThat(decided).hasSize(1);
        assertThat(joined)
                .as("told of who is there")
                .containsOnly(new WorkerId(1), new WorkerId(2), new WorkerId(3));
    }

    private AutoPlan wronglyChosen() {
        ClusterProfile said =
                Clusters.ways(
                        Clusters.machines("a", "a", "b", "b"),
                        new LinkPath(50_000, 1.25e9, Origin.MEASURED),
                        new LinkPath(50_000, 1.25e9, Origin.MEASURED));
        AutoPlan auto = auto(said);
        fourJoin(auto);
        auto.plan(group("a", "a", "b", "b"), 1, 0);
        auto.plan(group("a", "a", "b", "b"), 2, 0);
        assertThat(auto.strategy()).isNotNull();
        assertThat(auto.strategy().kind()).isEqualTo(Kind.DATA_PARALLEL);
        return auto;
    }

    private List<String> steps(AutoPlan auto, long samples, long stepNs, long computeNs) {
        return steps(auto, 1, 40, samples, stepNs, computeNs);
    }

    private List<String> steps(
            AutoPlan auto, int from, int to, long samples, long stepNs, long computeNs) {
        List<String> said = new ArrayList<>();
        for (int step = from; step <= to; step++) {
            auto.stepped(step, Map.of(new WorkerId(1), Measured.alone(64, computeNs)));
            auto.took(samples, stepNs);
            String remark = auto.remark();
            if (remark != null) {
                said.add(remark);
            }
        }
        return said;
    }

    private AutoPlan auto(ClusterProfile ways) {
        return new AutoPlan(terms(ways), this::decide);
    }

    private PlanSource decide(StrategySpec strategy, long committedStep, long trainedNs) {
        decided.add(strategy);
        return listening();
    }

    @Test
    void memoryThatRanOutBeforeTheChoiceShouldBeKnownToWhatIsChosen() {
        AutoPlan auto = auto(Clusters.twoClouds());
        assertThat(auto.comes(new WorkerId(1), Groups.kind("small"))).isEqualTo(TrialScope.FULL);
        assertThat(auto.outOfMemoryTrying("small", 128)).contains("at most 32 samples");
        assertThat(auto.comes(new WorkerId(1), Groups.kind("small")))
                .isEqualTo(TrialScope.FULL.atMost(32));
        assertThat(caps.of("small")).as("of all plan sources of the run").isEqualTo(32);
        assertThat(auto.comes(new WorkerId(2), Groups.kind("large"))).isEqualTo(TrialScope.FULL);
    }

    private AutoPlan.Terms terms(ClusterProfile ways) {
        return new AutoPlan.Terms(
                Clusters.FASHION,
                Clusters.open(),
                () -> worth,
                group ->
                        group.size() == ways.size()
                                ? ways
                                : ClusterProfile.assumed(
                                        Clusters.machines(
                                                group.members().stream()
                                                        .map(Member::site)
                                                        .toArray(String[]::new))),
                caps);
    }

    private PlanSource listening() {
        SharePlan even = new SharePlan(256, 1, List.of());
        return new PlanSource() {
            @Override
            public void joins(WorkerId worker, List<Measured> tried) {
                joined.add(worker);
                told.addAll(tried);
            }

            @Override
            public Map<WorkerId, String> sitsOut(long step) {
                return sittingOut;
            }

            @Override
            public Map<WorkerId, String> comesBack(long step) {
                return sittingOut;
            }

            @Override
            public Plan plan(Group group, int version, long committedStep) {
                return even.plan(group, version, committedStep);
            }
        };
    }

    private static void fourJoin(AutoPlan auto) {
        for (int i = 0; i < 4; i++) {
            double betaNs = Clusters.uneven().get(i).betaNs();
            auto.joins(
                    new WorkerId(i + 1),
                    List.of(
                            Measured.alone(16, (long) (16 * betaNs)),
                            Measured.alone(64, (long) (64 * betaNs))));
        }
    }

    private static Group group(String... sites) {
        return group(null, sites);
    }

    /** Members on this host, or each on a host of its own. */
    private static Group group(@Nullable String host, String[] sites) {
        return new Group(
                1,
                IntStream.range(0, sites.length)
                        .mapToObj(
                                i ->
                                        new Member(
                                                new WorkerId(i + 1),
                                                host == null ? "host" + i : host,
                                                sites[i],
                                                "127.0.0.1",
                                                1000 + i,
                                                "kernels"))
                        .toList());
    }
}
