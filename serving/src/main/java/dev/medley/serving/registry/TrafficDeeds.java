package dev.medley.serving.registry;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.Seeds;
import dev.medley.serving.registry.RegistryEvent.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Begins, changes and ends plans of traffic in a registry, as deeds of its history. A plan holds
 * until it is ended, or its alias leads to another version.
 *
 * <p>Thread: any; several processes may use one registry.
 */
public final class TrafficDeeds {
    private final Registry registry;

    /** Of a registry. */
    public TrafficDeeds(Registry registry) {
        this.registry = registry;
    }

    /** The plan of an alias that is in force. */
    public Optional<TrafficPlan> inForce(String name, String alias) {
        return inForce(registry.history(name), alias);
    }

    static Optional<TrafficPlan> inForce(List<RegistryEvent> events, String alias) {
        @Nullable TrafficPlan plan = null;
        for (RegistryEvent event : events) {
            if (event.alias().equals(alias)) { // A deed about the alias begins or ends a plan.
                plan = event.kind() == Kind.TRAFFIC ? event.plan() : null;
            }
        }
        return Optional.ofNullable(plan);
    }

    /**
     * Has a version answer a share of an alias's requests, and be judged.
     *
     * @throws dev.medley.base.ConfigException if it answers already, or is not there
     */
    public RegistryEvent canary(Deed deed, int version, double share, CanaryGoals goals) {
        return begin(
                deed,
                version,
                List.of(version),
                champion -> {
                    other(deed, champion, version);
                    return salt -> TrafficPlan.canary(champion, version, share, salt, goals);
                });
    }

    /** Has a version compute what an alias's requests ask for, and nobody get what it says. */
    public RegistryEvent shadow(Deed deed, int version) {
        return begin(
                deed,
                version,
                List.of(version),
                champion -> {
                    other(deed, champion, version);
                    return salt -> TrafficPlan.shadow(champion, version, salt);
                });
    }

    /** Has several versions answer an alias's requests. */
    public RegistryEvent split(Deed deed, Map<Integer, Double> shares) {
        return begin(
                deed,
                0,
                List.copyOf(shares.keySet()),
                champion -> salt -> TrafficPlan.split(champion, shares, salt));
    }

    /**
     * Ends the plan of an alias: the version that it leads to answers alone.
     *
     * @throws dev.medley.base.ConfigException if there is none
     */
    public RegistryEvent settle(Deed deed) {
        return registry.add(
                deed.name(),
                events -> {
                    Optional<TrafficPlan> plan = inForce(events, deed.alias());
                    check(
                            plan.isPresent(),
                            "%s@%s has no canary, shadow or split that could end",
                            deed.name(),
                            deed.alias());
                    return event(deed, Kind.SETTLED, plan.orElseThrow().champion(), null);
                });
    }

    /**
     * Ends a plan as a server decides: its version loses its share, or is promoted. Of several that
     * decide about one trial the first one's decision holds.
     *
     * @return the deed; empty if the trial was over already
     */
    public Optional<RegistryEvent> decide(Deed deed, TrafficPlan decided, Kind kind) {
        return Optional.ofNullable(
                registry.addIf(
                        deed.name(),
                        events -> {
                            Optional<TrafficPlan> plan = inForce(events, deed.alias());
                            if (plan.isEmpty() || !plan.get().isSameTrial(decided)) {
                                return null;
                            }
                            int version =
                                    kind == Kind.PROMOTED
                                            ? decided.challenger()
                                            : decided.champion();
                            return event(deed, kind, version, null);
                        }));
    }

    /**
     * Takes the next free seat of those that judge a trial.
     *
     * @param first what the server says of itself
     * @return from 1
     */
    public int seat(String name, TrafficPlan plan, byte[] first) {
        return registry.placedNext(name, trial(plan), first);
    }

    /** Writes what the server of a seat has seen by now. */
    public void tell(String name, TrafficPlan plan, int seat, byte[] seen) {
        registry.replace(name, trial(plan), seat, seen);
    }

    /** What servers of a trial have seen, by their seats. */
    public <T> List<T> told(String name, TrafficPlan plan, Class<T> type) {
        return registry.all(name, trial(plan), type);
    }

    private static String trial(TrafficPlan plan) {
        return "trials/" + Long.toHexString(plan.salt());
    }

    /**
     * Who does something to which alias, and why.
     *
     * @param name of the model
     */
    public record Deed(String name, String alias, String by, String why) {}

    private RegistryEvent begin(
            Deed deed,
            int challenger,
            List<Integer> versions,
            IntFunction<LongFunction<TrafficPlan>> form) {
        versions.forEach(version -> registry.find(deed.name(), "" + version));
        return registry.add(
                deed.name(),
                events -> {
                    int champion = AliasHistory.of(events).current(deed.alias()).orElse(0);
                    check(
                            champion > 0,
                            "%s@%s leads to no version: medley models promote %s VERSION makes it"
                                    + " lead to one, beside which others can be tried",
                            deed.name(),
                            deed.alias(),
                            deed.name());
                    TrafficPlan fresh = form.apply(champion).apply(salt(deed, events.size()));
                    TrafficPlan plan =
                            inForce(events, deed.alias())
                                    .filter(before -> before.form() == fresh.form())
                                    .filter(before -> before.challenger() == challenger)
                                    .map(before -> form.apply(champion).apply(before.salt()))
                                    .orElse(fresh);
                    return event(deed, Kind.TRAFFIC, challenger == 0 ? champion : challenger, plan);
                });
    }

    private static void other(Deed deed, int champion, int version) {
        check(
                champion != version,
                "%s@%s is version %d already: name another version to try beside it",
                deed.name(),
                deed.alias(),
                version);
    }

    private long salt(Deed deed, int deeds) {
        return Seeds.of(deed.name().hashCode(), deed.alias().hashCode(), deeds, registry.now());
    }

    private RegistryEvent event(Deed deed, Kind kind, int version, @Nullable TrafficPlan plan) {
        return new RegistryEvent(
                kind, version, deed.alias(), registry.now(), deed.by(), deed.why(), plan);
    }
}
