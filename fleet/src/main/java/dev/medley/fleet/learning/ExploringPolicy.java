package dev.medley.fleet.learning;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Tries exponents while a simulation runs, and has a learner learn from what follows. The reward of
 * a decision is how many jobs fewer were in the system until the next one than under the fixed
 * exponents on the same arrivals, for each machine: arrivals' own noise falls out (an
 * input-dependent baseline, Mao et al., 2019).
 *
 * <p>Belongs to one simulation and its thread.
 */
final class ExploringPolicy implements Policy {
    private final List<Policy> choices;
    private final QLearner learner;
    private final JobsOverTime fixed;
    private final Exploration exploration;
    private final JobsOverTime jobs = new JobsOverTime();
    private final Deque<Step> open = new ArrayDeque<>();
    private @Nullable Step last;
    private double decidedS = Double.NEGATIVE_INFINITY;
    private double gain;

    /**
     * Holds how much is tried.
     *
     * @param share of decisions that are drawn
     * @param everyS seconds from one decision to the next
     */
    record Exploration(double share, double everyS, DqnOptions options, RandomGenerator random) {}

    /** Holds one decision whose return is not complete yet. */
    private static final class Step {
        private final double[] state;
        private final int action;
        private double reward;
        private double factor = 1;
        private int rewards;

        Step(double[] state, int action) {
            this.state = state;
            this.action = action;
        }
    }

    /**
     * @param choices policies by action
     * @param fixed jobs in the system under the fixed exponents, on the same arrivals
     */
    ExploringPolicy(
            List<Policy> choices, QLearner learner, JobsOverTime fixed, Exploration exploration) {
        this.choices = List.copyOf(choices);
        this.learner = learner;
        this.fixed = fixed;
        this.exploration = exploration;
    }

    @Override
    public String name() {
        return "exploring";
    }

    @Override
    public Decision decide(FleetView view) {
        jobs.set(view.nowS(), view.jobs().size());
        Step step = last;
        if (step == null || view.nowS() >= decidedS + exploration.everyS() - 1e-6) {
            step = next(view);
        }
        return choices.get(step.action).decide(view);
    }

    private Step next(FleetView view) {
        double[] state = FleetFeatures.of(view);
        if (last != null) {
            reward(view, state);
        }
        boolean isDrawn = exploration.random().nextDouble() < exploration.share();
        int action = isDrawn ? exploration.random().nextInt(choices.size()) : learner.best(state);
        Step step = new Step(state, action);
        open.addLast(step);
        last = step;
        decidedS = view.nowS();
        return step;
    }

    private void reward(FleetView view, double[] state) {
        double now = view.nowS();
        double machines = Math.max(1, view.types().stream().mapToInt(MachineType::machines).sum());
        double saved =
                fixed.until(now) - fixed.until(decidedS) - (jobs.until(now) - jobs.until(decidedS));
        double reward = saved / exploration.everyS() / machines;
        gain += reward;
        for (Step step : open) {
            step.reward += step.factor * reward;
            step.factor *= exploration.options().discount();
            step.rewards++;
        }
        Step oldest = open.getFirst();
        if (oldest.rewards >= exploration.options().returnSteps()) {
            open.removeFirst();
            learner.take(
                    new Transition(
                            oldest.state, oldest.action, oldest.reward, oldest.factor, state));
        }
    }

    /** Sum of the rewards so far. */
    double gain() {
        return gain;
    }

    JobsOverTime jobs() {
        return jobs;
    }
}
