package dev.medley.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.exchange.Collective;
import dev.medley.exchange.Formation;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.training.RanksOnThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
