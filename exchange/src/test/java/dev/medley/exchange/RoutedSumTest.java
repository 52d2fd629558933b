package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums that follow what was measured: by a tree, and round a ring in another order. */
class RoutedSumTest {
    private static final long FORM_NS = 10_000_000_000L;
    private static final long STEP_NS = 800_000_000L;
    private static final int BUFFER_BYTES = 5 << 20;
    private static final int TREE_ELEMENTS = 16 << 10;
    private static final StepTag FIRST = new StepTag(1, 1, 1);

    /** Ranks so near each other that the number of messages decides. */
    private static final MeasuredRoute NEAR =
            new MeasuredRoute(List.of(), 1_000, 1L << 40, "a test");

    private static Ranks ranks(int count) {
        return new Ranks(count, Ranks.options().waitingAtMost(FORM_NS, STEP_NS));
    }

    private static void checkSum(
            Ranks ranks, List<Collective> all, int elements, ElementType type, Span expected)
            throws Exception {
        long bytes = (long) elements * type.bytes();
        ranks.play(
                all,
                each -> {
                    Span slice = each.buffer().slice(64, bytes);
                    Values.fill(slice, type, elements, each.rank());
                    each.begin(new StepTag(1, elements, 1));
                    each.sum(64, bytes, type);
                    assertThat(each.finish()).isNull();
                    assertThat(slice.buffer().mismatch(expected.buffer()))
                            .as("rank %d, %d x %s", each.rank(), elements, type)
                            .isEqualTo(-1);
                    return null;
                });
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(ints = {4, 6, 7, 8})
    void smallSlicesShouldBeSummedByATreeAndLongOnesAsEver(int count) throws Exception {
        try (Ranks ranks = ranks(count)) {
            List<Collective> all = ranks.form(ranks.apart(1), Transport.TCP, BUFFER_BYTES, NEAR);
            for (int elements : new int[] {1, 2, 17, 255, 1001, TREE_ELEMENTS}) {
                for (ElementType type : List.of(ElementType.FLOAT32, ElementType.FLOAT64)) {
                    long bytes = (long) elements * type.bytes();
                    boolean isByTree = bytes <= 64 << 10;
                    Span expected =
                            isByTree
                                    ? Values.sumByTree(bytes, type, elements, count)
                                    : Values.sum(bytes, type, elements, count);
                    checkSum(ranks, all, elements, type, expected);
                }
            }
            Ranks.close(all);
        }
    }

    /** Slices of all lengths and ways follow each other without a pause, as buckets do. */
    @Test
    @Tag("property")
    void slicesOfAllWaysShouldFollowEachOther() throws Exception {
        int[] elements = {1, 300, 16_385, 5, 40_000, 1_100_000, 77};
        try (Ranks ranks = ranks(4)) {
            List<Collective> all =
                    ranks.form(ranks.apart(1), Transport.TCP, BUFFER_BYTES + (1 << 20), NEAR);
            List<Span> results =
                    ranks.play(
                            all,
                            each -> {
                                Values.fill(each.buffer(), ElementType.FLOAT32, 3, each.rank());
                                each.begin(FIRST);
                                long at = 0;
                                for (int length : elements) {
                                    each.sum(at, 4L * length, ElementType.FLOAT32);
                                    at += 4L * length;
                                }
                                assertThat(each.finish()).isNull();
                                Span copy = Span.allocate(at);
                                copy.copyFrom(each.buffer().slice(0, at));
                                return copy;
                            });
            for (Span result : results) {
                assertThat(result.buffer()).isEqualTo(results.get(0).buffer());
            }
            Ranks.close(all);
        }
    }

    @Test
    @Tag("property")
    void anotherRingShouldPermuteTheOrderOfAdditions() throws Exception {
        List<Integer> ring = List.of(0, 2, 3, 1);
        int elements = 1_100_003;
        try (Ranks ranks = ranks(4)) {
            MeasuredRoute route = new MeasuredRoute(ring, 0, 0, "a test");
            List<Collective> all = ranks.form(ranks.apart(1), Transport.TCP, BUFFER_BYTES, route);
            ElementType type = ElementType.FLOAT32;
            checkSum(
                    ranks,
                    all,
                    elements,
                    type,
                    Values.sumRound(4L * elements, type, elements, ring));
            int few = 40_001;
            checkSum(ranks, all, few, type, Values.sum(4L * few, type, few, 4));
            Ranks.close(all);
        }
    }

    /**
     * What machines did is repeated by processes of one host, bit for bit, shared memory or not.
     */
    @ParameterizedTest
    @Tag("property")
    @CsvSource({"AUTO", "TCP", "SHARED_MEMORY"})
    void processesOfOneHostShouldRepeatWhatMachinesDid(Transport transport) throws Exception {
        MeasuredRoute route = new MeasuredRoute(List.of(0, 2, 1, 3), 1_000, 1L << 40, "a test");
        List<ByteBuffer> sums = new ArrayList<>();
        for (boolean isApart : new boolean[] {true, false}) {
            try (Ranks ranks = ranks(4)) {
                Group group = isApart ? ranks.apart(1) : ranks.everyone(1);
                List<Collective> all = ranks.form(group, transport, BUFFER_BYTES, route);
                ranks.play(
                        all,
                        each -> {
                            Values.fill(each.buffer(), ElementType.FLOAT32, 5, each.rank());
                            each.begin(FIRST);
                            each.sum(0, 4_300_000, ElementType.FLOAT32);
                            each.sum(4_300_000, 200_000, ElementType.FLOAT32);
                            each.sum(4_500_000, 4_000, ElementType.FLOAT32);
                            assertThat(each.finish()).isNull();
                            return null;
                        });
                Span copy = Span.allocate(4_504_000);
                copy.copyFrom(all.get(3).buffer().slice(0, 4_504_000));
                sums.add(copy.buffer());
                Ranks.close(all);
            }
        }
        assertThat(sums.get(1)).isEqualTo(sums.get(0));
    }

    @Test
    @Tag("unit")
    void processesOfOneHostThatStandAtSitesShouldAddAsMachinesDo() throws Exception {
        List<ByteBuffer> sums = new ArrayList<>();
        for (boolean isApart : new boolean[] {true, false}) {
            try (Ranks ranks = ranks(4)) {
                Group together = ranks.at(1, "a", "b", "b", "a");
                Group group = isApart ? Ranks.apart(together) : together;
                List<Collective> all = ranks.form(group, Transport.AUTO, BUFFER_BYTES);
                ranks.play(
                        all,
                        each -> {
                            Values.fill(each.buffer(), ElementType.FLOAT32, 5, each.rank());
                            each.begin(FIRST);
                            each.sum(0, 400_000, ElementType.FLOAT32);
                            assertThat(each.finish()).isNull();
                            return null;
                        });
                Span copy = Span.allocate(400_000);
                copy.copyFrom(all.get(3).buffer().slice(0, 400_000));
                sums.add(copy.buffer());
                Ranks.close(all);
            }
        }
        assertThat(sums.get(1)).isEqualTo(sums.get(0));
    }

    @Test
    @Tag("unit")
    void theUsualRouteShouldLeaveSharedMemoryAlone() throws Exception {
        try (Ranks ranks = ranks(2)) {
            List<Collective> all =
                    ranks.form(ranks.everyone(1), Transport.AUTO, BUFFER_BYTES, MeasuredRoute.NONE);
            assertThat(all.get(0).description()).startsWith("shared memory");
            Ranks.close(all);
        }
    }

    // ---- Faults

    private static Fault sumAll(Collective each, long bytes) {
        each.begin(FIRST);
        each.sum(0, bytes, ElementType.FLOAT32);
        return each.finish();
    }

    private static List<Collective> without(List<Collective> all, int rank) {
        List<Collective> others = new ArrayList<>(all);
        others.remove(rank);
        return others;
    }

    /** Of seven, rank 6 only gives and takes, ranks 0 to 2 have a guest, rank 3 has none. */
    @ParameterizedTest
    @Tag("unit")
    @ValueSource(ints = {0, 3, 6})
    void shouldNameTheSilentRankOnAllOthers(int silent) throws Exception {
        try (Ranks ranks = ranks(7)) {
            List<Collective> all = ranks.form(ranks.apart(1), Transport.TCP, BUFFER_BYTES, NEAR);
            List<Fault> faults = ranks.play(without(all, silent), each -> sumAll(each, 4096));
            assertThat(faults)
                    .allSatisfy(
                            fault -> {
                                assertThat(fault.kind()).isEqualTo(Fault.Kind.PEER);
                                assertThat(fault.who()).isEqualTo("worker-" + silent);
                                assertThat(fault.message()).contains("silent", "step 1, epoch 1");
                            });
            assertThat(sumAll(all.get(silent), 4096))
                    .as("the silent rank learns that it was given up")
                    .extracting(Fault::who)
                    .isEqualTo("worker-" + silent);
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @Tag("unit")
    @ValueSource(ints = {1, 5})
    void shouldSayWhoLeft(int leaver) throws Exception {
        try (Ranks ranks = ranks(6)) {
            List<Collective> all = ranks.form(ranks.apart(1), Transport.TCP, BUFFER_BYTES, NEAR);
            all.get(leaver).close();
            List<Fault> faults = ranks.play(without(all, leaver), each -> sumAll(each, 4096));
            assertThat(faults).extracting(Fault::who).containsOnly("worker-" + leaver);
            Ranks.close(all);
        }
    }

    @Test
    @Tag("unit")
    void shouldDiscardTheStepWhenRanksSumDifferentSlices() throws Exception {
        try (Ranks ranks = ranks(4)) {
            List<Collective> all = ranks.form(ranks.apart(1), Transport.TCP, BUFFER_BYTES, NEAR);
            List<Fault> faults =
                    ranks.play(all, each -> sumAll(each, each.rank() == 2 ? 1024 : 2048));
            assertThat(faults)
                    .allSatisfy(fault -> assertThat(fault.message()).contains("1024", "2048"));
            Ranks.close(all);
        }
    }

    @Test
    @Tag("unit")
    void shouldNotFormWhereMembersFollowUnlikeRoutes() throws Exception {
        try (Ranks ranks = ranks(2)) {
            Group group = ranks.apart(1);
            var formed =
                    List.of(
                            ranks.start(() -> formed(ranks, group, 0, NEAR)),
                            ranks.start(() -> formed(ranks, group, 1, MeasuredRoute.NONE)));
            for (var each : formed) {
                assertThat(each.get()).isInstanceOf(Formation.Failed.class);
            }
        }
    }

    private static Formation formed(Ranks ranks, Group group, int rank, MeasuredRoute route) {
        return ranks.endpoints
                .get(rank)
                .form(group, group.members().get(rank).worker(), Transport.TCP, 4096, route);
    }
}
