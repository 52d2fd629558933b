package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.exchange.route.RingOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums over several sites: right, equal on all ranks, and with the fewest bytes between them. */
@Tag("property")
class SitesTest {
    private static final int BUFFER_BYTES = 3 << 20;

    /** One letter a rank: the site at which it stands. */
    static Stream<Arguments> shapesAndSchemes() {
        return Stream.of("ab", "aab", "abab", "aaabb", "abc", "aabbcc", "aaaab", "abcda")
                .flatMap(
                        shape ->
                                Stream.of(Scheme.LEADERS, Scheme.SHARES)
                                        .map(scheme -> Arguments.of(shape, scheme)));
    }

    static Stream<Arguments> seeds() {
        return Stream.iterate(1L, seed -> seed <= 10, seed -> seed + 1).map(Arguments::of);
    }

    private static Ranks ranks(String shape, Set<Scheme> schemes) {
        return new Ranks(shape.length(), Ranks.options().choosingOf(schemes));
    }

    private static List<Collective> form(Ranks ranks, String shape) throws Exception {
        Group group = ranks.at(1, shape.split(""));
        return ranks.form(group, Transport.TCP, BUFFER_BYTES);
    }

    private static SiteMap sitesOf(Ranks ranks, String shape) {
        return SiteMap.of(ranks.at(1, shape.split("")));
    }

    @ParameterizedTest
    @MethodSource("shapesAndSchemes")
    void shouldSumSiteBySite(String shape, Scheme scheme) throws Exception {
        int[] elements = {0, 1, 2, 17, 63, 127, 257, 1001, 10_007, 300_007};
        try (Ranks ranks = ranks(shape, Set.of(scheme))) {
            List<Collective> all = form(ranks, shape);
            List<List<Integer>> sites = sitesOf(ranks, shape).ranks();
            long step = 0;
            for (ElementType type : List.of(ElementType.FLOAT32, ElementType.FLOAT64)) {
                for (int length : elements) {
                    StepTag tag = new StepTag(1, ++step, 1);
                    long bytes = (long) length * type.bytes();
                    check(ranks, all, tag, type, Values.sum(bytes, type, tag.step(), sites));
                }
            }
            Ranks.close(all);
        }
    }

    /** The parts of a ring begin at its places, not at ranks. */
    @Test
    void shouldRingSiteAfterSite() throws Exception {
        String shape = "abab";
        try (Ranks ranks = ranks(shape, Set.of(Scheme.RING))) {
            List<Collective> all = form(ranks, shape);
            assertThat(RingOrder.bySite(sitesOf(ranks, shape)).ranks()).containsExactly(0, 2, 1, 3);
            List<Span> results = new ArrayList<>();
            ranks.play(
                    all,
                    each -> {
                        Values.fill(each.buffer(), ElementType.FLOAT32, 1, each.rank());
                        each.begin(new StepTag(1, 1, 1));
                        each.sum(0, BUFFER_BYTES, ElementType.FLOAT32);
                        return assertSound(each);
                    });
            all.forEach(each -> results.add(each.buffer()));
            assertThat(results).allMatch(each -> each.buffer().equals(results.get(0).buffer()));
            assertThat(sent(all, "abab", 'a')).isEqualTo(sent(all, "abab", 'b'));
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldGiveTheSameBitsWhateverTheSchemeAndWhenever(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        StringBuilder shape = new StringBuilder("ab");
        int more = random.nextInt(4);
        for (int i = 0; i < more; i++) {
            shape.append((char) ('a' + random.nextInt(3)));
        }
        List<long[]> slices = slices(random, BUFFER_BYTES / 4);
        List<Span> results = new ArrayList<>();
        for (Set<Scheme> schemes :
                List.of(
                        Set.of(Scheme.LEADERS, Scheme.SHARES),
                        Set.of(Scheme.SHARES),
                        Set.of(Scheme.LEADERS))) {
            try (Ranks ranks = ranks(shape.toString(), schemes)) {
                List<Collective> all = form(ranks, shape.toString());
                for (long step = 1; step <= 2; step++) {
                    StepTag tag = new StepTag(1, step, 1);
                    ranks.play(all, each -> sumSlices(each, tag, seed, slices));
                    all.forEach(each -> results.add(copy(each.buffer())));
                }
                Ranks.close(all);
            }
        }
        ByteBuffer expected = results.get(0).buffer();
        assertThat(results).as(shape.toString()).allMatch(each -> each.buffer().equals(expected));
    }

    /** A table in which everybody writes one slot must come out exactly as it was written. */
    @ParameterizedTest
    @MethodSource("shapesAndSchemes")
    void shouldKeepATailExact(String shape, Scheme scheme) throws Exception {
        int slot = 40;
        try (Ranks ranks = ranks(shape, Set.of(scheme))) {
            List<Collective> all = form(ranks, shape);
            ranks.play(
                    all,
                    each -> {
                        ByteBuffer buffer = each.buffer().buffer();
                        int start = each.rank() * slot;
                        Values.fill(
                                each.buffer().slice(start, slot),
                                ElementType.FLOAT64,
                                1,
                                each.rank());
                        each.begin(new StepTag(1, 1, 1));
                        each.sum(0, (long) slot * each.size(), ElementType.FLOAT64);
                        assertThat(each.finish()).isNull();
                        for (int rank = 0; rank < each.size(); rank++) {
                            Span written = Span.allocate(slot);
                            Values.fill(written, ElementType.FLOAT64, 1, rank);
                            assertThat(buffer.slice(rank * slot, slot).order(buffer.order()))
                                    .isEqualTo(written.buffer());
                        }
                        return null;
                    });
            Ranks.close(all);
        }
    }

    /** 2(C-1)/C of the slice leave each site, and for each stream a frame. */
    @ParameterizedTest
    @MethodSource("shapesAndSchemes")
    void shouldSendTheFewestBytesBetweenSites(String shape, Scheme scheme) throws Exception {
        int bytes = 3 << 20;
        try (Ranks ranks = ranks(shape, Set.of(scheme))) {
            List<Collective> all = form(ranks, shape);
            int sites = sitesOf(ranks, shape).sites();
            all.forEach(Collective::times);
            ranks.play(
                    all,
                    each -> {
                        each.begin(new StepTag(1, 1, 1));
                        each.sum(0, bytes, ElementType.FLOAT32);
                        return assertSound(each);
                    });
            double share = scheme == Scheme.SHARES ? 2.0 / sites : 1;
            double least = (sites - 1) * share * bytes;
            for (char site = 'a'; site < 'a' + sites; site++) {
                assertThat((double) sent(all, shape, site))
                        .as("from site %s of %s", site, shape)
                        .isBetween(least - 3 * (16 << 10), least + 3 * (16 << 10));
            }
            Ranks.close(all);
        }
    }

    @Test
    void shouldSayWhatIsUsed() throws Exception {
        try (Ranks ranks = new Ranks(4, Ranks.options())) {
            List<Collective> all = form(ranks, "aabb");
            assertThat(all)
                    .extracting(Collective::description)
                    .allSatisfy(
                            text ->
                                    assertThat(text)
                                            .startsWith("TCP between 4 processes in 2 sites: ")
                                            .contains("hierarchical", "measured"));
            assertThat(all)
                    .extracting(Collective::description)
                    .containsOnly(all.get(0).description());
            Ranks.close(all);
        }
    }

    /** Bytes that the ranks of one site have sent to others since the last call of times(). */
    private static long sent(List<Collective> all, String shape, char site) {
        return all.stream()
                .filter(each -> shape.charAt(each.rank()) == site)
                .mapToLong(each -> each.times().bytesToOtherSites())
                .sum();
    }

    private static Void sumSlices(Collective each, StepTag tag, long seed, List<long[]> slices) {
        Values.fill(each.buffer(), ElementType.FLOAT32, seed, each.rank());
        each.begin(tag);
        for (long[] slice : slices) {
            each.sum(slice[0], slice[1], ElementType.FLOAT32);
        }
        return assertSound(each);
    }

    private static Void assertSound(Collective each) {
        assertThat(each.finish()).isNull();
        return null;
    }

    private static List<long[]> slices(RandomGenerator random, int elements) {
        List<long[]> slices = new ArrayList<>();
        int end = elements;
        while (end > 0) {
            int length = Math.min(end, random.nextInt(random.nextBoolean() ? 3000 : 300_000) + 1);
            slices.add(new long[] {4L * (end - length), 4L * length});
            end -= length;
        }
        slices.add(new long[] {4, 4096}); // Shares bytes with slices before it.
        return slices;
    }

    private static Span copy(Span span) {
        Span copy = Span.allocate(span.bytes());
        copy.copyFrom(span);
        return copy;
    }

    private static void check(
            Ranks ranks, List<Collective> all, StepTag tag, ElementType type, Span expected)
            throws Exception {
        long bytes = expected.bytes();
        ranks.play(
                all,
                each -> {
                    Span slice = each.buffer().slice(64, bytes);
                    Values.fill(slice, type, tag.step(), each.rank());
                    each.begin(tag);
                    each.sum(64, bytes, type);
                    assertThat(each.finish()).isNull();
                    assertThat(slice.buffer().mismatch(expected.buffer()))
                            .as("rank %d, %d bytes of %s", each.rank(), bytes, type)
                            .isEqualTo(-1);
                    return null;
                });
    }
}
