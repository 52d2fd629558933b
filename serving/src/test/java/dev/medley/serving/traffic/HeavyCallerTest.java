package dev.medley.serving.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.CanaryGoals.Better;
import dev.medley.serving.registry.CanaryGoals.IfGood;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.traffic.RolloutPolicy.Decision;
import dev.medley.serving.traffic.RolloutPolicy.Step;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller with half of the traffic, on its own account unlike others, decides nothing. */
@Tag("property")
class HeavyCallerTest {
    private static final CanaryGoals CLICKS =
            new CanaryGoals("clicks", Better.HIGHER, 0, 1, 0.02, IfGood.WAIT);
    private static final int TRIALS = 100;
    private static final int WINDOWS = 100;
    private static final String HEAVY = "heavy";

    /** In what the heavy caller is unlike others. */
    private enum Unlike {
        FAILS,
        SLOW,
        DISSATISFIED,
        /** It drags the mean of its version down, which makes the other look worse. */
        BEST
    }

    /** Requests of a window: of the heavy caller, of 60 callers with keys, and without keys. */
    private record Callers(RandomGenerator random, VersionTraffic traffic, Unlike unlike) {
        void ask(int request) {
            int who = random.nextInt(4);
            String key =
                    who < 2 ? HEAVY : who == 2 ? "user " + random.nextInt(60) : "id " + request;
            boolean isHeavy = who < 2;
            double errors = unlike == Unlike.BEST ? (isHeavy ? 0 : 0.1) : isHeavy ? 0 : 0.02;
            double millis = 4 * Math.exp(0.4 * random.nextGaussian());
            if (isHeavy) {
                errors = unlike == Unlike.FAILS ? 1 : errors;
                millis *= unlike == Unlike.SLOW ? 20 : unlike == Unlike.BEST ? 0.1 : 1;
            }
            VersionCount count = traffic.count(traffic.choose(key));
            VersionCount.Request begun = count.begin(key, 0);
            if (random.nextDouble() < errors) {
                begun.failed();
                return;
            }
            begun.answered((long) (millis * 1e6));
            double clicks =
                    isHeavy && unlike == Unlike.DISSATISFIED
                            ? 0
                            : isHeavy && unlike == Unlike.BEST ? 1 : 0.4;
            double value = random.nextDouble() < clicks ? 1 : 0;
            traffic.report(null, new CallerOutcome(null, key, traffic.choose(key), value));
        }
    }

    private static Decision judged(long seed, Unlike unlike) {
        RandomGenerator random = Seeds.generator(seed, List.of(Unlike.values()).indexOf(unlike));
        double share = random.nextBoolean() ? 0.05 : 0.1 + 0.4 * random.nextDouble();
        TrafficPlan plan = TrafficPlan.canary(1, 2, share, seed, CLICKS);
        VersionTraffic traffic = VersionTraffic.of(plan);
        CanaryTrial trial = new CanaryTrial(CLICKS);
        Callers callers = new Callers(random, traffic, unlike);
        int request = 0;
        Decision last = new Decision(Step.GO_ON, "");
        for (int window = 0; window < WINDOWS && last.step() == Step.GO_ON; window++) {
            for (int i = 0; i < 25; i++) {
                callers.ask(request++);
            }
            trial.add(traffic.count(1).take(0), traffic.count(2).take(0));
            last = RolloutPolicy.decide(plan, trial.evidence(), 1);
        }
        return last;
    }

    @ParameterizedTest
    @EnumSource(Unlike.class)
    void shouldRollBackAtMostOneOfAHundredEqualVersions(Unlike unlike) {
        int rolledBack = 0;
        StringBuilder why = new StringBuilder();
        for (long seed = 0; seed < TRIALS; seed++) {
            Decision decision = judged(seed, unlike);
            if (decision.step() == Step.ROLL_BACK) {
                rolledBack++;
                why.append(seed).append(": ").append(decision.why()).append('\n');
            }
        }
        assertThat(rolledBack).as(why.toString()).isLessThanOrEqualTo(TRIALS / 100);
    }
}
