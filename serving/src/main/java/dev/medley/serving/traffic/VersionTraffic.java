package dev.medley.serving.traffic;

import dev.medley.base.text.DidYouMean;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.registry.TrafficPlan.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deals out the requests of a model by a plan, and counts what comes of them.
 *
 * <p>Thread: any.
 */
public final class VersionTraffic {
    private final TrafficPlan plan;
    private final Map<Integer, VersionCount> counts;
    private final AnsweredKeys answered;
    private final ShadowFigures shadow;
    private volatile @Nullable TrafficStatus status;

    private VersionTraffic(
            TrafficPlan plan,
            Map<Integer, VersionCount> counts,
            AnsweredKeys answered,
            ShadowFigures shadow) {
        this.plan = plan;
        this.counts = counts;
        this.answered = answered;
        this.shadow = shadow;
    }

    /** By a plan, of which nothing was seen yet. */
    public static VersionTraffic of(TrafficPlan plan) {
        Map<Integer, VersionCount> counts = new TreeMap<>();
        double least = plan.shares().values().stream().min(Double::compare).orElse(1.0);
        KeyWeights weights = new KeyWeights(least);
        plan.shares().keySet().forEach(version -> counts.put(version, new VersionCount(weights)));
        return new VersionTraffic(plan, counts, new AnsweredKeys(), new ShadowFigures());
    }

    /** By other shares of the same trial: what was seen stays. */
    public VersionTraffic with(TrafficPlan changed) {
        return changed.shares().keySet().equals(counts.keySet())
                ? new VersionTraffic(changed, counts, answered, shadow)
                : of(changed);
    }

    /** The plan. */
    public TrafficPlan plan() {
        return plan;
    }

    /** What a shadow has said. */
    public ShadowFigures shadow() {
        return shadow;
    }

    /** The version that is for a key. */
    public int choose(String key) {
        return VersionChoice.of(plan, key);
    }

    /** Counts of a version that answers; null for one that the plan does not name. */
    public @Nullable VersionCount count(int version) {
        return counts.get(version);
    }

    /** A version has answered a request of a key. */
    public void answered(String id, String key, int version) {
        if (plan.goals().hasMetric()) {
            answered.put("id " + id, version, key);
            if (!key.equals(id)) {
                answered.put("key " + key, version, key);
            }
        }
    }

    /** What each version did. */
    public List<TrafficStatus.OfVersion> versions() {
        List<TrafficStatus.OfVersion> all = new ArrayList<>();
        counts.forEach(
                (version, count) ->
                        all.add(
                                new TrafficStatus.OfVersion(
                                        version,
                                        plan.shares().getOrDefault(version, 0.0),
                                        count.requests(),
                                        count.errors())));
        return all;
    }

    /** What is known by now; null before anybody looked. */
    public @Nullable TrafficStatus status() {
        return status;
    }

    /** This is known by now. */
    public void know(TrafficStatus now) {
        status = now;
    }

    /**
     * A caller says what came of an answer.
     *
     * @param metric by its name; null for the plan's
     * @throws ServingFailure if nothing is asked for, the value is none, or the answer is not known
     */
    public void report(@Nullable String metric, CallerOutcome outcome) {
        CanaryGoals goals = plan.goals();
        if (plan.form() != Form.CANARY || !goals.hasMetric()) {
            throw new ServingFailure(
                    Kind.CONFLICT,
                    "nothing is asked for: no canary with a metric runs (medley models canary NAME"
                            + " VERSION --share 5% --metric WORD)");
        }
        if (metric != null && !metric.equals(goals.metric())) {
            throw ServingFailure.invalid(
                    "metric '%s' is not asked for: the canary is judged by '%s'%s",
                    metric,
                    goals.metric(),
                    DidYouMean.of(metric, List.of(goals.metric()))
                            .map(near -> ", did you mean that?")
                            .orElse(""));
        }
        if (!(outcome.value() >= goals.low() && outcome.value() <= goals.high())) {
            throw ServingFailure.invalid(
                    "%s is not between %s and %s, as the canary has it (--range)",
                    number(outcome.value()), number(goals.low()), number(goals.high()));
        }
        VersionCount count = counts.get(version(outcome));
        if (count == null) {
            throw ServingFailure.invalid(
                    "version %s is not of this canary: it has %s",
                    outcome.version(),
                    counts.keySet().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ")));
        }
        if (outcome.id() != null && !answered.isFirstReport("id " + outcome.id())) {
            throw new ServingFailure(
                    Kind.CONFLICT,
                    "what came of request '%s' was reported already".formatted(outcome.id()));
        }
        count.reported(caller(outcome), goals.loss(outcome.value()));
    }

    private int version(CallerOutcome outcome) {
        Integer said = outcome.version();
        if (said != null) {
            return said;
        }
        String named = named(outcome);
        Integer version = answered.version(named);
        if (version == null) {
            throw new ServingFailure(
                    Kind.NOT_FOUND,
                    ("no answer to %s is remembered here (the last %d are): give \"version\", as"
                                    + " the answer named it")
                            .formatted(
                                    named.length() > 100 ? named.substring(0, 100) : named,
                                    AnsweredKeys.MOST));
        }
        return version;
    }

    /** Whose answer it was; null where a version alone is named, of whom nobody knows. */
    private @Nullable String caller(CallerOutcome outcome) {
        if (outcome.key() != null) {
            return outcome.key();
        }
        return outcome.id() == null ? null : answered.key("id " + outcome.id());
    }

    private static String named(CallerOutcome outcome) {
        return outcome.id() != null ? "id " + outcome.id() : "key " + outcome.key();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6g", value);
    }
}
