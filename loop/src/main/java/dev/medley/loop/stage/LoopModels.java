package dev.medley.loop.stage;

import dev.medley.base.Json;
import dev.medley.loop.state.LoopState;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.VersionCard;
import dev.medley.serving.registry.VersionRemovals;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds the loop's models: versions are the registry's, so that people and {@code medley serve} see
 * the same; what they were made of is the loop's memory.
 *
 * @param registry with the versions
 * @param name of the model
 */
public record LoopModels(Registry registry, String name) {
    private static final String LAST = "last trained";

    /** Who does what a loop does, in the registry. */
    public static final String BY = "medley loop";

    /** The version in production. */
    public Optional<Integer> production() {
        if (!registry.names().contains(name)) {
            return Optional.empty();
        }
        return registry.versions(name).stream()
                .map(VersionCard::version)
                .filter(v -> registry.aliases(name, v).contains(Registry.PRODUCTION))
                .findFirst();
    }

    /** The deed by which a version was in production at a time, milliseconds since 1970. */
    public Optional<RegistryEvent> productionAt(long atMs) {
        return registry.names().contains(name)
                ? registry.ledBy(name, Registry.PRODUCTION, atMs)
                : Optional.empty();
    }

    /** Versions that the loop knows what they were made of, the first one first. */
    public List<VersionFacts> made(LoopState state) {
        return cards().stream().flatMap(card -> facts(state, card.version()).stream()).toList();
    }

    /** The same with versions that were removed from the registry since. */
    public List<VersionFacts> everMade(LoopState state) {
        if (!registry.names().contains(name)) {
            return List.of();
        }
        return registry.history(name).stream()
                .filter(deed -> deed.kind() == RegistryEvent.Kind.REGISTERED)
                .map(RegistryEvent::version)
                .sorted()
                .flatMap(version -> facts(state, version).stream())
                .toList();
    }

    /** Versions that have been in production, be it long ago. */
    public Set<Integer> everPromoted() {
        if (!registry.names().contains(name)) {
            return Set.of();
        }
        return registry.history(name).stream()
                .filter(deed -> deed.alias().equals(Registry.PRODUCTION))
                .map(RegistryEvent::version)
                .collect(Collectors.toSet());
    }

    /** Where versions were registered from that an alias leads to. */
    public List<Path> sourcesInUse() {
        return cards().stream()
                .filter(card -> !registry.aliases(name, card.version()).isEmpty())
                .map(card -> Path.of(card.source()))
                .toList();
    }

    /**
     * Removes versions of a folder's registry that the loop made, that were never used by anybody,
     * and that {@code isOld} says; the newest one stays, and the one that was trained last.
     *
     * @return how many
     */
    public int remove(LoopState state, Predicate<VersionFacts> isOld) {
        List<VersionFacts> made = made(state);
        if (made.isEmpty()) {
            return 0;
        }
        int last = lastTrained(state).map(VersionFacts::version).orElse(0);
        VersionRemovals removals = new VersionRemovals(registry);
        for (VersionFacts facts : made.subList(0, made.size() - 1)) {
            if (facts.version() != last && isOld.test(facts)) {
                removals.remove(name, facts.version(), BY, "never used, and older than keep says");
            }
        }
        return removals.sweep(name); // Those, too, of a run that was cut off before it took them.
    }

    private List<VersionCard> cards() {
        return registry.names().contains(name) ? registry.versions(name) : List.of();
    }

    /** The folder of a version. */
    public Path model(int version) {
        return registry.model(name, version);
    }

    /** The version that came of {@code model}: registered now, unless it was before. */
    public int registered(Path model, String why) {
        String source = model.toString();
        if (registry.names().contains(name)) {
            Optional<VersionCard> there =
                    registry.versions(name).stream()
                            .filter(card -> card.source().equals(source))
                            .findFirst();
            if (there.isPresent()) {
                return there.get().version();
            }
        }
        return registry.register(name, model, BY, why).version();
    }

    /** Puts a version into production, unless it is. */
    public void promote(int version, String why) {
        if (production().filter(v -> v == version).isEmpty()) {
            registry.promote(name, version, Registry.PRODUCTION, BY, why);
        }
    }

    /** What a version was made of; empty for one that the loop did not make. */
    public Optional<VersionFacts> facts(LoopState state, int version) {
        return state.fact(key(version)).map(node -> Json.bind(node, VersionFacts.class));
    }

    /** What the version in production was made of. */
    public Optional<VersionFacts> productionFacts(LoopState state) {
        return production().flatMap(version -> facts(state, version));
    }

    /** What the version that the loop trained last was made of, whether it was taken or not. */
    public Optional<VersionFacts> lastTrained(LoopState state) {
        return state.fact(LAST).map(node -> Json.bind(node, VersionFacts.class));
    }

    /** Remembers what a version was made of that a training made. */
    public void remember(LoopState state, VersionFacts facts) {
        rememberRunning(state, facts);
        state.remember(LAST, Json.tree(facts));
    }

    /** Remembers what a state of the running model was made of, which is no training. */
    public void rememberRunning(LoopState state, VersionFacts facts) {
        state.remember(key(facts.version()), Json.tree(facts));
    }

    private static String key(int version) {
        return "model " + version;
    }
}
