package dev.medley.exchange.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each codec by itself: how far off it is, how long its bytes are, what it does with the odd. */
@Tag("property")
class CodecTest {
    private static final int MOST_ELEMENTS = 3000;

    private final ByteBuffer encoded = memory(MOST_ELEMENTS * 3);

    static Stream<Arguments> codecsAndSeeds() {
        return Stream.of(Compress.values())
                .filter(kind -> Codec.of(kind, CodecSpec.DEFAULT).isPresent())
                .flatMap(
                        kind ->
                                IntStream.rangeClosed(1, 30)
                                        .mapToObj(seed -> Arguments.of(kind, (long) seed)));
    }

    static Stream<Arguments> levelsAndSeeds() {
        return codecsAndSeeds()
                .filter(each -> each.get()[0] != Compress.TOPK)
                .filter(each -> each.get()[0] != Compress.ONEBIT);
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static Codec codec(Compress kind) {
        return Codec.of(kind, CodecSpec.DEFAULT).orElseThrow();
    }

    /** Largest error of an element among others whose largest magnitude is {@code largest}. */
    static double bound(Compress kind, double value, double largest) {
        double exact =
                switch (kind) {
                    case NONE, POWERSGD, AUTO -> 0;
                    case BF16 -> Math.abs(value) * 0x1p-8;
                    case FP16 -> Math.max(Math.abs(value) * 0x1p-11, largest * 0x1p-39);
                    case INT8 -> largest / 254;
                    case INT4 -> largest / 14;
                    case TOPK, ONEBIT -> largest;
                };
        return exact * (1 + 1e-5);
    }

    @ParameterizedTest
    @MethodSource("codecsAndSeeds")
    void shouldStayWithinItsBound(Compress kind, long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Codec codec = codec(kind);
        for (ElementType type : new ElementType[] {ElementType.FLOAT32, ElementType.FLOAT64}) {
            double[] values = draw(random, 1 + random.nextInt(MOST_ELEMENTS));
            double[] back = there(codec, values, type);
            for (int from = 0; from < values.length; from += Codec.BLOCK_ELEMENTS) {
                int to = Math.min(values.length, from + Codec.BLOCK_ELEMENTS);
                double largest =
                        IntStream.range(from, to)
                                .mapToDouble(i -> Math.abs(values[i]))
                                .max()
                                .orElse(0);
                for (int i = from; i < to; i++) {
                    assertThat(Math.abs(back[i] - values[i]))
                            .as("element %d, %s of %s", i, values[i], largest)
                            .isLessThanOrEqualTo(bound(kind, values[i], largest));
                }
                assertThat(squares(from, to, i -> back[i] - values[i]))
                        .as("zeros would be off by as much as that")
                        .isLessThan(squares(from, to, i -> values[i]));
            }
            assertThat(there(codec(kind), values, type)).as("again").isEqualTo(back);
        }
    }

    private static double squares(int from, int to, IntToDoubleFunction of) {
        return IntStream.range(from, to).mapToDouble(of).map(x -> x * x).sum();
    }

    @ParameterizedTest
    @CsvSource({
        "BF16,512,1024",
        "BF16,513,1026",
        "BF16,1,2",
        "FP16,512,1028",
        "FP16,513,1034",
        "FP16,1,6",
        "INT8,512,516",
        "INT8,1025,1037",
        "INT8,1,5",
        "INT4,512,260",
        "INT4,513,265",
        "INT4,1,5",
        "INT4,2,5",
        "INT4,0,0",
        "ONEBIT,512,68",
        "ONEBIT,513,73",
        "ONEBIT,9,6",
        "ONEBIT,0,0",
        "TOPK,512,24",
        "TOPK,513,28",
        "TOPK,1,4",
        "TOPK,0,0"
    })
    void lengthShouldFollowFromTheCount(Compress kind, int elements, int bytes) {
        Codec codec = codec(kind);
        assertThat(codec.encodedBytes(elements)).isEqualTo(bytes);
        ByteBuffer exactlyAsLong = memory(bytes);
        codec.encode(memory(elements * Float.BYTES), ElementType.FLOAT32, exactlyAsLong);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theLargestOfEachBlockShouldComeBackAndNothingElse(long seed) {
        double density = 0.05;
        Codec codec = Codec.of(Compress.TOPK, new CodecSpec(density, 0)).orElseThrow();
        RandomGenerator random = Seeds.generator(seed);
        // Few values, so that many are equal.
        double[] values = random.doubles(1300).map(x -> Math.rint(20 * x) - 10).toArray();
        double[] back = there(codec, values, ElementType.FLOAT32);
        for (int from = 0; from < values.length; from += Codec.BLOCK_ELEMENTS) {
            int to = Math.min(values.length, from + Codec.BLOCK_ELEMENTS);
            int kept = (int) Math.ceil((to - from) * density);
            double least =
                    IntStream.range(from, to)
                            .mapToDouble(i -> Math.abs(values[i]))
                            .sorted()
                            .skip(to - from - kept)
                            .findFirst()
                            .orElseThrow();
            int sent = 0;
            for (int i = from; i < to; i++) {
                assertThat(back[i]).isIn(0.0, values[i]);
                assertThat(Math.abs(back[i])).isGreaterThanOrEqualTo(back[i] == 0 ? 0 : least);
                sent += back[i] == 0 ? 0 : 1;
            }
            assertThat(sent).isEqualTo(kept);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void signsShouldComeBackWithTheMeanMagnitudeOfTheirBlock(long seed) {
        double[] values = Seeds.generator(seed).doubles(1000, -1, 1).map(x -> (float) x).toArray();
        double[] back = there(codec(Compress.ONEBIT), values, ElementType.FLOAT32);
        for (int from = 0; from < values.length; from += Codec.BLOCK_ELEMENTS) {
            int to = Math.min(values.length, from + Codec.BLOCK_ELEMENTS);
            double mean =
                    IntStream.range(from, to)
                            .mapToDouble(i -> Math.abs(values[i]))
                            .average()
                            .orElseThrow();
            for (int i = from; i < to; i++) {
                assertThat(back[i]).isCloseTo(Math.signum(values[i]) * mean, within(1e-6));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "POWERSGD", "AUTO"})
    void whatIsNotFiniteShouldStaySo(Compress kind) {
        double[] odd = {
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Float.intBitsToFloat(0x7fffffff),
            Float.intBitsToFloat(0xffffffff),
            Float.intBitsToFloat(0x7f800001)
        };
        for (double value : odd) {
            for (int place : new int[] {0, 511, 512, 1022, 1023}) {
                double[] values = draw(Seeds.generator(place), 1024);
                values[place] = value;
                double[] back = there(codec(kind), values, ElementType.FLOAT32);
                assertThat(back[place]).matches(number -> !Double.isFinite(number));
                int other = (place + 512) % 1024;
                assertThat(back[other]).as("in the other block").matches(Double::isFinite);
            }
        }
        assertThat(there(codec(kind), new double[] {1e300}, ElementType.FLOAT64)[0])
                .as("beyond a float")
                .matches(number -> !Double.isFinite(number));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "POWERSGD", "AUTO"})
    void zerosAndTheVerySmallShouldComeBack(Compress kind) {
        assertThat(there(codec(kind), new double[700], ElementType.FLOAT32)).containsOnly(0);
        double[] small = {Float.MIN_VALUE, -1e-40, 1e-38};
        for (double back : there(codec(kind), small, ElementType.FLOAT32)) {
            assertThat(back).isBetween(-1.1e-38, 1.1e-38);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BF16", "FP16", "INT8", "INT4"})
    void theVeryLargeShouldComeBack(Compress kind) {
        double[] large = {3e38, -3e38, 1};
        double[] back = there(codec(kind), large, ElementType.FLOAT32);
        assertThat(back[0]).isBetween(2.98e38, 3.02e38);
        assertThat(back[1]).isEqualTo(-back[0]);
    }

    /** Nothing is lost: what came out and what is still left out make what went in. */
    @ParameterizedTest
    @MethodSource("codecsAndSeeds")
    void whatCameOutAndWhatIsLeftShouldBeAll(Compress kind, long seed) {
        double[] values = draw(Seeds.generator(seed), 700);
        double largest =
                IntStream.range(0, 700).mapToDouble(i -> Math.abs(values[i])).max().orElse(0);
        ByteBuffer out = memory(values.length * Float.BYTES);
        Codec codec = codec(kind);
        CodecResidual residual = new CodecResidual(values.length);
        float[] left = new float[values.length];
        double[] sums = new double[values.length];
        int steps = 20;
        for (int step = 0; step < steps; step++) {
            codec.encode(
                    elements(values, ElementType.FLOAT32), ElementType.FLOAT32, encoded, residual);
            residual.commit();
            codec.decode(encoded, ElementType.FLOAT32, out);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += out.getFloat(i * Float.BYTES);
            }
        }
        residual.get(0, left, left.length);
        for (int i = 0; i < sums.length; i++) {
            assertThat(sums[i] + left[i])
                    .isCloseTo(steps * values[i], within(steps * steps * largest * 1e-6));
        }
    }

    /** The mean of what came out, over many steps, is what went in. */
    @ParameterizedTest
    @MethodSource("levelsAndSeeds")
    void whatIsLeftOutShouldComeWithLaterSteps(Compress kind, long seed) {
        double[] values = draw(Seeds.generator(seed), 700);
        ByteBuffer in = elements(values, ElementType.FLOAT32);
        ByteBuffer out = memory(values.length * Float.BYTES);
        Codec codec = codec(kind);
        CodecResidual residual = new CodecResidual(values.length);
        double[] sums = new double[values.length];
        int steps = 200;
        for (int step = 0; step < steps; step++) {
            codec.encode(in, ElementType.FLOAT32, encoded, residual);
            residual.rollBack();
            codec.encode(in, ElementType.FLOAT32, encoded, residual);
            residual.commit();
            codec.decode(encoded, ElementType.FLOAT32, out);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += out.getFloat(i * Float.BYTES);
            }
        }
        double largest =
                Stream.of(values)
                        .flatMapToDouble(java.util.Arrays::stream)
                        .map(Math::abs)
                        .max()
                        .orElse(0);
        for (int i = 0; i < sums.length; i++) {
            // What is left out never grows beyond two bounds; here it is shared by all steps.
            assertThat(Math.abs(sums[i] / steps - (float) values[i]))
                    .isLessThanOrEqualTo(
                            2 * bound(kind, largest, largest) / steps + largest * 1e-6);
        }
    }

    /** The stages of Lin et al.: 25, 6.25, 1.5625 and 0.4 % of the elements, then 0.1 %. */
    @Test
    void topkShouldComeToItsDensityInStages() {
        CodecSpec spec = CodecSpec.DEFAULT.keeping(0.001).after(10).warmingUp(40);
        Codec codec = Codec.of(Compress.TOPK, spec).orElseThrow();
        int[] lengths =
                IntStream.of(1, 11, 20, 21, 31, 50, 51, 1000)
                        .map(step -> codec.at(step).encodedBytes(Codec.BLOCK_ELEMENTS))
                        .toArray();
        assertThat(lengths).containsExactly(512, 512, 512, 132, 36, 12, 4, 4);
        assertThat(codec.encodedBytes(Codec.BLOCK_ELEMENTS)).as("the longest").isEqualTo(512);
        assertThat(codec(Compress.TOPK).at(1).encodedBytes(Codec.BLOCK_ELEMENTS)).isEqualTo(24);
    }

    @Test
    void whatDecaysShouldBeSentLaterInPart() {
        double[] values = draw(Seeds.generator(5), 700);
        CodecSpec half = CodecSpec.DEFAULT.decaying(0.5);
        float[] all = left(codec(Compress.INT4), values);
        float[] kept = left(Codec.of(Compress.INT4, half).orElseThrow(), values);
        for (int i = 0; i < all.length; i++) {
            assertThat(kept[i]).isEqualTo(all[i] / 2);
        }
    }

    private float[] left(Codec codec, double[] values) {
        CodecResidual residual = new CodecResidual(values.length);
        codec.encode(elements(values, ElementType.FLOAT32), ElementType.FLOAT32, encoded, residual);
        residual.commit();
        float[] left = new float[values.length];
        residual.get(0, left, left.length);
        return left;
    }

    private static double[] draw(RandomGenerator random, int count) {
        double stretch = Math.exp(random.nextGaussian() * 10);
        return IntStream.range(0, count)
                .mapToDouble(
                        i -> random.nextGaussian() * Math.exp(random.nextGaussian() * 3) * stretch)
                .map(value -> (float) value)
                .toArray();
    }

    private double[] there(Codec codec, double[] values, ElementType type) {
        ByteBuffer out = memory(values.length * type.bytes());
        codec.encode(elements(values, type), type, encoded);
        codec.decode(encoded, type, out);
        return IntStream.range(0, values.length)
                .mapToDouble(
                        i ->
                                type == ElementType.FLOAT32
                                        ? out.getFloat(4 * i)
                                        : out.getDouble(8 * i))
                .toArray();
    }

    private static ByteBuffer elements(double[] values, ElementType type) {
        ByteBuffer buffer = memory(values.length * type.bytes());
        for (double value : values) {
            if (type == ElementType.FLOAT32) {
                buffer.putFloat((float) value);
            } else {
                buffer.putDouble(value);
            }
        }
        return buffer.clear();
    }
}
