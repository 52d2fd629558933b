package dev.medley.serving.registry;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.StoreUrl;
import dev.medley.serving.registry.ModelCache.CachedFile;
import dev.medley.store.file.Checksum;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.StoreFailure;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keeps a registry in an object store. A file is an object that is written on condition that there
 * is none of its name, so that one of those who do something at the same time is first, and the
 * others know. A model's files lie below {@code .uploads/HASH}, the manifest last, and a version's
 * card says of which hash it is.
 *
 * <p>Thread: any; one waits for the store at a time.
 */
final class StorePlace implements RegistryPlace {
    private static final String CARD = "/card.json";
    private static final String MANIFEST = "manifest.json";
    private static final String CONDITION = ".conditional";
    private static final int MOST_KNOWN = 4096;

    private final StoreUrl url;
    private final ModelCache cache;
    private final ObjectStore store;
    private boolean isConditional;

    /** Versions of objects, as they were listed. */
    private final Map<String, String> listed = new HashMap<>();

    /** Small objects that were read, the one that was wanted least lately first. */
    private final Map<String, Known> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                    return size() > MOST_KNOWN;
                }
            };

    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    private record Known(String version, byte[] content) {}

    /**
     * An object that one writer alone can have written.
     *
     * @param token of the writer: a store may say that an object is there because an answer was
     *     lost, and the write was tried again
     */
    private record Signed(String token, JsonNode content) {}

    /**
     * A version.
     *
     * @param upload the hash of the manifest of its files
     */
    private record StoredVersion(VersionCard card, String upload) {}

    /** All files of a model. */
    private record Manifest(List<CachedFile> files) {}

    /** Asks nothing of the store yet. */
    StorePlace(StoreUrl url, ModelCache cache, UnaryOperator<@Nullable String> environment) {
        this.url = url;
        this.cache = cache;
        this.store = ObjectStore.open(url, environment);
    }

    /** Something that is asked of the store. */
    private interface Asked<T> {
        T answer() throws IOException;
    }

    private static <T> T asked(Asked<T> question) {
        try {
            return question.answer();
        } catch (IOException e) {
            throw new ConfigException(String.valueOf(StoreFailure.behind(e).getMessage()), e);
        }
    }

    @Override
    public synchronized List<String> children(String path) {
        String below = path.isEmpty() ? "" : path + "/";
        List<String> names = new ArrayList<>();
        for (StoredObject each : asked(() -> store.children(path))) {
            listed.put(each.name(), each.version());
            names.add(each.name().substring(below.length()).replaceAll("/$", ""));
        }
        return names;
    }

    @Override
    public synchronized byte[] read(String path) {
        String version = listed.getOrDefault(path, "");
        Known before = known.get(path);
        if (before != null && before.version().equals(version)) {
            return before.content();
        }
        byte[] content = asked(() -> store.read(path));
        byte[] inside = Json.bytes(signed(path, content).content());
        if (!version.isEmpty()) {
            known.put(path, new Known(version, inside));
        }
        return inside;
    }

    @Override
    public synchronized boolean create(String path, byte[] content) {
        requireConditions();
        Signed signed =
                new Signed(UUID.randomUUID().toString(), Json.parse(content, JsonNode.class));
        return asked(
                () ->
                        store.create(path, Json.bytes(signed))
                                || signed(path, store.read(path)).token().equals(signed.token()));
    }

    private Signed signed(String path, byte[] content) {
        return RegistryPlace.parsed(url + "/" + path, content, Signed.class);
    }

    @Override
    public synchronized void replace(String path, byte[] content) {
        Signed signed = new Signed("", Json.parse(content, JsonNode.class));
        asked(
                () -> {
                    store.write(path, Json.bytes(signed));
                    return path;
                });
        known.remove(path);
    }

    /** A store that takes the same name twice would lose deeds. */
    private void requireConditions() {
        if (isConditional) {
            return;
        }
        byte[] mark = "{}".getBytes(StandardCharsets.US_ASCII);
        boolean wasThere = asked(() -> !store.create(CONDITION, mark));
        isConditional = wasThere || asked(() -> !store.create(CONDITION, mark));
        check(
                isConditional,
                "--registry %s: this store replaces an object although it was asked not to"
                        + " (If-None-Match): two who do something at the same time would lose a"
                        + " deed; use one that heeds conditions, or a folder",
                url);
    }

    @Override
    public synchronized boolean publish(String version, Path model, VersionCard card) {
        requireConditions(); // Before anything large goes.
        return create(version + CARD, Json.bytes(new StoredVersion(card, upload(model))));
    }

    /** Brings a model's files there, unless all are; the manifest goes last. */
    private String upload(Path model) {
        return asked(
                () -> {
                    Manifest manifest = manifest(model);
                    byte[] bytes = Json.bytes(manifest);
                    Checksum checksum = Checksum.start(Checksum.Kind.SHA256);
                    checksum.update(ByteBuffer.wrap(bytes));
                    String hash = checksum.hex();
                    String folder = folder(hash);
                    if (store.look(folder + MANIFEST).isEmpty()) {
                        for (CachedFile file : manifest.files()) {
                            store.put(folder + file.name(), model.resolve(file.name()), gone -> {});
                        }
                        store.write(folder + MANIFEST, bytes);
                    }
                    return hash;
                });
    }

    private static Manifest manifest(Path model) throws IOException {
        List<CachedFile> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(model)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                all.add(
                        new CachedFile(
                                String.valueOf(file.getFileName()),
                                Files.size(file),
                                Checksum.of(file, Checksum.Kind.SHA256)));
            }
        }
        return new Manifest(all);
    }

    private static String folder(String hash) {
        return ".uploads/" + hash + "/";
    }

    @Override
    public VersionCard card(String version) {
        return stored(version).card();
    }

    private StoredVersion stored(String version) {
        return read(version + CARD, StoredVersion.class);
    }

    /** Versions of one hash share their objects, so they stay. */
    @Override
    public boolean takeModel(String version) {
        return false;
    }

    @Override
    public synchronized Path model(String version) {
        String hash = stored(version).upload();
        return asked(
                () -> {
                    String from = url + "/" + folder(hash);
                    byte[] bytes = store.read(folder(hash) + MANIFEST);
                    return cache.folder(
                            from,
                            hash,
                            RegistryPlace.parsed(from + MANIFEST, bytes, Manifest.class).files(),
                            (file, into) ->
                                    store.fetch(
                                            folder(hash) + file.name(),
                                            file.bytes(),
                                            into,
                                            come -> {}));
                });
    }

    @Override
    public String address(String version) {
        return url + "/" + folder(stored(version).upload()).replaceAll("/$", "");
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
