package dev.medley.serving.registry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Derives from a model's events which version an alias leads to, and which one it led to before.
 *
 * @param versions by alias, the latest last; a roll-back takes the last one off
 */
record AliasHistory(Map<String, List<Integer>> versions) {
    static AliasHistory of(List<RegistryEvent> events) {
        Map<String, List<Integer>> found = new LinkedHashMap<>();
        for (RegistryEvent event : events) {
            List<Integer> led = found.computeIfAbsent(event.alias(), a -> new ArrayList<>());
            switch (event.kind()) {
                case PROMOTED -> led.add(event.version());
                case ROLLED_BACK -> {
                    int back = led.lastIndexOf(event.version());
                    if (back >= 0) { // What came after it is taken off.
                        led.subList(back + 1, led.size()).clear();
                    }
                }
                case REGISTERED, TRAFFIC, SETTLED, REMOVED -> {
                    // No alias is changed.
                }
            }
        }
        found.values().removeIf(List::isEmpty);
        return new AliasHistory(found);
    }

    /** To which version an alias leads. */
    OptionalInt current(String alias) {
        List<Integer> led = versions.getOrDefault(alias, List.of());
        return led.isEmpty() ? OptionalInt.empty() : OptionalInt.of(led.get(led.size() - 1));
    }

    /** The version before, another one. */
    OptionalInt before(String alias) {
        List<Integer> led = versions.getOrDefault(alias, List.of());
        return led.size() < 2 ? OptionalInt.empty() : OptionalInt.of(led.get(led.size() - 2));
    }

    /** Whether an alias led to a version before the one that it leads to now. */
    boolean ledTo(String alias, int version) {
        List<Integer> led = versions.getOrDefault(alias, List.of());
        return led.subList(0, Math.max(0, led.size() - 1)).contains(version);
    }

    /** Aliases that lead to a version. */
    List<String> aliases(int version) {
        return versions.keySet().stream()
                .filter(alias -> current(alias).orElse(0) == version)
                .toList();
    }
}
