package dev.medley.serving.traffic;

import dev.medley.base.text.Units;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.CanaryGoals.IfGood;
import dev.medley.serving.registry.TrafficPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a canary ends, and how. Evidence that it is worse, in any respect, has to be so
 * large that chance alone gets there in one of a hundred trials at most, over all respects, all
 * times at which one looks, and all servers. To be good it has to be not worse by the margin in
 * each respect.
 */
public final class RolloutPolicy {
    /** Of equal versions at most this part is rolled back. */
    public static final double ALPHA = 0.01;

    private static final double ENOUGH_TO_PROMOTE = 100;
    private static final long FEWEST_REQUESTS = 100;

    private RolloutPolicy() {}

    /** What happens to a canary. */
    public enum Step {
        GO_ON,
        ROLL_BACK,
        PROMOTE
    }

    /**
     * A decision.
     *
     * @param why a sentence with the numbers
     */
    public record Decision(Step step, String why) {}

    /** Its words are made where they are told, as most windows tell none. */
    private record Respect(String name, Comparison comparison, Supplier<String> words) {}

    /**
     * What to do by the evidence of one server.
     *
     * @param seat of the server among those that judge the same trial, from 1: the n-th has {@code
     *     1/(n(n+1))} of the level, and all have no more than the whole
     */
    public static Decision decide(TrafficPlan plan, Evidence evidence, int seat) {
        List<Respect> all = respects(plan, evidence);
        double needed = all.size() * (double) seat * (seat + 1.0) / ALPHA;
        for (Respect each : all) {
            if (each.comparison().eWorse() >= needed) {
                return new Decision(
                        Step.ROLL_BACK,
                        String.format(
                                Locale.ROOT,
                                "%s, which chance does in one of %.3g trials at most (%.0f are"
                                        + " enough)",
                                each.words().get(),
                                each.comparison().eWorse(),
                                needed));
            }
        }
        List<String> open = open(all, evidence);
        if (!open.isEmpty()) {
            return new Decision(Step.GO_ON, "not decided: " + String.join(", ", open));
        }
        String good =
                "version %d is as good as version %d within the margins: %s"
                        .formatted(
                                plan.challenger(),
                                plan.champion(),
                                String.join(", ", all.stream().map(r -> r.words().get()).toList()));
        return new Decision(
                plan.goals().ifGood() == IfGood.PROMOTE ? Step.PROMOTE : Step.GO_ON, good);
    }

    private static List<String> open(List<Respect> all, Evidence evidence) {
        List<String> open = new ArrayList<>();
        if (evidence.errors().challengerCount() < FEWEST_REQUESTS) {
            open.add(
                    "%d of %d requests"
                            .formatted(evidence.errors().challengerCount(), FEWEST_REQUESTS));
        }
        for (Respect each : all) {
            if (each.comparison().eGood() < ENOUGH_TO_PROMOTE) {
                open.add(
                        String.format(
                                Locale.ROOT,
                                "%s (as good: %.3g of %.0f, worse: %.3g)",
                                each.name(),
                                each.comparison().eGood(),
                                ENOUGH_TO_PROMOTE,
                                each.comparison().eWorse()));
            }
        }
        return open;
    }

    private static List<Respect> respects(TrafficPlan plan, Evidence evidence) {
        List<Respect> all = new ArrayList<>();
        Comparison errors = evidence.errors();
        all.add(
                new Respect(
                        "errors",
                        errors,
                        () ->
                                "version %d fails in %s of %s requests and version %d in %s of %s"
                                        .formatted(
                                                plan.challenger(),
                                                Units.percent(errors.challengerMean()),
                                                Units.count(errors.challengerCount()),
                                                plan.champion(),
                                                Units.percent(errors.championMean()),
                                                Units.count(errors.championCount()))));
        Comparison latency = evidence.latency();
        all.add(
                new Respect(
                        "latency",
                        latency,
                        () ->
                                "version %d takes %s and version %d %s"
                                        .formatted(
                                                plan.challenger(),
                                                Units.duration(latency.challengerMean() * 1e9),
                                                plan.champion(),
                                                Units.duration(latency.championMean() * 1e9))));
        @Nullable Comparison metric = evidence.metric();
        if (metric != null) {
            all.add(new Respect(plan.goals().metric(), metric, () -> metric(plan, metric)));
        }
        return all;
    }

    private static String metric(TrafficPlan plan, Comparison metric) {
        CanaryGoals goals = plan.goals();
        return "%s is %s with version %d (%s reported) and %s with version %d (%s)"
                .formatted(
                        goals.metric(),
                        Units.metric(metric.challengerMean()),
                        plan.challenger(),
                        Units.count(metric.challengerCount()),
                        Units.metric(metric.championMean()),
                        plan.champion(),
                        Units.count(metric.championCount()));
    }
}
