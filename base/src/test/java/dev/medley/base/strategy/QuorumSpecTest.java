package dev.medley.base.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QuorumSpecTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @Test
    @Tag("unit")
    void shouldRefuseWhatIsNoQuorum() {
        assertRefused(() -> QuorumSpec.of(-1), "strategy.quorum=-1.0: a number of workers");
        assertRefused(() -> QuorumSpec.of(2.5), "strategy.quorum=2.5: a number of workers");
        assertRefused(() -> QuorumSpec.of(2).waiting(-1), "strategy.grace=-1 ns: 0 or more");
        assertRefused(() -> QuorumSpec.of(2).gating(-1, 3), "strategy.late_decay=-1.0");
        assertRefused(() -> QuorumSpec.of(2).gating(1, -3), "strategy.late_rounds=-3");
    }

    @Test
    @Tag("unit")
    void shouldRefuseStrategiesThatWaitOtherwise() {
        RoundSpec two = RoundSpec.defaults(Kind.DILOCO).waitingFor(QuorumSpec.of(2));
        assertRefused(
                () -> StrategySpec.defaults(Kind.HYBRID).with(two),
                "strategy.quorum=2 has no meaning for strategy=hybrid; it goes with local-sgd,"
                        + " diloco");
        assertRefused(() -> two.streaming(new StreamSpec(2, 0)), "strategy.fragments=2");
        RoundSpec averaged = RoundSpec.defaults(Kind.LOCAL_SGD).waitingFor(QuorumSpec.of(2));
        StrategySpec local = StrategySpec.defaults(Kind.LOCAL_SGD).with(averaged);
        assertRefused(() -> local.with(Compress.POWERSGD), "strategy.compress=powersgd");
        assertThat(local.algorithm().isRepeatable()).isFalse();
        assertThat(local.hasPost()).isTrue();
        assertRefused(
                () -> local.with(averaged.outer(RoundSpec.Outer.ADAM, 1, 0)),
                "strategy.outer=adam has no meaning for strategy=local-sgd; it goes with diloco,"
                        + " hybrid");
    }

    @Test
    @Tag("unit")
    void aGraceShouldBeATimeOrAPartOfTheRound() {
        assertThat(QuorumSpec.of(2).graceNs(1000)).isEqualTo(100);
        assertThat(QuorumSpec.of(2).graceNs(-5)).as("began after the quorum").isZero();
        assertThat(QuorumSpec.of(2).waiting(7).graceNs(1000)).isEqualTo(7);
        assertThat(QuorumSpec.of(2).waiting(0).graceNs(1000)).isZero();
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void aQuorumShouldBeSomebodyAndNoMoreThanTheGroup(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 1 + random.nextInt(50);
        double share = random.nextDouble(0.001, 1);
        int part = QuorumSpec.of(share).workers(size);
        assertThat(part).isBetween(1, size);
        assertThat((double) part).isGreaterThanOrEqualTo(share * size);
        assertThat(part - 1.0).isLessThan(share * size);
        int count = 1 + random.nextInt(60);
        assertThat(QuorumSpec.of(count).workers(size)).isEqualTo(Math.min(count, size));
        assertThat(QuorumSpec.NONE.workers(size)).isEqualTo(size);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void theGateShouldFallFromOneToNothing(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int rounds = random.nextInt(12);
        QuorumSpec spec = QuorumSpec.of(1).gating(random.nextDouble(2), rounds);
        assertThat(spec.lateFactor(0)).isEqualTo(1);
        for (int age = 1; age <= rounds; age++) {
            assertThat(spec.lateFactor(age)).isPositive().isLessThan(spec.lateFactor(age - 1));
            assertThat(spec.isTooOld(age)).isFalse();
        }
        assertThat(spec.lateFactor(rounds + 1)).isZero();
        assertThat(spec.isTooOld(rounds + 1)).isTrue();
    }

    @Test
    @Tag("unit")
    void theGateShouldBeThatOfTheFormula() {
        QuorumSpec spec = QuorumSpec.of(1).gating(0.25, 3);
        assertThat(spec.lateFactor(2)).isCloseTo(Math.exp(-0.5) / 2, within(1e-15));
    }

    private static void assertRefused(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable made, String message) {
        assertThatThrownBy(made).isInstanceOf(ConfigException.class).hasMessageContaining(message);
    }
}
