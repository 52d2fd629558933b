package dev.medley.serving.registry;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.text.DidYouMean;
import dev.medley.base.time.Clock;
import dev.medley.serving.registry.RegistryEvent.Kind;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.StoredModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keeps versions of models in a folder or an object store: {@code NAME/versions/N} is a model with
 * its card, and {@code NAME/events/N.json} is the Nth deed. What is true follows from the deeds
 * alone. Each file appears whole and is never changed; two who do something at the same time get
 * two numbers.
 *
 * <p>Thread: any; several processes may use one place.
 */
public final class Registry {
    /** The alias that is meant where none is named. */
    public static final String PRODUCTION = "production";

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String VERSIONS = "/versions";
    private static final String EVENTS = "/events";
    private static final String JSON = ".json";

    private final RegistryPlace place;
    private final Clock clock;

    /** In a folder, which is made when something is registered. */
    public Registry(Path folder, Clock clock) {
        this(new FolderPlace(folder), clock);
    }

    private Registry(RegistryPlace place, Clock clock) {
        this.place = place;
        this.clock = clock;
    }

    /**
     * In a folder, or in an object store: {@code s3://BUCKET/FOLDER}.
     *
     * @param cache folder for copies of a store's models, beyond 16 GiB without the oldest
     * @param environment a variable's value, null if it is not set: see {@link
     *     dev.medley.store.object.ObjectStore#open}
     */
    public static Registry at(
            String where, Path cache, UnaryOperator<@Nullable String> environment, Clock clock) {
        if (!StoreUrl.isUrl(where)) {
            return new Registry(Path.of(where), clock);
        }
        StoreUrl url = StoreUrl.of("--registry", where);
        return url.scheme() == StoreUrl.Scheme.FILE
                ? new Registry(Path.of(url.folder()), clock)
                : new Registry(
                        new StorePlace(
                                url, new ModelCache(cache, ModelCache.USUAL_BYTES), environment),
                        clock);
    }

    /** Names of all models, in order. */
    public List<String> names() {
        return place.children("").stream().filter(n -> WORD.matcher(n).matches()).sorted().toList();
    }

    /** Cards of all versions of a model that are not removed, the first one first. */
    public List<VersionCard> versions(String name) {
        List<VersionCard> cards = new ArrayList<>();
        for (int version : numbersThere(name, history(name))) {
            cards.add(place.card(version(name, version)));
        }
        return cards;
    }

    private List<Integer> numbersThere(String name, List<RegistryEvent> events) {
        return numbersOf(name, VERSIONS, "").stream()
                .filter(version -> VersionRemovals.of(events, version).isEmpty())
                .toList();
    }

    /** All that was done to a model, in order. */
    public List<RegistryEvent> history(String name) {
        return read(name + EVENTS, numbersOf(name, EVENTS, JSON), RegistryEvent.class);
    }

    /** What is in numbered files of a model, in order. */
    <T> List<T> all(String name, String below, Class<T> type) {
        String numbered = name + "/" + below;
        return read(numbered, numbers(numbered, JSON), type);
    }

    private <T> List<T> read(String numbered, List<Integer> numbers, Class<T> type) {
        List<T> all = new ArrayList<>();
        for (int number : numbers) {
            all.add(place.read(numbered + "/" + number + JSON, type));
        }
        return all;
    }

    private static String version(String name, int version) {
        return name + VERSIONS + "/" + version;
    }

    /** Aliases that lead to a version. */
    public List<String> aliases(String name, int version) {
        return AliasHistory.of(history(name)).aliases(version);
    }

    /**
     * The version that is meant by a number, or by an alias.
     *
     * @throws ConfigException if there is none
     */
    public int find(String name, String wanted) {
        if (wanted.matches("\\d{1,9}")) {
            int version = Integer.parseInt(wanted);
            List<RegistryEvent> events = history(name);
            VersionRemovals.of(events, version)
                    .ifPresent(
                            removed -> {
                                throw VersionRemovals.isGone(name, removed);
                            });
            List<Integer> there = numbersThere(name, events);
            check(there.contains(version), "%s has no version %d; it has %s", name, version, there);
            return version;
        }
        AliasHistory history = AliasHistory.of(history(name));
        OptionalInt found = history.current(wanted);
        check(
                found.isPresent(),
                "%s@%s leads to no version%s; medley models promote %s VERSION --alias %s makes it"
                        + " lead to one",
                name,
                wanted,
                DidYouMean.of(wanted, history.versions().keySet())
                        .map(near -> " (did you mean " + near + "?)")
                        .orElse(""),
                name,
                wanted);
        return found.orElseThrow();
    }

    /** The model folder of a version; a store's is brought to this machine. */
    public Path model(String name, int version) {
        return place.model(version(name, version));
    }

    /** Takes the files of a version's model; whether they were there. */
    boolean takeModel(String name, int version) {
        return place.takeModel(version(name, version));
    }

    /** Where a version's model lies, as others may be told. */
    public String address(String name, int version) {
        return place.address(version(name, version));
    }

    /**
     * Copies a model into the registry, as its next version.
     *
     * @throws ConfigException if it is no model, or the name is none
     */
    public VersionCard register(String name, Path model, String by, String why) {
        check(
                WORD.matcher(name).matches(),
                "'%s' is no name of a model: use up to 100 letters, digits, and . _ -",
                name);
        StoredModel stored = ModelFolder.read(model); // Verified, before anything is copied.
        while (true) {
            List<Integer> there = numbers(name + VERSIONS, "");
            int version = there.isEmpty() ? 1 : there.get(there.size() - 1) + 1;
            VersionCard card = card(version, stored.description(), model);
            if (place.publish(version(name, version), model, card)) {
                add(name, events -> event(Kind.REGISTERED, version, "", by, why));
                return card;
            }
        }
    }

    private static VersionCard card(int version, ModelDescription description, Path model) {
        Map<String, Double> metrics = new HashMap<>(description.metrics());
        return new VersionCard(
                version,
                description.model().family(),
                description.provenance().run(),
                description.provenance().dataHash(),
                metrics,
                description.signature(),
                weightsHash(model),
                model.toAbsolutePath().normalize().toString());
    }

    private static String weightsHash(Path model) {
        Path file = model.resolve("model.json");
        try {
            return Json.read(file, JsonNode.class).path("weights").path("sha256").asString("");
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(file, e), e);
        }
    }

    /**
     * Makes an alias lead to a version.
     *
     * @return the deed
     * @throws ConfigException if it does already, or there is no such version
     */
    public RegistryEvent promote(String name, int version, String alias, String by, String why) {
        check(
                WORD.matcher(alias).matches() && !alias.matches("\\d+"),
                "'%s' is no alias: use letters, digits, and . _ -, not digits alone",
                alias);
        find(name, "" + version);
        return add(
                name,
                events -> {
                    OptionalInt now = AliasHistory.of(events).current(alias);
                    check(
                            now.isEmpty() || now.getAsInt() != version,
                            "%s@%s is version %d already",
                            name,
                            alias,
                            version);
                    return event(Kind.PROMOTED, version, alias, by, why);
                });
    }

    /**
     * Makes an alias lead to the version before.
     *
     * @return the deed, with that version
     * @throws ConfigException if there was none
     */
    public RegistryEvent rollback(String name, String alias, String by, String why) {
        return add(
                name,
                events -> {
                    OptionalInt before = AliasHistory.of(events).before(alias);
                    check(
                            before.isPresent(),
                            "%s@%s led to no other version before: promote the one that you mean",
                            name,
                            alias);
                    return event(Kind.ROLLED_BACK, before.orElseThrow(), alias, by, why);
                });
    }

    /**
     * Makes an alias lead to a version again that it led to before.
     *
     * @return the deed
     * @throws ConfigException if it did not
     */
    public RegistryEvent rollback(String name, String alias, int to, String by, String why) {
        return add(
                name,
                events -> {
                    check(
                            AliasHistory.of(events).ledTo(alias, to),
                            "%s@%s did not lead to version %d before: medley models promote %s %d"
                                    + " makes it lead there for the first time",
                            name,
                            alias,
                            to,
                            name,
                            to);
                    return event(Kind.ROLLED_BACK, to, alias, by, why);
                });
    }

    /** The version that an alias led to before the one of now; empty for none. */
    public OptionalInt before(String name, String alias) {
        return AliasHistory.of(history(name)).before(alias);
    }

    /** The deed by which an alias led where it did at a time; empty where it led nowhere. */
    public Optional<RegistryEvent> ledBy(String name, String alias, long atMillis) {
        List<RegistryEvent> events =
                history(name).stream().filter(event -> event.atMillis() <= atMillis).toList();
        OptionalInt version = AliasHistory.of(events).current(alias);
        return events.stream()
                .filter(e -> e.kind() == Kind.PROMOTED || e.kind() == Kind.ROLLED_BACK)
                .filter(e -> e.alias().equals(alias) && e.version() == version.orElse(0))
                .reduce((earlier, later) -> later);
    }

    /** Wall time of a deed. */
    long now() {
        return clock.wallMillis();
    }

    private RegistryEvent event(Kind kind, int version, String alias, String by, String why) {
        return new RegistryEvent(kind, version, alias, clock.wallMillis(), by, why);
    }

    /**
     * Writes a deed under the next number. Where somebody else takes that number first, what is to
     * be done is decided again, by what he did.
     */
    RegistryEvent add(String name, Function<List<RegistryEvent>, RegistryEvent> decision) {
        return Objects.requireNonNull(addIf(name, decision));
    }

    /** The same where by what others did nothing may be left to do: then it is null. */
    @Nullable RegistryEvent addIf(
            String name, Function<List<RegistryEvent>, @Nullable RegistryEvent> decision) {
        require(name);
        while (true) {
            List<Integer> numbers = numbers(name + EVENTS, JSON);
            int next = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
            List<RegistryEvent> before = read(name + EVENTS, numbers, RegistryEvent.class);
            RegistryEvent event = decision.apply(before);
            if (event == null) {
                return null;
            }
            VersionRemovals.requireThere(name, before, event);
            if (place.create(name + EVENTS + "/" + next + JSON, Json.bytes(event))) {
                return event;
            }
        }
    }

    /** Writes a file under the next free number of a folder of a model's. */
    int placedNext(String name, String below, byte[] bytes) {
        String numbered = name + "/" + below;
        while (true) {
            List<Integer> there = numbers(numbered, JSON);
            int next = there.isEmpty() ? 1 : there.get(there.size() - 1) + 1;
            if (place.create(numbered + "/" + next + JSON, bytes)) {
                return next;
            }
        }
    }

    /** Puts a numbered file in place of the one that is there. */
    void replace(String name, String below, int number, byte[] bytes) {
        place.replace(name + "/" + below + "/" + number + JSON, bytes);
    }

    private void require(String name) {
        List<String> names = names();
        check(
                names.contains(name),
                "there is no model %s in %s%s",
                name,
                place,
                DidYouMean.of(name, names)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(names.isEmpty() ? ", which is empty" : ""));
    }

    /** Numbers of a model that has to be there. */
    private List<Integer> numbersOf(String name, String below, String ending) {
        List<Integer> numbers =
                WORD.matcher(name).matches() ? numbers(name + below, ending) : List.of();
        if (numbers.isEmpty()) {
            require(name);
        }
        return numbers;
    }

    private List<Integer> numbers(String path, String ending) {
        return place.children(path).stream()
                .filter(name -> name.matches("\\d{1,9}" + Pattern.quote(ending)))
                .map(name -> Integer.valueOf(name.substring(0, name.length() - ending.length())))
                .sorted()
                .toList();
    }
}
