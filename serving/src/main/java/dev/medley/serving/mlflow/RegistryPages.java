package dev.medley.serving.mlflow;

import dev.medley.base.ConfigException;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.VersionCard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells of a registry of models as MLflow does. */
final class RegistryPages {
    private static final int USUAL = 100;
    private static final Pattern OF_NAME = Pattern.compile("\\s*name\\s*=\\s*'([^']*)'\\s*");

    private final Registry registry;

    RegistryPages(Registry registry) {
        this.registry = registry;
    }

    /** {@code registered-models/search}. */
    Map<String, Object> models(MlflowQuestion asked) {
        List<String> names = named(asked);
        return asked.page("registered_models", names.stream().map(this::model).toList(), USUAL);
    }

    /** {@code registered-models/get}. */
    Map<String, Object> model(MlflowQuestion asked) {
        return Map.of("registered_model", model(known(asked.text("name"))));
    }

    /** {@code registered-models/get-latest-versions}: the newest one. */
    Map<String, Object> latest(MlflowQuestion asked) {
        String name = known(asked.text("name"));
        return Map.of("model_versions", List.of(newest(name)));
    }

    /** {@code model-versions/search}. */
    Map<String, Object> versions(MlflowQuestion asked) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (String name : named(asked)) {
            registry.versions(name).forEach(card -> all.add(version(name, card)));
        }
        return asked.page("model_versions", all, USUAL);
    }

    /** {@code model-versions/get}. */
    Map<String, Object> version(MlflowQuestion asked) {
        String name = known(asked.text("name"));
        return Map.of("model_version", version(name, card(name, asked.text("version"))));
    }

    /** {@code registered-models/alias}: the version to which an alias leads. */
    Map<String, Object> alias(MlflowQuestion asked) {
        String name = known(asked.text("name"));
        String alias = asked.text("alias");
        if (alias.matches("[0-9]+")) {
            throw MlflowFailure.missing("model '%s' has no alias '%s'".formatted(name, alias));
        }
        return Map.of("model_version", version(name, card(name, alias)));
    }

    /** {@code model-versions/get-download-uri}. */
    Map<String, Object> place(MlflowQuestion asked) {
        String name = known(asked.text("name"));
        VersionCard card = card(name, asked.text("version"));
        return Map.of("artifact_uri", uri(name, card));
    }

    private List<String> named(MlflowQuestion asked) {
        String filter = asked.textOrNull("filter");
        if (filter == null || filter.isBlank()) {
            return registry.names();
        }
        Matcher name = OF_NAME.matcher(filter);
        if (!name.matches()) {
            throw MlflowFailure.invalid(
                    "filter \"%s\": name='NAME' is the one that is read here".formatted(filter));
        }
        return registry.names().stream().filter(name.group(1)::equals).toList();
    }

    private String known(String name) {
        if (!registry.names().contains(name)) {
            throw MlflowFailure.missing("there is no registered model '%s'".formatted(name));
        }
        return name;
    }

    private VersionCard card(String name, String wanted) {
        try {
            int version = registry.find(name, wanted);
            return registry.versions(name).stream()
                    .filter(card -> card.version() == version)
                    .findFirst()
                    .orElseThrow(() -> MlflowFailure.missing(name + " has no version " + wanted));
        } catch (ConfigException e) {
            throw MlflowFailure.missing(String.valueOf(e.getMessage()));
        }
    }

    private Map<String, Object> newest(String name) {
        List<VersionCard> all = registry.versions(name);
        return version(name, all.get(all.size() - 1));
    }

    private Map<String, Object> model(String name) {
        List<RegistryEvent> history = registry.history(name);
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("name", name);
        if (!history.isEmpty()) {
            told.put("creation_timestamp", history.get(0).atMillis());
            told.put("last_updated_timestamp", history.get(history.size() - 1).atMillis());
        }
        List<VersionCard> all = registry.versions(name);
        List<Map<String, String>> aliases = new ArrayList<>();
        for (VersionCard card : all) {
            for (String alias : registry.aliases(name, card.version())) {
                aliases.add(Map.of("alias", alias, "version", "" + card.version()));
            }
        }
        told.put("aliases", aliases);
        told.put("latest_versions", all.isEmpty() ? List.of() : List.of(newest(name)));
        return told;
    }

    private Map<String, Object> version(String name, VersionCard card) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("name", name);
        told.put("version", "" + card.version());
        registry.history(name).stream()
                .filter(event -> event.version() == card.version())
                .findFirst()
                .ifPresent(event -> told.put("creation_timestamp", event.atMillis()));
        told.put("current_stage", "None");
        told.put("source", uri(name, card));
        told.put("run_id", card.run());
        told.put("status", "READY");
        told.put("aliases", registry.aliases(name, card.version()));
        List<Map<String, String>> tags = new ArrayList<>();
        tags.add(Map.of("key", "medley.family", "value", card.family()));
        card.metrics()
                .forEach(
                        (key, value) ->
                                tags.add(Map.of("key", "medley." + key, "value", "" + value)));
        told.put("tags", tags);
        return told;
    }

    private String uri(String name, VersionCard card) {
        return registry.address(name, card.version());
    }
}
