package dev.medley.plan.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.codec.CodecPolicy.Decision;
import dev.medley.plan.codec.CodecPolicy.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which codec is between sites: what holds whatever is measured, and what it does in some cases.
 */
@Tag("property")
class CodecPolicyTest {
    private static final double UNKNOWN = Double.POSITIVE_INFINITY;
    private static final List<Compress> ALL =
            List.of(
                    Compress.NONE,
                    Compress.BF16,
                    Compress.FP16,
                    Compress.INT8,
                    Compress.INT4,
                    Compress.TOPK);

    static List<Long> seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15)).boxed().toList();
    }

    /** What the seed makes of bounds and measurements. */
    private static final class Draw {
        private final RandomGenerator random;
        private final List<Compress> allowed;
        private final CodecPolicy policy;
        private final Compress present;

        Draw(long seed) {
            random = Seeds.generator(seed);
            List<Compress> some = new ArrayList<>(ALL);
            some.removeIf(codec -> random.nextBoolean());
            if (some.isEmpty()) {
                some.add(ALL.get(random.nextInt(ALL.size())));
            }
            allowed = List.copyOf(some);
            CodecSpec spec = CodecSpec.DEFAULT.keeping(0.001 + 0.4 * random.nextDouble());
            policy = CodecPolicy.of(spec.choosingOf(some.toArray(Compress[]::new)));
            present = policy.ladder().get(random.nextInt(policy.ladder().size())).codec();
        }

        Situation situation() {
            double noise = random.nextInt(3) == 0 ? UNKNOWN : Math.exp(random.nextGaussian() * 3);
            return new Situation(
                    between(1e4, 1e9),
                    between(1e4, 1e11),
                    between(1e4, 1e8),
                    random.nextDouble(),
                    noise);
        }

        private double between(double low, double high) {
            return low * Math.pow(high / low, random.nextDouble());
        }

        int place(Decision decision) {
            return place(decision.codec());
        }

        int place(Compress codec) {
            return policy.ladder().stream().map(Coarseness::codec).toList().indexOf(codec);
        }

        Decision decide(Situation now) {
            return policy.decide(present, now);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldStayWithinTheBoundsAndSayWhy(long seed) {
        Draw draw = new Draw(seed);
        Decision decision = draw.decide(draw.situation());
        assertThat(draw.allowed)
                .as("what the user named")
                .contains(decision.codec(), draw.policy.first());
        assertThat(decision.why()).contains("ms of computing");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void moreBandwidthShouldNeverBeCoarser(long seed) {
        Draw draw = new Draw(seed);
        Situation thin = draw.situation();
        double wider = 1 + draw.random.nextInt(10) * draw.random.nextDouble();
        Situation wide =
                new Situation(
                        thin.hiddenNs(),
                        thin.wholeNs() / wider,
                        thin.restNs(),
                        thin.progress(),
                        thin.noise());
        assertThat(draw.place(draw.decide(wide)))
                .isLessThanOrEqualTo(draw.place(draw.decide(thin)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void moreComputeToHideBehindShouldNeverBeCoarser(long seed) {
        Draw draw = new Draw(seed);
        Situation busy = draw.situation();
        Situation busier =
                new Situation(
                        busy.hiddenNs() * (1 + draw.random.nextDouble()),
                        busy.wholeNs(),
                        busy.restNs(),
                        busy.progress(),
                        busy.noise());
        assertThat(draw.place(draw.decide(busier)))
                .isLessThanOrEqualTo(draw.place(draw.decide(busy)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void laterShouldNeverBeCoarserAtEqualNoise(long seed) {
        Draw draw = new Draw(seed);
        Situation early = draw.situation();
        double progress = early.progress() + (1 - early.progress()) * draw.random.nextDouble();
        Situation late = at(early, progress, early.noise());
        assertThat(draw.place(draw.decide(late)))
                .isLessThanOrEqualTo(draw.place(draw.decide(early)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noisierGradientsShouldNeverBeFiner(long seed) {
        Draw draw = new Draw(seed);
        Situation calm = draw.situation();
        Situation noisy = at(calm, calm.progress(), calm.noise() * (1 + draw.random.nextInt(9)));
        assertThat(draw.place(draw.decide(noisy)))
                .isGreaterThanOrEqualTo(draw.place(draw.decide(calm)));
    }

    /** Whatever is measured, if it stays so the codec that was chosen stays. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasChosenShouldStayWhileNothingMuchChanges(long seed) {
        Draw draw = new Draw(seed);
        Situation before = draw.situation();
        Decision chosen = draw.decide(before);
        assertThat(draw.policy.decide(chosen.codec(), before).codec()).isEqualTo(chosen.codec());
        Compress fresh = draw.policy.decide(Compress.AUTO, before).codec();
        double jitter = 0.9 + 0.2 * draw.random.nextDouble();
        Situation after =
                new Situation(
                        before.hiddenNs() * jitter,
                        before.wholeNs(),
                        before.restNs(),
                        before.progress(),
                        before.noise());
        assertThat(draw.policy.decide(fresh, after).codec()).isEqualTo(fresh);
    }

    @Test
    void shouldTakeTheFinestThatHides() {
        CodecPolicy policy = CodecPolicy.of(CodecSpec.DEFAULT);
        Situation wide = new Situation(100e6, 90e6, 1e6, 0, UNKNOWN);
        assertThat(policy.decide(Compress.INT8, wide).codec()).isEqualTo(Compress.NONE);
        Situation half = new Situation(100e6, 190e6, 1e6, 0, UNKNOWN);
        assertThat(policy.decide(Compress.NONE, half).codec()).isEqualTo(Compress.BF16);
        Situation thin = new Situation(100e6, 5000e6, 1e6, 0, UNKNOWN);
        Decision early = policy.decide(Compress.INT8, thin);
        assertThat(early.codec()).isEqualTo(Compress.INT4);
        assertThat(early.why())
                .isEqualTo(
                        "gradients cross sites as int4 in 635.8 ms, beside 100.0 ms of computing;"
                                + " int8 would take 1260.8 ms");
        Decision late = policy.decide(Compress.INT4, at(thin, 0.8, UNKNOWN));
        assertThat(late.codec()).isEqualTo(Compress.INT8);
        assertThat(late.why())
                .endsWith(
                        "int4 would take 635.8 ms, but after 80 % of the run its error is too"
                                + " large");
        assertThat(policy.decide(Compress.INT4, at(thin, 0.5, 0.01)).codec())
                .as("a gradient that is nearly exact")
                .isEqualTo(Compress.INT8);
    }

    /** Where latency is what takes long, fewer bytes are no use. */
    @Test
    void shouldNotBeCoarserWhereThatWinsNothing() {
        CodecPolicy policy = CodecPolicy.of(CodecSpec.DEFAULT);
        Situation far = new Situation(1e6, 5e6, 100e6, 0, UNKNOWN);
        assertThat(policy.decide(Compress.INT8, far).codec()).isEqualTo(Compress.NONE);
    }

    @Test
    void shouldBeginWithWhatIsFeltNowhere() {
        assertThat(CodecPolicy.of(CodecSpec.DEFAULT).first()).isEqualTo(Compress.INT8);
        CodecSpec coarse = CodecSpec.DEFAULT.choosingOf(Compress.TOPK, Compress.INT4);
        assertThat(CodecPolicy.of(coarse).first()).isEqualTo(Compress.INT4);
        CodecSpec beaten = CodecSpec.DEFAULT.keeping(0.4).choosingOf(Compress.INT8, Compress.TOPK);
        assertThat(CodecPolicy.of(beaten).ladder())
                .as("a topk that sends more than int8 and leaves more out")
                .extracting(Coarseness::codec)
                .containsExactly(Compress.INT8);
    }

    private static Situation at(Situation now, double progress, double noise) {
        return new Situation(now.hiddenNs(), now.wholeNs(), now.restNs(), progress, noise);
    }
}
