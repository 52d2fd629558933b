package dev.medley.fleet.learning;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.tensor.Torch;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DoubleDqnTest {
    private static final DqnOptions SMALL = new DqnOptions(16, 3e-3, 32, 50, 2000, 1, 0.5);

    @BeforeAll
    static void start() {
        Torch.startIfNeeded();
    }

    /** Which of three actions pays is where the first number of the state lies. */
    private static int paying(double[] state) {
        return state[0] < -0.3 ? 0 : state[0] < 0.3 ? 1 : 2;
    }

    private static double[] state(RandomGenerator random) {
        double[] state = new double[FleetFeatures.COUNT];
        for (int i = 0; i < state.length; i++) {
            state[i] = 2 * random.nextDouble() - 1;
        }
        return state;
    }

    private static ActionValues trained(DoubleDqn learner, int steps) {
        RandomGenerator random = Seeds.generator(5);
        double[] state = state(random);
        for (int step = 0; step < steps; step++) {
            int action = random.nextInt(3);
            double[] next = state(random);
            learner.take(new Transition(state, action, action == paying(state) ? 1 : 0, 0.5, next));
            state = next;
        }
        return requireNonNull(learner.learnt().network());
    }

    @Test
    void shouldLearnWhichActionPaysInWhichStateAndWhatFollows() {
        try (DoubleDqn learner = new DoubleDqn(SMALL, 3, 1)) {
            ActionValues values = trained(learner, 1500);
            RandomGenerator random = Seeds.generator(6);
            int right = 0;
            double sum = 0;
            for (int i = 0; i < 200; i++) {
                double[] state = state(random);
                right += values.best(state) == paying(state) ? 1 : 0;
                sum += values.of(state)[paying(state)];
            }
            assertThat(right).isGreaterThan(160);
            // 1 now, and half of the best of what follows for ever: 1 / (1 - 0.5).
            assertThat(sum / 200).isCloseTo(2, within(0.3));
        }
    }

    @Test
    void shouldRepeatBitForBit() {
        try (DoubleDqn first = new DoubleDqn(SMALL, 3, 1);
                DoubleDqn second = new DoubleDqn(SMALL, 3, 1);
                DoubleDqn other = new DoubleDqn(SMALL, 3, 2)) {
            String weights = Json.line(trained(first, 300));
            assertThat(Json.line(trained(second, 300))).isEqualTo(weights);
            assertThat(Json.line(trained(other, 300))).isNotEqualTo(weights);
        }
    }

    @Test
    void shouldLearnTheSameInATable() {
        TabularQ learner = new TabularQ(2, 0.02);
        RandomGenerator random = Seeds.generator(7);
        for (int step = 0; step < 4000; step++) {
            double[] state = new double[FleetFeatures.COUNT];
            state[1] = random.nextDouble();
            int action = random.nextInt(2);
            double reward = (action == 1) == (state[1] >= 0.5) ? 1 : 0;
            learner.take(new Transition(state, action, reward, 0.5, null));
        }
        double[] low = new double[FleetFeatures.COUNT];
        double[] high = new double[FleetFeatures.COUNT];
        high[1] = 0.8;
        assertThat(learner.best(low)).isZero();
        assertThat(learner.best(high)).isOne();
    }
}
