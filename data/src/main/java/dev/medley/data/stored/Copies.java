package dev.medley.data.stored;

import dev.medley.base.Json;
import dev.medley.base.job.StoreUrl;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.WritableFolder;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the copies of a bucket's objects. Beside each lies a hidden file that says of which version
 * it is; it goes before a copy is replaced and comes after, so that a copy with one is whole.
 *
 * <p>Thread: one at a time; objects come on threads of their own, each with its own connection.
 */
final class Copies {
    private static final int AT_ONCE = 8;
    private static final int ATTEMPTS = 3;
    private static final long TOLD_MILLIS = 200;
    private static final String PHASE = "fetching from %s (MB)";
    private static final long MB = 1_000_000;

    private final StoreUrl bucket;
    private final Path folder;
    private final PreparationProgress progress;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * Where a copy came from.
     *
     * @param endpoint of the store; null for Amazon's own
     * @param bytes of the object
     * @param version of the object
     */
    private record Origin(@Nullable String endpoint, long bytes, String version) {}

    Copies(
            StoreUrl bucket,
            Path folder,
            PreparationProgress progress,
            UnaryOperator<@Nullable String> environment) {
        this.bucket = bucket;
        this.folder = folder;
        this.progress = progress;
        this.environment = environment;
    }

    /** Brings those that are not here as they are in the store. */
    void bring(List<StoredObject> objects) throws IOException {
        Queue<StoredObject> missing = new ConcurrentLinkedQueue<>();
        long bytes = 0;
        for (StoredObject object : objects) {
            if (!isHere(object)) {
                missing.add(object);
                bytes += object.bytes();
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        WritableFolder.require(folder, bytes);
        AtomicLong come = new AtomicLong();
        List<CompletableFuture<Void>> fetchers = new ArrayList<>();
        for (int i = 0; i < Math.min(AT_ONCE, missing.size()); i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            fetchers.add(end);
            Thread thread = new Thread(() -> fetchAll(missing, come, end), "fetch-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        await(fetchers, missing, come, bytes);
    }

    private void await(
            List<CompletableFuture<Void>> fetchers,
            Queue<StoredObject> missing,
            AtomicLong come,
            long bytes)
            throws IOException {
        String phase = PHASE.formatted(bucket);
        CompletableFuture<Void> all =
                CompletableFuture.allOf(fetchers.toArray(CompletableFuture[]::new));
        while (true) {
            progress.at(phase, come.get() / MB, bytes / MB);
            try {
                Void unused = all.get(TOLD_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                continue; // Each request has its own deadline.
            } catch (ExecutionException e) {
                Throwable why = e.getCause() == null ? e : e.getCause();
                if (why instanceof RuntimeException wrong) {
                    throw wrong;
                }
                throw new IOException(why.getMessage(), e);
            } catch (InterruptedException e) {
                missing.clear();
                Thread.currentThread().interrupt();
                throw new IOException(bucket + ": interrupted", e);
            }
        }
    }

    private void fetchAll(
            Queue<StoredObject> missing, AtomicLong come, CompletableFuture<Void> end) {
        try (ObjectStore store = ObjectStore.open(bucket, environment)) {
            for (StoredObject next = missing.poll(); next != null; next = missing.poll()) {
                fetch(store, next, come);
            }
            end.complete(null);
        } catch (IOException | RuntimeException e) {
            missing.clear(); // One that cannot come is enough to stop for.
            end.completeExceptionally(e);
        }
    }

    /** One that is written anew meanwhile comes again: stretches of two versions are none. */
    private void fetch(ObjectStore store, StoredObject listed, AtomicLong come) throws IOException {
        String name = listed.name();
        Path file = listed.in(folder);
        StoredObject object = listed;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            StoredObject asked = object;
            Files.deleteIfExists(origin(file));
            AtomicFile.write(
                    file,
                    asked.bytes(),
                    out -> {
                        AtomicLong before = new AtomicLong();
                        store.fetch(
                                name,
                                asked.bytes(),
                                out,
                                now -> come.addAndGet(now - before.getAndSet(now)));
                    });
            Optional<StoredObject> now = store.look(name);
            if (now.isEmpty()) {
                break;
            }
            if (now.get().equals(asked)) {
                AtomicFile.write(origin(file), Json.bytes(origin(asked)));
                return;
            }
            object = now.get();
        }
        Files.deleteIfExists(file);
        throw new IOException(
                "%s/%s changes while it is read: try again when it is written"
                        .formatted(bucket, name));
    }

    private boolean isHere(StoredObject object) throws IOException {
        Path file = object.in(folder);
        try {
            return Files.size(file) == object.bytes()
                    && Json.parse(Files.readAllBytes(origin(file)), Origin.class)
                            .equals(origin(object));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private Origin origin(StoredObject object) {
        String own = environment.apply("AWS_ENDPOINT_URL_S3");
        String endpoint = own != null ? own : environment.apply("AWS_ENDPOINT_URL");
        return new Origin(endpoint, object.bytes(), object.version());
    }

    private static Path origin(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".origin");
    }

    /** Takes copies away that are below a folder and not in the store. */
    void keepOnly(String below, List<StoredObject> objects) throws IOException {
        Path top = folder.resolve(below);
        if (!Files.isDirectory(top)) {
            return;
        }
        Set<Path> kept =
                objects.stream().map(object -> object.in(folder)).collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(top)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.getFileName().toString().startsWith(".") && !kept.contains(file)) {
                    Files.deleteIfExists(origin(file));
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
