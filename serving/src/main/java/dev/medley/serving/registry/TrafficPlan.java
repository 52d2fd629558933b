package dev.medley.serving.registry;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.text.Units;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Says how the requests of an alias are dealt out over versions of a model.
 *
 * @param champion the version that the alias leads to, which answers whatever the others do
 * @param challenger the one that is tried; 0 in a split, which tries none
 * @param shares of requests that each version answers; they sum to 1
 * @param salt of the hash that deals out; the same as long as shares alone are changed, so that who
 *     is with a version whose share grows stays there. It tells trials apart, too.
 */
public record TrafficPlan(
        Form form,
        int champion,
        int challenger,
        Map<Integer, Double> shares,
        long salt,
        CanaryGoals goals) {
    private static final double CLOSE = 1e-6;

    /** What a plan is for. */
    public enum Form {
        /** A version answers a share of requests and is judged. */
        CANARY,
        /** A version computes what others answer, and nobody gets what it says. */
        SHADOW,
        /** Several versions answer, and none is judged. */
        SPLIT
    }

    public TrafficPlan {
        shares = Collections.unmodifiableMap(new TreeMap<>(shares));
        double sum = 0;
        for (Map.Entry<Integer, Double> each : shares.entrySet()) {
            check(
                    each.getValue() > 0 && each.getValue() <= 1,
                    "version %d cannot have %s of the requests: give more than 0%% and at most"
                            + " 100%%",
                    each.getKey(),
                    Units.percent(each.getValue()));
            sum += each.getValue();
        }
        check(
                Math.abs(sum - 1) < CLOSE,
                "the shares sum to %s: make them sum to 100%%",
                Units.percent(sum));
    }

    /** Of a version that answers a share. */
    public static TrafficPlan canary(
            int champion, int challenger, double share, long salt, CanaryGoals goals) {
        check(
                share > 0 && share < 1,
                "a canary cannot have %s of the requests: give more than 0%% and less than 100%%;"
                        + " medley models promote gives a version all of them",
                Units.percent(share));
        return new TrafficPlan(
                Form.CANARY,
                champion,
                challenger,
                Map.of(champion, 1 - share, challenger, share),
                salt,
                goals);
    }

    /** Of a version that computes beside. */
    public static TrafficPlan shadow(int champion, int challenger, long salt) {
        return new TrafficPlan(
                Form.SHADOW, champion, challenger, Map.of(champion, 1.0), salt, CanaryGoals.USUAL);
    }

    /** Of several that answer. */
    public static TrafficPlan split(int champion, Map<Integer, Double> shares, long salt) {
        check(
                shares.size() >= 2,
                "a split needs two versions or more, as 2=90%% 3=10%%; medley models promote gives"
                        + " one all requests");
        return new TrafficPlan(Form.SPLIT, champion, 0, shares, salt, CanaryGoals.USUAL);
    }

    /** Whether it is of the same trial as another, and shares alone may differ. */
    public boolean continues(TrafficPlan before) {
        return salt == before.salt && form == before.form && goals.equals(before.goals);
    }

    /** Whether what is decided of one holds for the other: versions and goals are the same. */
    boolean isSameTrial(TrafficPlan other) {
        return continues(other) && champion == other.champion && challenger == other.challenger;
    }

    /** For people: {@code 2 5 %} beside the rest. */
    public String words() {
        return switch (form) {
            case CANARY ->
                    "version %d answers %s of the requests, beside version %d"
                            .formatted(
                                    challenger,
                                    Units.percent(shares.getOrDefault(challenger, 0.0)),
                                    champion);
            case SHADOW ->
                    "version %d computes in the shadow of version %d"
                            .formatted(challenger, champion);
            case SPLIT ->
                    shares.entrySet().stream()
                            .map(
                                    each ->
                                            "version %d answers %s"
                                                    .formatted(
                                                            each.getKey(),
                                                            Units.percent(each.getValue())))
                            .collect(Collectors.joining(", "));
        };
    }
}
