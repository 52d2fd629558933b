package dev.medley.plan.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.codec.BorderPolicy.Crossing;
import dev.medley.plan.codec.BorderPolicy.Decision;
import dev.medley.plan.codec.CodecPolicy.Situation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of the codecs of all borders, whatever is measured. */
@Tag("property")
class BorderPolicyTest {
    private static final CodecPolicy CODECS = CodecPolicy.of(CodecSpec.DEFAULT);
    private static final BorderPolicy POLICY = new BorderPolicy(CODECS, null);

    static List<Long> seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15)).boxed().toList();
    }

    /** All ways between some sites at one step, nothing decided before. */
    private static List<Crossing> drawn(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int sites = 2 + random.nextInt(3);
        double hiddenNs = 1e6 * Math.pow(1000, random.nextDouble());
        double progress = random.nextDouble();
        double noise =
                random.nextBoolean()
                        ? Double.POSITIVE_INFINITY
                        : Math.exp(3 * random.nextGaussian());
        List<Crossing> all = new ArrayList<>();
        for (int from = 0; from < sites; from++) {
            for (int to = 0; to < sites; to++) {
                if (from != to) {
                    double wholeNs = 1e6 * Math.pow(10_000, random.nextDouble());
                    double restNs = 1e5 * Math.pow(1000, random.nextDouble());
                    all.add(
                            new Crossing(
                                    new Border("s" + from, "s" + to),
                                    Compress.AUTO,
                                    new Situation(hiddenNs, wholeNs, restNs, progress, noise)));
                }
            }
        }
        return all;
    }

    private static double ns(Decision decision, Crossing of) {
        Compress codec = decision.codecs().getOrDefault(of.border(), Compress.AUTO);
        return of.now().ns(CODECS.ladder().get(CODECS.place(codec)));
    }

    private static Crossing slowest(List<Crossing> all) {
        return Collections.max(all, (a, b) -> Double.compare(a.plainNs(), b.plainNs()));
    }

    /** The slowest has what it would have alone: the exchange is as fast as with one codec. */
    @ParameterizedTest
    @MethodSource("seeds")
    void finerCodecsElsewhereShouldCostNoTime(long seed) {
        List<Crossing> all = drawn(seed);
        Decision decision = POLICY.decide(all);
        Crossing slowest = slowest(all);
        CodecPolicy.Decision alone = CODECS.decide(slowest.present(), slowest.now());
        assertThat(decision.codecs()).containsEntry(slowest.border(), alone.codec());
        assertThat(decision.why()).startsWith(alone.why());
        double withOneNs =
                all.stream()
                        .mapToDouble(
                                each ->
                                        each.now()
                                                .ns(
                                                        CODECS.ladder()
                                                                .get(CODECS.place(alone.codec()))))
                        .max()
                        .orElseThrow();
        double mostNs = Math.max(slowest.now().hiddenNs(), withOneNs);
        assertThat(all)
                .allSatisfy(one -> assertThat(ns(decision, one)).isLessThanOrEqualTo(mostNs * 1.1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aFasterBorderShouldNeverBeCoarser(long seed) {
        List<Crossing> all = drawn(seed);
        Decision decision = POLICY.decide(all);
        for (Crossing one : all) {
            for (Crossing other : all) {
                boolean isFaster =
                        one.now().wholeNs() <= other.now().wholeNs()
                                && one.now().restNs() <= other.now().restNs();
                if (isFaster && other == slowest(all)) {
                    assertThat(place(decision, one)).isLessThanOrEqualTo(place(decision, other));
                }
            }
        }
    }

    private static int place(Decision decision, Crossing of) {
        return CODECS.place(decision.codecs().getOrDefault(of.border(), Compress.AUTO));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderOfBordersShouldNotMatter(long seed) {
        List<Crossing> all = drawn(seed);
        List<Crossing> shuffled = new ArrayList<>(all);
        RandomGenerator random = Seeds.generator(seed, 1);
        for (int i = all.size() - 1; i > 0; i--) {
            Collections.swap(shuffled, i, random.nextInt(i + 1));
        }
        assertThat(POLICY.decide(shuffled).codecs()).isEqualTo(POLICY.decide(all).codecs());
    }

    /**
     * Times of steps scatter; a codec that was chosen with its strategy is not changed for that.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatBecameFinerShouldNotFlap(long seed) {
        RandomGenerator random = Seeds.generator(seed, 2);
        BorderPolicy named = new BorderPolicy(CODECS, Compress.INT4);
        List<Crossing> all = drawn(seed);
        Decision decision = named.decide(all);
        double jitter = 0.9 + 0.2 * random.nextDouble();
        List<Crossing> again =
                all.stream().map(one -> jittered(one, codecOf(decision, one), jitter)).toList();
        assertThat(named.decide(again).codecs()).isEqualTo(decision.codecs());
        assertThat(decision.codecs().values()).doesNotContain(Compress.TOPK);
    }

    private static Compress codecOf(Decision decision, Crossing of) {
        return decision.codecs().getOrDefault(of.border(), Compress.AUTO);
    }

    private static Crossing jittered(Crossing one, Compress present, double jitter) {
        Situation now = one.now();
        return new Crossing(
                one.border(),
                present,
                new Situation(
                        jitter * now.hiddenNs(),
                        now.wholeNs(),
                        now.restNs(),
                        now.progress(),
                        now.noise()));
    }

    /** What was decided stays while nothing changes. */
    @ParameterizedTest
    @MethodSource("seeds")
    void itShouldNotFlap(long seed) {
        List<Crossing> all = drawn(seed);
        Decision decision = POLICY.decide(all);
        List<Crossing> again =
                all.stream()
                        .map(
                                one ->
                                        new Crossing(
                                                one.border(),
                                                decision.codecs()
                                                        .getOrDefault(one.border(), Compress.AUTO),
                                                one.now()))
                        .toList();
        assertThat(POLICY.decide(again).codecs()).isEqualTo(decision.codecs());
    }
}
