package dev.medley.serving.registry;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.text.DidYouMean;
import dev.medley.base.time.Clock;
import dev.medley.serving.registry.RegistryEvent.Kind;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.ScratchFolder;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.StoredModel;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps versions of models in a folder: {@code NAME/versions/N} is a model folder with its card,
 * and {@code NAME/events/N.json} is the Nth deed. What is true follows from the deeds alone. Each
 * file appears whole and is never changed; two who do something at the same time get two numbers.
 *
 * <p>Thread: any; several processes may use one folder.
 */
public final class Registry {
    /** The alias that is meant where none is named. */
    public static final String PRODUCTION = "production";

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String CARD = "card.json";
    private static final String VERSIONS = "versions";
    private static final String EVENTS = "events";
    private static final String MODEL = "model";

    private final Path folder;
    private final Clock clock;

    /** In a folder, which is made when something is registered. */
    public Registry(Path folder, Clock clock) {
        check(
                !Files.exists(folder) || Files.isDirectory(folder),
                "--registry %s: is no folder: name another",
                folder);
        this.folder = folder;
        this.clock = clock;
    }

    /** Names of all models, in order. */
    public List<String> names() {
        return children(folder).stream().filter(n -> WORD.matcher(n).matches()).sorted().toList();
    }

    /** Cards of all versions of a model, the first one first. */
    public List<VersionCard> versions(String name) {
        List<VersionCard> cards = new ArrayList<>();
        for (int version : numbers(require(name).resolve(VERSIONS), "")) {
            cards.add(card(name, version));
        }
        return cards;
    }

    /** All that was done to a model, in order. */
    public List<RegistryEvent> history(String name) {
        return all(require(name).resolve(EVENTS), RegistryEvent.class);
    }

    /** What is in numbered files, in order. */
    <T> List<T> all(Path numbered, Class<T> type) {
        List<T> all = new ArrayList<>();
        for (int number : numbers(numbered, ".json")) {
            all.add(read(numbered.resolve(number + ".json"), type));
        }
        return all;
    }

    /** A folder of a model's, for what belongs to it. */
    Path place(String name, String word) {
        return require(name).resolve(word);
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
        List<Integer> there = numbers(require(name).resolve(VERSIONS), "");
        if (wanted.matches("\\d{1,9}")) {
            int version = Integer.parseInt(wanted);
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

    /** The model folder of a version. */
    public Path model(String name, int version) {
        return folder.resolve(name).resolve(VERSIONS).resolve("" + version).resolve(MODEL);
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
        Path versions = folder.resolve(name).resolve(VERSIONS);
        try {
            Files.createDirectories(versions);
            Files.createDirectories(folder.resolve(name).resolve(EVENTS));
            while (true) {
                List<Integer> there = numbers(versions, "");
                int version = there.isEmpty() ? 1 : there.get(there.size() - 1) + 1;
                VersionCard card = card(version, stored.description(), model);
                if (published(model, versions.resolve("" + version), card)) {
                    add(name, events -> event(Kind.REGISTERED, version, "", by, why));
                    return card;
                }
            }
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: a version cannot be written: %s".formatted(versions, e), e);
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
        return read(model.resolve("model.json"), tools.jackson.databind.JsonNode.class)
                .path("weights")
                .path("sha256")
                .asString("");
    }

    /** Whether nobody else took the number meanwhile. */
    private static boolean published(Path model, Path target, VersionCard card) throws IOException {
        try (ScratchFolder scratch = ScratchFolder.beside(target)) {
            Path whole = Files.createDirectory(scratch.path().resolve("version"));
            Path copy = Files.createDirectory(whole.resolve(MODEL));
            try (Stream<Path> files = Files.list(model)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            AtomicFile.write(whole.resolve(CARD), Json.bytes(card));
            if (Files.exists(target)) {
                return false;
            }
            Files.move(whole, target);
            return true;
        } catch (FileSystemException e) {
            if (Files.exists(target)) {
                return false; // Somebody else was first.
            }
            throw e;
        } catch (WriteFailure e) {
            throw e.asConfigException();
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
            Path events = folder.resolve(name).resolve(EVENTS);
            List<Integer> numbers = numbers(events, ".json");
            int next = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
            List<RegistryEvent> before = history(name); // After the numbers: none is overlooked.
            RegistryEvent event = decision.apply(before);
            if (event == null) {
                return null;
            }
            if (isPlaced(events, next, Json.bytes(event))) {
                return event;
            }
        }
    }

    /** Writes a file under the next free number of a folder, which need not be there. */
    int placedNext(Path numbered, byte[] bytes) {
        try {
            Files.createDirectories(numbered);
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be made: %s".formatted(numbered, e), e);
        }
        while (true) {
            List<Integer> there = numbers(numbered, ".json");
            int next = there.isEmpty() ? 1 : there.get(there.size() - 1) + 1;
            if (isPlaced(numbered, next, bytes)) {
                return next;
            }
        }
    }

    private static boolean isPlaced(Path numbered, int number, byte[] bytes) {
        try (ScratchFolder scratch = ScratchFolder.beside(numbered.resolve("event"))) {
            Path whole = scratch.path().resolve("event");
            AtomicFile.write(whole, bytes);
            return placed(whole, numbered.resolve(number + ".json"));
        } catch (WriteFailure e) {
            throw e.asConfigException();
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be written: %s".formatted(numbered, e), e);
        }
    }

    /** Whether nobody took the place before: by a link, or a move where there are no links. */
    private static boolean placed(Path whole, Path target) throws IOException {
        try {
            Files.createLink(target, whole);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (UnsupportedOperationException | FileSystemException e) {
            try {
                Files.move(whole, target);
                return true;
            } catch (FileAlreadyExistsException late) {
                return false;
            }
        }
    }

    private Path require(String name) {
        List<String> names = names();
        check(
                names.contains(name),
                "there is no model %s in %s%s",
                name,
                folder,
                DidYouMean.of(name, names)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(names.isEmpty() ? ", which is empty" : ""));
        return folder.resolve(name);
    }

    private VersionCard card(String name, int version) {
        Path versions = folder.resolve(name).resolve(VERSIONS);
        return read(versions.resolve("" + version).resolve(CARD), VersionCard.class);
    }

    private static <T> T read(Path file, Class<T> type) {
        try {
            return Json.read(file, type);
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(file, e), e);
        }
    }

    private static List<Integer> numbers(Path folder, String ending) {
        return children(folder).stream()
                .filter(name -> name.matches("\\d{1,9}" + Pattern.quote(ending)))
                .map(name -> Integer.valueOf(name.substring(0, name.length() - ending.length())))
                .sorted()
                .toList();
    }

    private static List<String> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.map(child -> String.valueOf(child.getFileName())).toList();
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(folder, e), e);
        }
    }
}
