package dev.medley.fleet.cost.spot;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.util.List;

/** Finds policies for spot machines by the words that users choose them by. */
public final class SpotPolicies {
    private static final List<SpotPolicy> ALL =
            List.of(
                    new OnDemandOnly(),
                    new GreedySpot(),
                    new UniformProgress(),
                    new ValueOfTime(),
                    new ExpectedCost());

    private SpotPolicies() {}

    /** All of them, each with its safety net, in the order of docs/scheduling.md. */
    public static List<SpotPolicy> all() {
        return ALL.stream().<SpotPolicy>map(SafetyNet::new).toList();
    }

    /** The policy of that name, with its safety net; an unknown one is the user's error. */
    public static SpotPolicy named(String name) {
        List<String> names = ALL.stream().map(SpotPolicy::name).toList();
        return ALL.stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .map(SafetyNet::new)
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "there is no spot policy '%s'%s One of %s"
                                                .formatted(
                                                        name,
                                                        DidYouMean.of(name, names)
                                                                .map(
                                                                        "; did you mean %s?"
                                                                                ::formatted)
                                                                .orElse("."),
                                                        String.join(", ", names))));
    }
}
