package dev.medley.serving.registry;

import dev.medley.base.ConfigException;
import dev.medley.serving.registry.RegistryEvent.Kind;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Takes files of versions away that no alias ever led to and no traffic was ever planned for. The
 * card and the deeds stay, and the number is given to no other. The deed is written first, so a cut
 * leaves a version that is removed already and whose files the next {@link #sweep} takes.
 *
 * <p>Thread: any; several processes may use one place.
 */
public final class VersionRemovals {
    private final Registry registry;

    /** Of a registry. */
    public VersionRemovals(Registry registry) {
        this.registry = registry;
    }

    /**
     * Removes a version, unless somebody has used it or removed it before.
     *
     * @return whether it is removed by this deed
     */
    public boolean remove(String name, int version, String by, String why) {
        RegistryEvent done =
                registry.addIf(
                        name,
                        events ->
                                isUsed(events, version) || of(events, version).isPresent()
                                        ? null
                                        : new RegistryEvent(
                                                Kind.REMOVED,
                                                version,
                                                "",
                                                registry.now(),
                                                by,
                                                why));
        return done != null;
    }

    /** Takes the files of all removed versions, as far as they are there; returns of how many. */
    public int sweep(String name) {
        TreeSet<Integer> removed = new TreeSet<>();
        registry.history(name).stream()
                .filter(event -> event.kind() == Kind.REMOVED)
                .forEach(event -> removed.add(event.version()));
        return (int) removed.stream().filter(v -> registry.takeModel(name, v)).count();
    }

    /** Whether an alias led to a version, or a plan of traffic named it, be it long ago. */
    static boolean isUsed(List<RegistryEvent> events, int version) {
        return events.stream()
                .filter(event -> event.kind() != Kind.REGISTERED && event.kind() != Kind.REMOVED)
                .anyMatch(event -> event.version() == version || isPlanned(event, version));
    }

    private static boolean isPlanned(RegistryEvent event, int version) {
        TrafficPlan plan = event.plan();
        return plan != null
                && (plan.champion() == version
                        || plan.challenger() == version
                        || plan.shares().containsKey(version));
    }

    /** The deed by which a version was removed. */
    static Optional<RegistryEvent> of(List<RegistryEvent> events, int version) {
        return events.stream()
                .filter(event -> event.kind() == Kind.REMOVED && event.version() == version)
                .findFirst();
    }

    /** Refuses a deed that would use a version that was removed meanwhile. */
    static void requireThere(String name, List<RegistryEvent> events, RegistryEvent next) {
        for (RegistryEvent removed : events) {
            if (removed.kind() == Kind.REMOVED
                    && next.kind() != Kind.REGISTERED
                    && isUsed(List.of(next), removed.version())) {
                throw isGone(name, removed);
            }
        }
    }

    /** What is said of a version that is no longer there. */
    static ConfigException isGone(String name, RegistryEvent removed) {
        return new ConfigException(
                "%s version %d was removed at %s by %s (%s): name another one"
                        .formatted(
                                name,
                                removed.version(),
                                removed.at(),
                                removed.by(),
                                removed.why()));
    }
}
