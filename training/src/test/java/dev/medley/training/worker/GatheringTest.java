package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Plan;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.exchange.Collective;
import dev.medley.exchange.Formation;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.training.RanksOnThreads;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same members that go on under another plan keep their links; all others form anew. */
@Tag("unit")
class GatheringTest {
    private static final long BYTES = 1 << 12;
    private static final StrategySpec STRATEGY = StrategySpec.defaults();

    private final RanksOnThreads ranks = new RanksOnThreads(2);
    private final List<Gathering> gatherings = new ArrayList<>();
    private final List<AtomicReference<@Nullable Collective>> current = new ArrayList<>();
    private List<Collective> first = List.of();

    @BeforeEach
    void formTheFirst() throws Exception {
        for (int rank = 0; rank < 2; rank++) {
            AtomicReference<@Nullable Collective> stands = new AtomicReference<>();
            current.add(stands);
            gatherings.add(new Gathering(ranks.endpoint(rank), new WorkerId(rank), stands::set));
        }
        first = form(view(1, plan(8, 8)), STRATEGY, BYTES);
    }

    @AfterEach
    void part() {
        gatherings.forEach(Gathering::part);
        assertThat(current).extracting(AtomicReference::get).containsOnlyNulls();
        ranks.close();
    }

    @Test
    void shouldKeepTheLinksUnderAnotherPlan() throws Exception {
        assertThat(form(view(2, plan(10, 6).goingOn()), STRATEGY, BYTES)).isEqualTo(first);
        assertThat(form(view(3, plan(11, 5).goingOn()), STRATEGY, BYTES)).isEqualTo(first);
        assertThat(current).extracting(AtomicReference::get).isEqualTo(first);
    }

    @Test
    void shouldFormAnewWhereTheGroupBeginsAnew() throws Exception {
        assertIsAnother(form(view(2, plan(10, 6)), STRATEGY, BYTES));
    }

    @Test
    void shouldFormAnewWithAnotherCodec() throws Exception {
        StrategySpec coded = STRATEGY.with(Compress.INT8);
        assertIsAnother(form(view(2, plan(8, 8).goingOn()), coded, BYTES));
    }

    @Test
    void shouldFormAnewWithOtherMemory() throws Exception {
        assertIsAnother(form(view(2, plan(8, 8).goingOn()), STRATEGY, 2 * BYTES));
    }

    @Test
    void shouldFormAnewWhereWaysAreToBeProbed() throws Exception {
        View next = view(2, plan(8, 8).goingOn());
        View probing =
                new View(
                        next.group(),
                        next.plan(),
                        next.committed(),
                        next.source(),
                        next.behind(),
                        next.lastStep(),
                        null,
                        true);
        assertIsAnother(form(probing, STRATEGY, BYTES));
    }

    /** Not all need have been in a group of which nothing is known here. */
    @Test
    void shouldFormAnewAfterAGroupThatItMissed() throws Exception {
        assertIsAnother(form(view(3, plan(8, 8).goingOn()), STRATEGY, BYTES));
    }

    @Test
    void shouldFormAnewAfterAFault() throws Exception {
        first.get(1).abort(new Fault(Fault.Kind.SEALED, "coordinator", "lost"));
        first.get(0).abort(new Fault(Fault.Kind.SEALED, "coordinator", "lost"));
        assertIsAnother(form(view(2, plan(8, 8).goingOn()), STRATEGY, BYTES));
    }

    /** A change of parameters that was left out is no gradient: it is not added to one. */
    @ParameterizedTest
    @EnumSource(names = {"DATA_PARALLEL", "DILOCO"})
    void whatACodecLeftOutShouldNotGoOnWhereAnotherKindIsSummed(StrategySpec.Kind then)
            throws Exception {
        StrategySpec gradients = STRATEGY.with(Compress.INT4, CodecSpec.DEFAULT);
        try (RanksOnThreads far =
                new RanksOnThreads(List.of("a", "b"), Compress.INT4, CodecSpec.DEFAULT)) {
            List<Gathering> members =
                    IntStream.range(0, 2)
                            .mapToObj(
                                    rank ->
                                            new Gathering(
                                                    far.endpoint(rank),
                                                    new WorkerId(rank),
                                                    c -> {}))
                            .toList();
            float[] left = sum(far, members, 1, plan(8, 8), gradients);
            StrategySpec next = StrategySpec.defaults(then).with(Compress.INT4, CodecSpec.DEFAULT);
            float[] sum = sum(far, members, 2, plan(8, 8).goingOn(), next);
            boolean isOfOneKind = then == StrategySpec.Kind.DATA_PARALLEL;
            assertThat(Arrays.equals(sum, left)).isEqualTo(!isOfOneKind);
            members.forEach(Gathering::part);
        }
    }

    /** The sum of the same values, which int4 does not hold, in a group's first step. */
    private static float[] sum(
            RanksOnThreads far,
            List<Gathering> members,
            int epoch,
            Plan plan,
            StrategySpec strategy)
            throws Exception {
        View view = new View(far.group(epoch), plan, Progress.NONE, 0, List.of(), Long.MAX_VALUE);
        return far.inParallel(
                        rank -> {
                            Formation formed = members.get(rank).form(view, strategy, BYTES);
                            Collective each = ((Formation.Formed) formed).collective();
                            FloatBuffer values = each.buffer().buffer().asFloatBuffer();
                            values.put(0, new float[] {7, 1.3f, 0.6f, -2.2f});
                            each.begin(new StepTag(epoch, epoch, 1));
                            each.sum(0, 16, ElementType.FLOAT32, Fidelity.CODED);
                            assertThat(each.finish()).isNull();
                            each.applied();
                            float[] sum = new float[4];
                            values.get(0, sum);
                            return sum;
                        })
                .get(0);
    }

    private void assertIsAnother(List<Collective> next) {
        assertThat(next).doesNotContainAnyElementsOf(first);
        assertThat(first).extracting(Collective::ended).doesNotContainNull();
    }

    private List<Collective> form(View view, StrategySpec strategy, long bytes) throws Exception {
        return ranks.inParallel(rank -> gatherings.get(rank).form(view, strategy, bytes)).stream()
                .map(formation -> ((Formation.Formed) formation).collective())
                .toList();
    }

    private View view(int epoch, Plan plan) {
        return new View(ranks.group(epoch), plan, Progress.NONE, 0, List.of(), Long.MAX_VALUE);
    }

    private static Plan plan(int... shares) {
        return new Plan(1, List.of(shares[0], shares[1]), 16, "for a test");
    }
}
