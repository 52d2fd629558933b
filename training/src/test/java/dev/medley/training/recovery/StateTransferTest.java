package dev.medley.training.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Plan;
import dev.medley.base.memory.Span;
import dev.medley.data.order.PlacedEpoch;
import dev.medley.data.order.PlacedEpoch.Section;
import dev.medley.exchange.Collective;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import dev.medley.net.membership.View;
import dev.medley.tensor.Torch;
import dev.medley.training.GivenState;
import dev.medley.training.GivenTrain;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Members catch up over a real exchange; and what they count as when they cannot. */
@Tag("unit")
class StateTransferTest {
    private static final int EPOCH = 4;
    private static final int BUFFER_BYTES = 64;
    private static final TrainingState AHEAD =
            new TrainingState(7, true, 0.25, 5, 1, null, false).trained(3600);
    private static final TrainingState OLDER = new TrainingState(3, true, 0.5, 3, 0, null, false);
    private static final Fault GONE = new Fault(Fault.Kind.PEER, "worker-1", "worker-1 is gone");

    private final List<WorkerState> states = new ArrayList<>();

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @AfterEach
    void freeStates() {
        states.forEach(state -> state.learner().close());
    }

    /** Ranks, the source, and who is behind. */
    static Stream<Arguments> groups() {
        return Stream.of(
                Arguments.of(2, 0, List.of(1)),
                Arguments.of(3, 1, List.of(0, 2)),
                Arguments.of(3, 2, List.of(0)));
    }

    @ParameterizedTest
    @MethodSource("groups")
    void thoseBehindShouldHoldTheSourcesBits(int ranks, int source, List<Integer> behind)
            throws Exception {
        for (int rank = 0; rank < ranks; rank++) {
            add(behind.contains(rank) ? OLDER : AHEAD, behind.contains(rank) ? 10 + rank : 1);
        }
        List<String> wanted = GivenState.hashes(states.get(source));
        assertThat(wanted).as("parameters, statistics, count and two moments").hasSize(5);
        assertThat(wanted).doesNotContainAnyElementsOf(hashes(behind.get(0)));
        List<Boolean> ended = play(source, behind, (view, c) -> catchUp(view, c) == null);
        assertThat(ended).doesNotContain(false);
        for (int rank = 0; rank < ranks; rank++) {
            WorkerState state = states.get(rank);
            assertThat(hashes(rank)).as("rank %d", rank).isEqualTo(wanted);
            assertThat(state.state()).isEqualTo(AHEAD);
            assertThat(state.seat().progress()).isEqualTo(AHEAD.progress());
        }
    }

    @Test
    void aStateOfManyPlansShouldComeWhole() throws Exception {
        List<Section> sections = new ArrayList<>();
        for (int plan = 0; plan < 3000; plan++) {
            List<Integer> owners = Collections.nCopies(256, plan % 2);
            sections.add(new Section(plan * 16L, List.of(8, 8), owners));
        }
        TrainingState many = AHEAD.with(new PlacedEpoch(2, sections));
        add(many, 1);
        add(OLDER, 2);
        play(0, List.of(1), this::catchUp);
        assertThat(Json.bytes(many)).as("more than a MiB").hasSizeGreaterThan(1 << 20);
        assertThat(states.get(1).state()).isEqualTo(many);
    }

    @Test
    void nothingShouldTravelWhereNobodyIsBehind() {
        add(AHEAD, 1);
        List<String> before = hashes(0);
        View view = view(groupOf(1), 0, List.of());
        assertThat(StateTransfer.catchUp(view, inMidCopy(0, GONE), states.get(0))).isNull();
        assertThat(hashes(0)).isEqualTo(before);
        assertThat(states.get(0).seat().progress()).isEqualTo(AHEAD.progress());
    }

    @Test
    void aSourceThatIsGoneShouldBeAFaultForThoseBehind() throws Exception {
        add(OLDER, 1);
        add(AHEAD, 2);
        CompletableFuture<Boolean> hasFormed = new CompletableFuture<>();
        List<Boolean> faults =
                play(
                        1,
                        List.of(0),
                        (view, c) -> {
                            if (c.rank() == 0) {
                                hasFormed.complete(true);
                            } else if (hasFormed.join()) {
                                c.abort(GONE);
                            }
                            return catchUp(view, c) != null;
                        });
        assertThat(faults).containsExactly(true, true);
        assertNotCaughtUp(states.get(0));
        assertThat(states.get(1).seat().progress()).as("it had it").isEqualTo(AHEAD.progress());
    }

    @Test
    void whoGotHalfOfACopyShouldHoldNothing() {
        add(OLDER, 1);
        List<String> before = hashes(0);
        View view = view(groupOf(2), 1, List.of(0));
        assertThat(StateTransfer.catchUp(view, inMidCopy(0, GONE), states.get(0))).isEqualTo(GONE);
        assertThat(hashes(0)).as("half of it is overwritten").isNotEqualTo(before);
        assertNotCaughtUp(states.get(0));
    }

    @Test
    void whoDidNotEvenLearnTheLengthShouldHoldNothing() {
        add(OLDER, 1);
        View view = view(groupOf(2), 1, List.of(0));
        Collective gone =
                (Collective)
                        Proxy.newProxyInstance(
                                Collective.class.getClassLoader(),
                                new Class<?>[] {Collective.class},
                                (self, method, arguments) ->
                                        method.getName().equals("rank") ? (Object) 0 : GONE);
        assertThat(StateTransfer.catchUp(view, gone, states.get(0))).isEqualTo(GONE);
        assertNotCaughtUp(states.get(0));
    }

    @Test
    void aCopyThatEndsAfterTheSealShouldNotCount() throws Exception {
        add(AHEAD, 1);
        add(OLDER, 2);
        List<String> faults =
                play(
                        0,
                        List.of(1),
                        (view, c) -> {
                            Fault fault = catchUp(view, c.rank() == 0 ? c : sealedMeanwhile(c));
                            return fault == null ? "none" : fault.kind().name();
                        });
        assertThat(faults).containsExactly("none", "SEALED");
        assertNotCaughtUp(states.get(1));
    }

    /** Its report said what it holds, which others may go on from. */
    @Test
    void aSealBeforeTheCopyShouldLeaveWhatWasReported() {
        add(OLDER, 1);
        List<String> before = hashes(0);
        Progress reported = states.get(0).seat().seal(EPOCH);
        View view = view(groupOf(2), 1, List.of(0));
        Fault fault = StateTransfer.catchUp(view, inMidCopy(0, GONE), states.get(0));
        assertThat(fault).isNotNull();
        assertThat(fault.kind()).isEqualTo(Fault.Kind.SEALED);
        assertThat(hashes(0)).isEqualTo(before);
        assertThat(states.get(0).seat().progress()).isEqualTo(reported).isEqualTo(OLDER.progress());
    }

    @Test
    void aSourceWithAnotherStateThanTheCommittedShouldBeABug() throws Exception {
        add(OLDER, 1);
        add(OLDER, 2);
        play(
                0,
                List.of(1),
                (view, c) -> {
                    if (c.rank() == 0) {
                        return catchUp(view, c) == null;
                    }
                    assertThatThrownBy(() -> catchUp(view, c))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("committed is");
                    return true;
                });
        assertNotCaughtUp(states.get(1));
    }

    /** Its report will say that it has nothing, so that nobody takes it for a source. */
    private static void assertNotCaughtUp(WorkerState state) {
        assertThat(state.seat().seal(EPOCH)).isEqualTo(Progress.NONE);
        assertThat(state.state()).isEqualTo(OLDER);
    }

    /** Each state is a rank's, and plays on a thread of its own; in order of rank. */
    private <T> List<T> play(int source, List<Integer> behind, BiFunction<View, Collective, T> role)
            throws Exception {
        try (RanksOnThreads group = new RanksOnThreads(states.size())) {
            View view = view(group.group(EPOCH), source, behind);
            return group.play(EPOCH, BUFFER_BYTES, c -> role.apply(view, c));
        }
    }

    private Fault catchUp(View view, Collective collective) {
        return StateTransfer.catchUp(view, collective, states.get(collective.rank()));
    }

    private List<String> hashes(int rank) {
        return GivenState.hashes(states.get(rank));
    }

    private void add(TrainingState run, long seed) {
        Seat seat = new Seat(Progress.NONE);
        states.add(GivenState.of(seed, GivenTrain.of(0, 100, 8).spec(), seat, run));
        assertThat(seat.enter(EPOCH)).isTrue();
    }

    private static Group groupOf(int ranks) {
        try (RanksOnThreads group = new RanksOnThreads(ranks)) {
            return group.group(EPOCH);
        }
    }

    private static View view(Group group, int source, List<Integer> behind) {
        Plan plan = new Plan(1, List.of(), 8, "");
        return new View(group, plan, AHEAD.progress(), source, behind, Long.MAX_VALUE);
    }

    /** A collective that copies one span, and half of several: then it ends like this. */
    /** Whose rank is sealed when all has been copied, before it takes notice. */
    private Collective sealedMeanwhile(Collective collective) {
        return (Collective)
                Proxy.newProxyInstance(
                        Collective.class.getClassLoader(),
                        new Class<?>[] {Collective.class},
                        (self, method, arguments) -> {
                            Object result = method.invoke(collective, arguments);
                            if (method.getName().equals("copy")
                                    && ((List<?>) arguments[2]).size() > 1) {
                                states.get(1).seat().seal(EPOCH);
                            }
                            return result;
                        });
    }

    private static Collective inMidCopy(int rank, Fault fault) {
        return (Collective)
                Proxy.newProxyInstance(
                        Collective.class.getClassLoader(),
                        new Class<?>[] {Collective.class},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "rank" -> rank;
                                    case "copy" -> {
                                        List<?> spans = (List<?>) arguments[2];
                                        overwriteHalf(spans);
                                        yield spans.size() == 1 ? null : fault;
                                    }
                                    default -> throw new AssertionError(method);
                                });
    }

    private static void overwriteHalf(List<?> spans) {
        for (Object span : spans.subList(0, spans.size() / 2)) {
            ((Span) span).buffer().putFloat(0, -1);
        }
    }
}
