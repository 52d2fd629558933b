package dev.medley.plan.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.NoiseSample;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.forecast.Clusters;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.plan.source.SharePlan;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Origin;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** 1.7 MB of gradients between two sites: 135 ms at 12.5 MB/s, 34 as int8, 17 as int4. */
@Tag("unit")
class CodecPlanTest {
    private static final long LAST_STEP = 1000;
    private static final long MS = 1_000_000;
    private static final Group TWO_SITES = Groups.at("a", "a", "b", "b");

    private final PlanSource even = new SharePlan(256, 1, List.of());

    @Test
    void shouldBecomeCoarserOnThinLinksAndFinerNearTheEnd() {
        CodecPlan plan = plan(Kind.DATA_PARALLEL, 12.5e6);
        assertThat(plan.plan(TWO_SITES, 1, 0).why())
                .endsWith("how fast each machine is will be seen; between sites as int8");
        assertThat(plan.strategy().compress()).isEqualTo(Compress.INT8);
        String wish = steps(plan, 1, 30, 20 * MS, 60 * MS);
        assertThat(wish).startsWith("gradients cross sites as int4 in ");
        assertThat(plan.strategy().compress()).as("until the next group").isEqualTo(Compress.INT8);
        Plan coarse = plan.plan(TWO_SITES, 2, 30);
        assertThat(coarse.why()).startsWith(wish);
        assertThat(coarse.shares()).isEqualTo(even.plan(TWO_SITES, 2, 30).shares());
        assertThat(plan.strategy().compress()).isEqualTo(Compress.INT4);
        assertThat(steps(plan, 31, 650, 20 * MS, 40 * MS)).as("it holds").isNull();
        assertThat(steps(plan, 651, 800, 20 * MS, 40 * MS)).contains("as int8", "too large");
        plan.plan(TWO_SITES, 3, 800);
        assertThat(plan.strategy().compress()).isEqualTo(Compress.INT8);
        assertThat(steps(plan, 801, 1000, 20 * MS, 60 * MS)).isNull();
    }

    @Test
    void shouldLeaveGradientsAsTheyAreOnWideLinks() {
        CodecPlan plan = plan(Kind.DATA_PARALLEL, 1.25e9);
        plan.plan(TWO_SITES, 1, 0);
        assertThat(steps(plan, 1, 30, 200 * MS, 0)).contains("as they are", "nothing coarser");
        plan.plan(TWO_SITES, 2, 30);
        assertThat(plan.strategy().compress()).isEqualTo(Compress.NONE);
    }

    /** Of three sites two have a thin link between them: the others need nothing as coarse. */
    @Test
    void eachBorderShouldHaveTheCodecThatItNeeds() {
        ClusterProfile ways = Clusters.thinBetween(Set.of("a", "b"), 12.5e6, 1.25e9, "a", "b", "c");
        CodecPlan plan = plan(Kind.DATA_PARALLEL, ways);
        Group group = Groups.at("a", "b", "c");
        assertThat(plan.plan(group, 1, 0).why()).endsWith("; between sites as int8");
        String wish = steps(plan, 1, 30, 20 * MS, 60 * MS);
        assertThat(wish)
                .startsWith("gradients cross sites as int4 in ")
                .contains("; that is a to b, meanwhile a to c, b to c, c to a, c to b as they are")
                .doesNotContain("b to a");
        assertThat(plan.plan(group, 2, 30).why()).startsWith(wish);
        StrategySpec strategy = plan.strategy();
        assertThat(strategy.compress()).isEqualTo(Compress.INT4);
        assertThat(strategy.codec().at("b", "a", strategy.compress())).isEqualTo(Compress.INT4);
        assertThat(strategy.codec().borders())
                .containsExactlyInAnyOrder(
                        new BorderCodec("a", "c", Compress.NONE),
                        new BorderCodec("b", "c", Compress.NONE),
                        new BorderCodec("c", "a", Compress.NONE),
                        new BorderCodec("c", "b", Compress.NONE));
        assertThat(Json.parse(Json.line(strategy), StrategySpec.class)).isEqualTo(strategy);
        assertThat(steps(plan, 31, 300, 20 * MS, 40 * MS)).as("it holds").isNull();
        assertThat(plan.plan(Groups.at("a", "c"), 3, 300).why())
                .endsWith("between sites as they are");
        assertThat(plan.strategy().codec().borders()).isEmpty();
        assertThat(plan.plan(group, 4, 300).why())
                .endsWith("between sites as int4, but a to c, b to c, c to a, c to b as they are");
    }

    /** As after {@code strategy: auto}, which reckoned with the bytes and the error of int8. */
    @Test
    void aCodecThatWasChosenShouldStayWhileItsErrorIsBorne() {
        for (double bytesPerSecond : new double[] {12.5e6, 1.25e9}) {
            CodecPlan plan = plan(named(Compress.INT8), ways(bytesPerSecond));
            assertThat(plan.plan(TWO_SITES, 1, 0).why()).endsWith("; between sites as int8");
            assertThat(plan.strategy()).isEqualTo(named(Compress.INT8));
            assertThat(steps(plan, 1, 900, 20 * MS, 60 * MS)).isNull();
        }
    }

    @Test
    void aCodecThatWasChosenShouldBecomeFinerNearTheEndWhereThatCostsNoTime() {
        CodecPlan thin = plan(named(Compress.INT4), ways(12.5e6));
        thin.plan(TWO_SITES, 1, 0);
        assertThat(steps(thin, 1, 900, 20 * MS, 60 * MS)).as("int8 would take longer").isNull();
        CodecPlan wide = plan(named(Compress.INT4), ways(1.25e9));
        wide.plan(TWO_SITES, 1, 0);
        assertThat(steps(wide, 1, 600, 20 * MS, 0)).as("bytes cost, and it is borne").isNull();
        assertThat(steps(wide, 601, 900, 20 * MS, 0)).startsWith("gradients cross sites as int8");
        wide.plan(TWO_SITES, 2, 900);
        assertThat(wide.strategy()).isEqualTo(named(Compress.INT8));
        assertThat(steps(wide, 901, 1000, 20 * MS, 0)).as("no finer than needed").isNull();
    }

    /** A run that is ended by time, and has had most of it under another strategy. */
    @Test
    void timeBeforeTheStrategyShouldCountAsProgress() {
        StrategySpec named = named(Compress.INT4);
        for (long elapsedNs : new long[] {0, 90_000_000_000L}) {
            CodecPlan.Terms terms =
                    new CodecPlan.Terms(
                            named,
                            new ModelFacts(
                                    1_686_568,
                                    421_642,
                                    256,
                                    64,
                                    54_000,
                                    new Budget(0, 0, 100),
                                    true),
                            Long.MAX_VALUE,
                            elapsedNs,
                            group -> ways(1.25e9));
            CodecPlan plan = new CodecPlan(terms, even);
            plan.plan(TWO_SITES, 1, 0);
            String wish = steps(plan, 1, 30, 20 * MS, 0);
            assertThat(wish != null)
                    .as("after %d s", elapsedNs / 1_000_000_000)
                    .isEqualTo(elapsedNs > 0);
        }
    }

    private static StrategySpec named(Compress codec) {
        return StrategySpec.defaults().with(codec);
    }

    /** The way was measured in a quiet moment; steps say that it carries a tenth of that. */
    @Test
    void shouldBelieveStepsThatFeelTheLinkMoreThanWhatWasMeasured() {
        CodecPlan plan = plan(Kind.DATA_PARALLEL, 125e6);
        plan.plan(TWO_SITES, 1, 0);
        assertThat(steps(plan, 1, 30, 20 * MS, 300 * MS)).contains("as int4");
    }

    @Test
    void roundsShouldBearWhatIsShortBesideThem() {
        CodecPlan plan = plan(Kind.DILOCO, 12.5e6);
        plan.plan(TWO_SITES, 1, 0);
        assertThat(steps(plan, 1, 4, 64 * 80 * MS, 40 * MS)).contains("as they are");
    }

    /** Noise that hides the error of four bits lets them stay. */
    @Test
    void noiseThatWasMeasuredShouldCount() {
        CodecPlan calm = plan(Kind.DATA_PARALLEL, 12.5e6);
        calm.plan(TWO_SITES, 1, 0);
        assertThat(noisySteps(calm, new NoiseSample(1, 0.1))).isNull();
        CodecPlan noisy = plan(Kind.DATA_PARALLEL, 12.5e6);
        noisy.plan(TWO_SITES, 1, 0);
        assertThat(noisySteps(noisy, new NoiseSample(1, 10_000))).contains("as int4");
    }

    @Test
    void aSiteAloneShouldHaveNothingToChoose() {
        CodecPlan plan = plan(Kind.DATA_PARALLEL, 12.5e6);
        assertThat(plan.plan(Groups.at("a", "a"), 1, 0).why()).endsWith("the border of a site");
        assertThat(steps(plan, 1, 100, MS, 500 * MS)).isNull();
    }

    private static @Nullable String noisySteps(CodecPlan plan, NoiseSample noise) {
        for (int i = 0; i < 30; i++) {
            plan.noised(noise);
        }
        return steps(plan, 1, 30, 20 * MS, 60 * MS);
    }

    /** The first wish while these steps are taken. */
    private static @Nullable String steps(
            CodecPlan plan, int from, int to, long computeNs, long exposedNs) {
        for (int step = from; step <= to; step++) {
            // Who is fast waits for who is not.
            plan.stepped(
                    step,
                    Map.of(
                            new WorkerId(1), new Measured(64, computeNs, 0, exposedNs, 0),
                            new WorkerId(2), new Measured(64, computeNs / 2, 0, 2 * exposedNs, 0)));
            plan.took(256, computeNs + exposedNs);
            String wish = plan.wish(step);
            if (wish != null) {
                return wish;
            }
        }
        return null;
    }

    private CodecPlan plan(Kind kind, double bytesPerSecond) {
        return plan(kind, ways(bytesPerSecond));
    }

    private CodecPlan plan(Kind kind, ClusterProfile ways) {
        return plan(StrategySpec.defaults(kind).with(Compress.AUTO, CodecSpec.DEFAULT), ways);
    }

    private static ClusterProfile ways(double bytesPerSecond) {
        return Clusters.ways(
                Clusters.machines("a", "a", "b", "b"),
                new LinkPath(100_000, 1.25e9, Origin.MEASURED),
                new LinkPath(MS, bytesPerSecond, Origin.MEASURED));
    }

    private CodecPlan plan(StrategySpec strategy, ClusterProfile ways) {
        CodecPlan plan =
                new CodecPlan(
                        new CodecPlan.Terms(
                                strategy,
                                Clusters.FASHION,
                                LAST_STEP,
                                0,
                                group -> ClusterProfile.assumed(Clusters.machines("a", "b"))),
                        even);
        plan.knows(ways);
        return plan;
    }
}
