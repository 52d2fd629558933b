package dev.medley.fleet.learning;

import dev.medley.base.Seeds;
import dev.medley.fleet.learning.LearnedExponents.CurvePoint;
import dev.medley.fleet.learning.episode.Episode;
import dev.medley.fleet.learning.episode.Episodes;
import dev.medley.fleet.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Trains a choice of exponents on drawn workloads. First each knob is played as a fixed one on the
 * validation's arrivals: the best is what learning is rewarded against. Then episodes are played
 * with exploration, and now and then the validation's without it; the weights that did best there
 * are kept.
 *
 * <p>Belongs to one thread. The same options and episodes give the same result on machines whose
 * kernels are the same.
 */
public final class ExponentTraining {
    private static final long VALIDATION = 1_000_000;
    private static final double TABLE_RATE = 0.02;

    private final TrainingOptions options;
    private final List<Knob> knobs;
    private final List<Policy> choices;
    private final Episodes episodes;
    private final Consumer<String> says;
    private final double[] lowest = new double[FleetFeatures.COUNT];
    private final double[] highest = new double[FleetFeatures.COUNT];

    /**
     * @param knobs to choose between
     * @param index makes the policy of a knob
     * @param says progress, a sentence at a time
     */
    public ExponentTraining(
            TrainingOptions options,
            List<Knob> knobs,
            Function<Knob, Policy> index,
            Episodes episodes,
            Consumer<String> says) {
        this.options = options;
        this.knobs = List.copyOf(knobs);
        this.choices = knobs.stream().map(index).toList();
        this.episodes = episodes;
        this.says = says;
        Arrays.fill(lowest, Double.POSITIVE_INFINITY);
        Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    }

    /** Trains to the end. */
    public LearnedExponents run() {
        List<Episode> validation = new ArrayList<>();
        for (int i = 0; i < options.validations(); i++) {
            validation.add(episodes.of(VALIDATION + i));
        }
        int fixed = bestFixed(validation);
        List<JobsOverTime> fixedJobs =
                validation.stream().map(e -> played(e, choices.get(fixed))).toList();
        List<CurvePoint> curve = new ArrayList<>();
        try (QLearner learner = learner()) {
            StateActions best = learner.learnt();
            double bestGain = Double.NEGATIVE_INFINITY;
            for (int episode = 1; episode <= options.episodes(); episode++) {
                learnFrom(episode, learner, choices.get(fixed));
                if (episode % options.validateEvery() == 0 || episode == options.episodes()) {
                    double gain = validated(validation, fixedJobs, learner.learnt(), fixed);
                    curve.add(new CurvePoint(episode, gain));
                    says.accept(
                            "episode %d of %d: %.2f %% fewer job hours than with the best fixed knob"
                                    .formatted(episode, options.episodes(), 100 * gain));
                    if (gain > bestGain) {
                        bestGain = gain;
                        best = learner.learnt();
                    }
                }
            }
            return new LearnedExponents(options.seed(), knobs, fixed, lowest, highest, best, curve);
        }
    }

    private int bestFixed(List<Episode> validation) {
        double[] sums = new double[choices.size()];
        for (int knob = 0; knob < sums.length; knob++) {
            for (Episode episode : validation) {
                JobsOverTime jobs = played(episode, choices.get(knob));
                sums[knob] -= jobs.until(jobs.endS());
            }
            says.accept(
                    "%s as a fixed one: %.4g job seconds".formatted(knobs.get(knob), -sums[knob]));
        }
        return ActionValues.highest(sums);
    }

    private static JobsOverTime played(Episode episode, Policy policy) {
        RecordedPolicy recorded = new RecordedPolicy(policy);
        episode.play(recorded);
        return recorded.jobs();
    }

    private QLearner learner() {
        return options.isTabular()
                ? new TabularQ(knobs.size(), TABLE_RATE)
                : new DoubleDqn(options.dqn(), knobs.size(), options.seed());
    }

    private void learnFrom(int number, QLearner learner, Policy fixed) {
        Episode episode = episodes.of(number);
        JobsOverTime fixedJobs = played(episode, fixed);
        episode.play(
                new ExploringPolicy(
                        choices,
                        watched(learner),
                        fixedJobs,
                        exploration(options.exploration(number), number)));
    }

    /** A learner whose states widen what counts as met in training. */
    private QLearner watched(QLearner learner) {
        return new QLearner() {
            @Override
            public int best(double[] state) {
                return learner.best(state);
            }

            @Override
            public StateActions learnt() {
                return learner.learnt();
            }

            @Override
            public void take(Transition transition) {
                for (int i = 0; i < FleetFeatures.COUNT; i++) {
                    lowest[i] = Math.min(lowest[i], transition.state()[i]);
                    highest[i] = Math.max(highest[i], transition.state()[i]);
                }
                learner.take(transition);
            }
        };
    }

    private ExploringPolicy.Exploration exploration(double share, long number) {
        return new ExploringPolicy.Exploration(
                share,
                options.decideEveryS(),
                options.dqn(),
                Seeds.generator(options.seed(), 2, number));
    }

    private double validated(
            List<Episode> validation,
            List<JobsOverTime> fixedJobs,
            StateActions learnt,
            int fixedKnob) {
        double saved = 0;
        double fixed = 0;
        for (int i = 0; i < validation.size(); i++) {
            JobsOverTime jobs =
                    played(validation.get(i), new GreedyExponents(choices, fixedKnob, learnt));
            saved += fixedJobs.get(i).until(fixedJobs.get(i).endS()) - jobs.until(jobs.endS());
            fixed += fixedJobs.get(i).until(fixedJobs.get(i).endS());
        }
        return saved / fixed;
    }
}
