package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums over the members of a site, among those of all, on every transport. */
class SiteSumTest {
    private static final int SMALL_DIRECT = 1024;
    private static final int SMALL_SEGMENT = 4096;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final long FORM_NS = 10_000_000_000L;
    private static final long STEP_NS = 800_000_000L;
    private static final int[] ELEMENTS = {0, 1, 17, 255, 257, 1001, 60_007};

    /** Where the members of a site are. */
    private enum Way {
        SHARED_MEMORY,
        ONE_HOST,
        BETWEEN_MACHINES
    }

    static Stream<Arguments> shapesAndWays() {
        return Stream.of("aaa", "ab", "aab", "abab", "aaabb", "abcab")
                .flatMap(shape -> Stream.of(Way.values()).map(way -> Arguments.of(shape, way)));
    }

    private static List<Collective> form(Ranks ranks, String shape, Way way) throws Exception {
        Group group = ranks.at(1, shape.split(""));
        List<Member> members = new ArrayList<>();
        for (Member m : group.members()) {
            String host = way == Way.BETWEEN_MACHINES ? "host-" + m.worker() : m.hostKey();
            members.add(
                    new Member(
                            m.worker(), host, m.site(), m.address(), m.dataPort(), m.kernelKey()));
        }
        Transport transport = way == Way.SHARED_MEMORY ? Transport.SHARED_MEMORY : Transport.TCP;
        List<Collective> all = ranks.form(new Group(1, members), transport, BUFFER_BYTES);
        assertThat(all.get(0).description())
                .startsWith(way == Way.SHARED_MEMORY ? "shared memory" : "TCP");
        return all;
    }

    /** Sites take unlike numbers of sums of their own before each sum of all. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("shapesAndWays")
    void shouldSumOverTheMatesAndThenOverAll(String shape, Way way) throws Exception {
        var options = Ranks.options().cutting(SMALL_DIRECT, SMALL_SEGMENT);
        try (Ranks ranks = new Ranks(shape.length(), options)) {
            List<Collective> all = form(ranks, shape, way);
            ranks.play(
                    all,
                    each -> {
                        for (int round = 1; round <= 3; round++) {
                            each.begin(new StepTag(1, round, 1));
                            int site = shape.charAt(each.rank()) - 'a';
                            for (int i = 0; i < 1 + (site + round) % 3; i++) {
                                sumAtSite(each, 10L * round + i, site);
                            }
                            sumOverAll(each);
                        }
                        return null;
                    });
            Ranks.close(all);
        }
    }

    /** Slices of all lengths follow each other without a pause, as buckets do. */
    private static void sumAtSite(Collective each, long seed, int site) {
        int place = each.mates().indexOf(each.rank());
        long at = 64;
        for (int elements : ELEMENTS) {
            long bytes = 4L * elements;
            Values.fill(each.buffer().slice(at, bytes), ElementType.FLOAT32, seed + site, place);
            each.sumAtSite(at, bytes, ElementType.FLOAT32);
            at += (bytes + 63) / 64 * 64;
        }
        assertThat(each.finish()).isNull();
        at = 64;
        for (int elements : ELEMENTS) {
            long bytes = 4L * elements;
            Span expected =
                    Values.sum(bytes, ElementType.FLOAT32, seed + site, each.mates().size());
            assertThat(each.buffer().slice(at, bytes).buffer().mismatch(expected.buffer()))
                    .as("rank %d, %d elements", each.rank(), elements)
                    .isEqualTo(-1);
            at += (bytes + 63) / 64 * 64;
        }
    }

    private static void sumOverAll(Collective each) {
        int elements = 50_000;
        ByteBuffer values = each.buffer().slice(0, 4L * elements).buffer();
        for (int i = 0; i < elements; i++) {
            values.putFloat(4 * i, i + each.rank());
        }
        each.sum(0, 4L * elements, ElementType.FLOAT32);
        each.sum(4L * elements, 400, ElementType.FLOAT32);
        assertThat(each.finish()).isNull();
        int ranks = each.size() * (each.size() - 1) / 2;
        for (int i = 0; i < elements; i++) {
            assertThat(values.getFloat(4 * i)).isEqualTo((float) i * each.size() + ranks);
        }
    }

    @Test
    @Tag("unit")
    void shouldSendNothingToOtherSites() throws Exception {
        try (Ranks ranks = new Ranks(4, Ranks.options())) {
            List<Collective> all = form(ranks, "aabb", Way.BETWEEN_MACHINES);
            all.forEach(Collective::times);
            List<ExchangeTimes> times =
                    ranks.play(
                            all,
                            each -> {
                                each.begin(new StepTag(1, 1, 1));
                                each.sumAtSite(0, BUFFER_BYTES, ElementType.FLOAT32);
                                assertThat(each.finish()).isNull();
                                return each.times();
                            });
            for (ExchangeTimes time : times) {
                assertThat(time.bytesToOtherSites()).isZero();
                assertThat(time.bytesSent()).isGreaterThanOrEqualTo(BUFFER_BYTES);
                assertThat(time.atSiteNs()).isPositive();
            }
            Ranks.close(all);
        }
    }

    /** One mate waits for another at the site, the other site for both: all know for whom. */
    @ParameterizedTest
    @Tag("unit")
    @CsvSource({"SHARED_MEMORY", "ONE_HOST", "BETWEEN_MACHINES"})
    void shouldNameTheMateWhoLeftOnAllOthers(Way way) throws Exception {
        var options = Ranks.options().waitingAtMost(FORM_NS, STEP_NS);
        try (Ranks ranks = new Ranks(4, options)) {
            List<Collective> all = form(ranks, "aabb", way);
            all.get(1).close();
            List<Collective> others = List.of(all.get(0), all.get(2), all.get(3));
            List<Fault> faults =
                    ranks.play(
                            others,
                            each -> {
                                each.begin(new StepTag(1, 1, 1));
                                each.sumAtSite(0, 4096, ElementType.FLOAT32);
                                Fault atSite = each.finish();
                                each.sum(0, 4096, ElementType.FLOAT32);
                                Fault fault = each.finish();
                                return atSite == null ? fault : atSite;
                            });
            assertThat(faults).extracting(Fault::who).containsOnly("worker-1");
            Ranks.close(all);
        }
    }

    @Test
    @Tag("unit")
    void shouldDiscardTheStepWhenMatesSumDifferentSlices() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = form(ranks, "aab", Way.ONE_HOST);
            List<Fault> faults =
                    ranks.play(
                            all.subList(0, 2),
                            each -> {
                                each.begin(new StepTag(1, 1, 1));
                                if (each.rank() == 0) {
                                    each.sumAtSite(0, 4096, ElementType.FLOAT32);
                                } else {
                                    each.sum(0, 4096, ElementType.FLOAT32);
                                }
                                return each.finish();
                            });
            assertThat(faults).allSatisfy(fault -> assertThat(fault.message()).contains("scope"));
            Ranks.close(all);
        }
    }
}
