package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.route.Scheme;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Slice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums that go through a codec between sites: nearly right, equal everywhere, and short. */
@Tag("property")
class CodedSumTest {
    private static final int BUFFER_BYTES = 3 << 20;

    /** One way between two sites has eight strands at most, of sums of sites and of whole ones. */
    private static final int FRAMES_OF_A_WAY = 2 * 8 * Slice.WORDS * Long.BYTES;

    private static final Set<Compress> NO_CODECS =
            Set.of(Compress.NONE, Compress.POWERSGD, Compress.AUTO);
    private static final Set<Scheme> BOTH = Set.of(Scheme.LEADERS, Scheme.SHARES);

    /** int4 between a and b, nothing elsewhere. */
    private static final CodecSpec THIN_AB =
            CodecSpec.DEFAULT.at(
                    plain("abc").stream()
                            .filter(b -> b.from().equals("c") || b.to().equals("c"))
                            .toList());

    private static final Percentage BY_FRAMES = Percentage.withPercentage(1);

    /** Each codec with each shape and each scheme, and each shape with each scheme. */
    static Stream<Arguments> groups() {
        List<Compress> codecs =
                Stream.of(Compress.values()).filter(codec -> !NO_CODECS.contains(codec)).toList();
        List<String> shapes = List.of("ab", "aaabb", "abab", "aabcc");
        List<Arguments> groups = new ArrayList<>();
        for (int s = 0; s < shapes.size(); s++) {
            for (int c = 0; c < codecs.size(); c++) {
                Scheme scheme = (s + c) % 2 == 0 ? Scheme.LEADERS : Scheme.SHARES;
                groups.add(Arguments.of(shapes.get(s), scheme, codecs.get(c)));
            }
        }
        return groups.stream();
    }

    private static Ranks ranks(String shape, Set<Scheme> schemes, Compress codec) {
        return ranks(shape, schemes, codec, CodecSpec.DEFAULT);
    }

    private static Ranks ranks(String shape, Set<Scheme> schemes, Compress codec, CodecSpec spec) {
        return new Ranks(
                shape.length(), Ranks.options().choosingOf(schemes).compressing(codec, spec));
    }

    /** No codec at any border of these sites. */
    private static List<BorderCodec> plain(String sites) {
        List<BorderCodec> borders = new ArrayList<>();
        for (String from : sites.split("")) {
            for (String to : sites.split("")) {
                if (!from.equals(to)) {
                    borders.add(new BorderCodec(from, to, Compress.NONE));
                }
            }
        }
        return borders;
    }

    private static List<Collective> form(Ranks ranks, String shape) throws Exception {
        return ranks.form(ranks.at(1, shape.split("")), Transport.TCP, BUFFER_BYTES);
    }

    @ParameterizedTest
    @MethodSource("groups")
    void shouldBeNearAndEqualEverywhereAndRepeat(String shape, Scheme scheme, Compress codec)
            throws Exception {
        List<double[]> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            try (Ranks ranks = ranks(shape, Set.of(scheme), codec)) {
                List<Collective> all = form(ranks, shape);
                long step = 0;
                for (ElementType type : List.of(ElementType.FLOAT32, ElementType.FLOAT64)) {
                    for (int elements : new int[] {1, 513, 10_007, 50_001}) {
                        step++;
                        double[] sum = sumAlike(ranks, all, step, type, elements);
                        assertNear(sum, exact(shape, step, elements), codec, sites(shape));
                        runs.add(sum);
                    }
                }
                Ranks.close(all);
            }
        }
        int half = runs.size() / 2;
        for (int i = 0; i < half; i++) {
            assertThat(runs.get(half + i)).as("the same run again").isEqualTo(runs.get(i));
        }
    }

    @ParameterizedTest
    @MethodSource("groups")
    void shouldSendTheCodecsBytesBetweenSites(String shape, Scheme scheme, Compress codec)
            throws Exception {
        int elements = 600_000;
        try (Ranks ranks = ranks(shape, Set.of(scheme), codec)) {
            List<Collective> all = form(ranks, shape);
            all.forEach(Collective::times);
            sumAlike(ranks, all, 1, ElementType.FLOAT32, elements);
            List<ExchangeTimes> times = all.stream().map(Collective::times).toList();
            long sent = times.stream().mapToLong(ExchangeTimes::bytesToOtherSites).sum();
            long plain = times.stream().mapToLong(ExchangeTimes::plainBytesToOtherSites).sum();
            int sites = sites(shape);
            double crossings = scheme == Scheme.SHARES ? 2 * (sites - 1) : sites * (sites - 1);
            double frames = FRAMES_OF_A_WAY * sites * (sites - 1);
            double expected = crossings * elements * bitsPerElement(codec) / 8;
            assertThat((double) plain)
                    .isBetween(crossings * 4 * elements, crossings * 4 * elements + frames);
            // Each border of a rank's part cuts a block, which costs a scale.
            assertThat((double) sent).isBetween(expected, expected + frames + crossings * 8 * 4);
            Ranks.close(all);
        }
    }

    /**
     * Of three sites two have a thin link between them: it alone is coded, and what goes over it
     * too.
     */
    @ParameterizedTest
    @CsvSource({"abc,LEADERS", "abc,SHARES", "aabcc,SHARES", "abcab,LEADERS"})
    void bordersShouldHaveCodecsOfTheirOwn(String shape, Scheme scheme) throws Exception {
        int elements = 50_001;
        List<double[]> sums = new ArrayList<>();
        for (CodecSpec spec : List.of(THIN_AB, THIN_AB, THIN_AB.at(plain("abc")))) {
            try (Ranks ranks = ranks(shape, Set.of(scheme), Compress.INT4, spec)) {
                List<Collective> all = form(ranks, shape);
                sums.add(sumAlike(ranks, all, 1, ElementType.FLOAT32, elements));
                Ranks.close(all);
            }
        }
        double[] mixed = sums.get(0);
        assertThat(sums.get(1)).as("the same run again").isEqualTo(mixed);
        assertNear(mixed, exact(shape, 1, elements), Compress.INT4, 3);
        double[] plain = sums.get(2);
        double same =
                IntStream.range(0, elements).filter(i -> mixed[i] == plain[i]).count()
                        / (double) elements;
        // What c adds crosses no thin link: a third of all where sites take turns to add.
        assertThat(same).isBetween(scheme == Scheme.SHARES ? 0.3 : 0.0, 0.4);
    }

    @Test
    void eachLinkShouldCarryTheBytesOfItsCodec() throws Exception {
        int elements = 600_000;
        try (Ranks ranks = ranks("aabcc", Set.of(Scheme.SHARES), Compress.INT4, THIN_AB)) {
            List<Collective> all = form(ranks, "aabcc");
            all.forEach(Collective::times);
            sumAlike(ranks, all, 1, ElementType.FLOAT32, elements);
            long[] sent =
                    all.stream().mapToLong(each -> each.times().bytesToOtherSites()).toArray();
            double coded = bitsPerElement(Compress.INT4) / 8 * elements / 3;
            double plain = 4.0 * elements / 3;
            // To b coded and to c plain what they add; the whole sum of a third to both, coded.
            assertThat((double) sent[0] + sent[1]).isCloseTo(3 * coded + plain, BY_FRAMES);
            assertThat((double) sent[2]).isCloseTo(3 * coded + plain, BY_FRAMES);
            assertThat((double) sent[3] + sent[4]).isCloseTo(4 * plain, BY_FRAMES);
            assertThat(all.get(0).description())
                    .contains("as a to b int4, a to c none, b to a int4, b to c none, c to a none");
            Ranks.close(all);
        }
    }

    private static double bitsPerElement(Compress codec) {
        double scale = 32.0 / 512;
        return switch (codec) {
            case NONE, POWERSGD, AUTO -> 32;
            case BF16 -> 16;
            case FP16 -> 16 + scale;
            case INT8 -> 8 + scale;
            case INT4 -> 4 + scale;
            case ONEBIT -> 1 + scale;
            case TOPK -> 6 * 32.0 / 512;
        };
    }

    /** What a step leaves out comes with the next: the mean over steps goes to the exact sum. */
    @ParameterizedTest
    @CsvSource({"aab,INT8,1", "aab,INT4,2", "abc,INT4,3", "aabcc,INT8,4", "abab,INT4,5"})
    void theMeanOfManyStepsShouldBeExact(String shape, Compress codec, long seed) throws Exception {
        int elements = 5000;
        int steps = 100;
        double[] exact = exact(shape, seed, elements);
        double[] sums = new double[elements];
        try (Ranks ranks = ranks(shape, BOTH, codec)) {
            List<Collective> all = form(ranks, shape);
            for (int step = 1; step <= steps; step++) {
                double[] sum = sumAlike(ranks, all, step, seed, ElementType.FLOAT32, elements);
                all.forEach(Collective::applied);
                for (int i = 0; i < elements; i++) {
                    sums[i] += sum[i] / steps;
                }
            }
            Ranks.close(all);
        }
        double once = bound(codec, exact, sites(shape));
        double worst = 0;
        for (int i = 0; i < elements; i++) {
            worst = Math.max(worst, Math.abs(sums[i] - exact[i]));
        }
        assertThat(worst).isLessThan(2 * once / steps + 1e-5);
    }

    @ParameterizedTest
    @CsvSource({"aab,INT8", "aaabb,INT4", "abc,INT4"})
    void aDiscardedStepShouldLeaveNoTrace(String shape, Compress codec) throws Exception {
        int elements = 5000;
        ElementType type = ElementType.FLOAT32;
        try (Ranks ranks = ranks(shape, BOTH, codec)) {
            List<Collective> all = form(ranks, shape);
            double[] fresh = sumAlike(ranks, all, 1, 7, type, elements);
            assertThat(sumAlike(ranks, all, 2, 7, type, elements))
                    .as("nobody said that step 1 was applied")
                    .isEqualTo(fresh);
            all.forEach(Collective::applied);
            double[] second = sumAlike(ranks, all, 3, 7, type, elements);
            assertThat(second).as("with what was left out").isNotEqualTo(fresh);
            sumAlike(ranks, all, 4, 8, type, elements);
            assertThat(sumAlike(ranks, all, 5, 7, type, elements))
                    .as("steps 3 and 4 were discarded")
                    .isEqualTo(second);
            Ranks.close(all);
        }
    }

    /**
     * What is left out of a step of one unit comes with the next in its own: the means are those of
     * steps which are all alike. A step of which nothing is applied changes nothing of that.
     */
    @ParameterizedTest
    @CsvSource({"aab,INT4,1", "abc,INT8,2", "aabcc,TOPK,3", "abab,ONEBIT,4", "abc,INT4,5"})
    void meansShouldNotDependOnTheUnitsOfSteps(String shape, Compress codec, long seed)
            throws Exception {
        int elements = 5000;
        int[] units = {256, 1, 0, 64, 1, 1024, 0, 2};
        ElementType type = ElementType.FLOAT32;
        List<List<double[]>> means = new ArrayList<>();
        for (boolean isAlike : new boolean[] {true, false}) {
            List<double[]> own = new ArrayList<>();
            try (Ranks ranks = ranks(shape, BOTH, codec)) {
                List<Collective> all = form(ranks, shape);
                for (int step = 1; step <= 24; step++) {
                    int unit = units[step % units.length];
                    if (isAlike && unit > 0) {
                        own.add(sumAlike(ranks, all, step, seed, type, elements));
                    } else if (!isAlike) {
                        double[] sum = sumAlike(ranks, all, step, seed, type, elements, unit);
                        if (unit > 0) {
                            Arrays.setAll(sum, i -> sum[i] / unit);
                            own.add(sum);
                        }
                    }
                    if (!isAlike || unit > 0) {
                        all.forEach(Collective::applied);
                    }
                }
                Ranks.close(all);
            }
            means.add(own);
        }
        for (int i = 0; i < means.get(0).size(); i++) {
            assertThat(means.get(1).get(i)).as("step %d", i).isEqualTo(means.get(0).get(i));
        }
    }

    @ParameterizedTest
    @MethodSource("groups")
    void whatIsNotFiniteShouldStaySoOnAllRanks(String shape, Scheme scheme, Compress codec)
            throws Exception {
        int place = 777;
        try (Ranks ranks = ranks(shape, Set.of(scheme), codec)) {
            List<Collective> all = form(ranks, shape);
            List<Float> sums =
                    ranks.play(
                            all,
                            each -> {
                                ByteBuffer buffer = each.buffer().buffer();
                                if (each.rank() == 1) {
                                    buffer.putFloat(4 * place, Float.NEGATIVE_INFINITY);
                                }
                                each.begin(new StepTag(1, 1, 1));
                                each.sum(0, 40_000, ElementType.FLOAT32, Fidelity.CODED);
                                assertThat(each.finish()).isNull();
                                return buffer.getFloat(4 * place);
                            });
            assertThat(sums).noneMatch(Float::isFinite);
            Ranks.close(all);
        }
    }

    /** Counts and statistics stay as they are, also beside slices that are coded. */
    @Test
    void exactSumsShouldNotBeCoded() throws Exception {
        String shape = "aabb";
        try (Ranks ranks = ranks(shape, BOTH, Compress.INT4)) {
            List<Collective> all = form(ranks, shape);
            List<List<Integer>> sites = List.of(List.of(0, 1), List.of(2, 3));
            Span expected = Values.sum(80_000, ElementType.FLOAT32, 3, sites);
            ranks.play(
                    all,
                    each -> {
                        Span exact = each.buffer().slice(1 << 20, 80_000);
                        Values.fill(exact, ElementType.FLOAT32, 3, each.rank());
                        each.begin(new StepTag(1, 1, 1));
                        each.sum(BUFFER_BYTES - 64, 64, ElementType.FLOAT64);
                        each.sum(0, 1 << 20, ElementType.FLOAT32, Fidelity.CODED);
                        each.sum(1 << 20, 80_000, ElementType.FLOAT32);
                        assertThat(each.finish()).isNull();
                        assertThat(exact.buffer()).isEqualTo(expected.buffer());
                        return null;
                    });
            assertThat(all.get(0).description()).contains("coded between sites as int4");
            Ranks.close(all);
        }
    }

    @Test
    void membersShouldAgreeOnTheCodec() throws Exception {
        ExchangeOptions options = Ranks.options();
        try (Ranks ranks = new Ranks(1, options.compressing(Compress.INT8));
                Ranks others = new Ranks(1, options.compressing(Compress.BF16))) {
            ranks.endpoints.add(others.endpoints.get(0));
            List<Formation> formations =
                    ranks.tryForm(ranks.at(1, "a", "b"), Transport.TCP, BUFFER_BYTES);
            assertThat(formations)
                    .allSatisfy(
                            each ->
                                    assertThat(((Formation.Failed) each).fault().message())
                                            .contains("INT8", "BF16"));
        }
    }

    // ---- Values

    private static int sites(String shape) {
        return (int) shape.chars().distinct().count();
    }

    private double[] sumAlike(
            Ranks ranks, List<Collective> all, long step, ElementType type, int elements)
            throws Exception {
        return sumAlike(ranks, all, step, step, type, elements);
    }

    private static double[] sumAlike(
            Ranks ranks, List<Collective> all, long step, long seed, ElementType type, int elements)
            throws Exception {
        return sumAlike(ranks, all, step, seed, type, elements, 1);
    }

    /** The sum that all ranks have alike, of values so many times over. */
    private static double[] sumAlike(
            Ranks ranks,
            List<Collective> all,
            long step,
            long seed,
            ElementType type,
            int elements,
            int unit)
            throws Exception {
        long bytes = (long) elements * type.bytes();
        List<Span> sums =
                ranks.play(
                        all,
                        each -> {
                            Span slice = each.buffer().slice(64, bytes);
                            double[] values = values(each.rank(), seed, elements);
                            Arrays.setAll(values, i -> unit * values[i]);
                            put(values, slice.buffer(), type);
                            each.begin(new StepTag(1, step, 1));
                            each.inUnits(unit);
                            each.sum(64, bytes, type, Fidelity.CODED);
                            assertThat(each.finish()).isNull();
                            return slice;
                        });
        assertThat(sums).allMatch(sum -> sum.buffer().equals(sums.get(0).buffer()));
        return get(sums.get(0).buffer(), type);
    }

    private static double[] values(int rank, long seed, int elements) {
        RandomGenerator random = Seeds.generator(seed, rank);
        double[] values = new double[elements];
        for (int i = 0; i < elements; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private static double[] exact(String shape, long seed, int elements) {
        double[] sum = new double[elements];
        for (int rank = 0; rank < shape.length(); rank++) {
            double[] values = values(rank, seed, elements);
            for (int i = 0; i < elements; i++) {
                sum[i] += values[i];
            }
        }
        return sum;
    }

    /** Sums of gaussians stay below so much; each site and the whole sum are coded once at most. */
    private static double bound(Compress codec, double[] exact, int sites) {
        double largest = 12;
        double once =
                switch (codec) {
                    case NONE, POWERSGD, AUTO -> 0;
                    case BF16 -> largest / 256;
                    case FP16 -> largest / 2048;
                    case INT8 -> largest / 254;
                    case INT4 -> largest / 14;
                    case TOPK, ONEBIT -> largest;
                };
        for (double value : exact) {
            assertThat(Math.abs(value)).isLessThan(largest);
        }
        return (sites + 1) * once;
    }

    private static void assertNear(double[] sum, double[] exact, Compress codec, int sites) {
        double bound = bound(codec, exact, sites) + 1e-5;
        double[] off = new double[exact.length];
        for (int i = 0; i < exact.length; i++) {
            off[i] = sum[i] - exact[i];
            assertThat(Math.abs(off[i])).as("element %d", i).isLessThan(bound);
        }
        assertThat(norm(off)).as("norm").isLessThan(farthest(codec) * norm(exact));
    }

    /** The part of the norm that may be missing or wrong: nothing but zeros would be off by 1. */
    private static double farthest(Compress codec) {
        return switch (codec) {
            case TOPK -> 0.98;
            case ONEBIT -> 0.9;
            default -> 0.3;
        };
    }

    private static double norm(double[] values) {
        return Math.sqrt(Arrays.stream(values).map(x -> x * x).sum());
    }

    private static void put(double[] values, ByteBuffer into, ElementType type) {
        for (int i = 0; i < values.length; i++) {
            if (type == ElementType.FLOAT32) {
                into.putFloat(4 * i, (float) values[i]);
            } else {
                into.putDouble(8 * i, values[i]);
            }
        }
    }

    private static double[] get(ByteBuffer from, ElementType type) {
        double[] values = new double[from.capacity() / type.bytes()];
        for (int i = 0; i < values.length; i++) {
            values[i] = type == ElementType.FLOAT32 ? from.getFloat(4 * i) : from.getDouble(8 * i);
        }
        return values;
    }
}
