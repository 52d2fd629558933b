package dev.medley.data.stored;

import dev.medley.base.Json;
import dev.medley.base.job.StoreUrl;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.file.WritableFolder;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.StoreFailure;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
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

    /** A store asks for four of these at once; all that is under way comes within one deadline. */
    private static final long PIECE_BYTES = 8 << 20;

    private static final int MOST_OF_ONE = 4;
    private static final long TOLD_MILLIS = 200;
    private static final String PHASE = "fetching from %s (MB)";
    private static final long MB = 1_000_000;

    private final StoreUrl bucket;
    private final Path folder;
    private final PreparationProgress progress;
    private final UnaryOperator<@Nullable String> environment;

    /** Pieces that may be under way: a slow link and a small heap have to bear them. */
    private final Semaphore pieces = new Semaphore(AT_ONCE);

    private volatile boolean isStopped;

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
        Set<Path> swept = new HashSet<>();
        long bytes = 0;
        for (StoredObject object : objects) {
            if (!isHere(object)) {
                missing.add(object);
                bytes += object.bytes();
                clear(object.in(folder), swept);
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
        fetchers.forEach(one -> one.whenComplete((end, why) -> stopFor(why, all)));
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
                } else if (why instanceof Error error) {
                    throw error;
                }
                throw new IOException(why.getMessage(), e);
            } catch (InterruptedException e) {
                missing.clear();
                isStopped = true;
                Thread.currentThread().interrupt();
                throw new IOException(bucket + ": interrupted", e);
            }
        }
    }

    /** The first that cannot come is enough: a large one that is under way is not waited for. */
    private void stopFor(@Nullable Throwable why, CompletableFuture<Void> all) {
        if (why != null) {
            isStopped = true;
            all.completeExceptionally(why);
        }
    }

    private void fetchAll(
            Queue<StoredObject> missing, AtomicLong come, CompletableFuture<Void> end) {
        try (ObjectStore store = ObjectStore.open(bucket, environment)) {
            for (StoredObject next = missing.poll(); next != null; next = missing.poll()) {
                fetch(store, next, come);
            }
            end.complete(null);
        } catch (IOException | RuntimeException | Error e) { // Someone waits for the end.
            missing.clear();
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
            try {
                AtomicFile.write(file, asked.bytes(), out -> fetch(store, asked, out, come));
            } catch (IOException e) {
                throw StoreFailure.behind(e);
            }
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

    private void fetch(
            ObjectStore store, StoredObject object, WritableByteChannel out, AtomicLong come)
            throws IOException {
        int under = (int) Math.min(MOST_OF_ONE, 1 + object.bytes() / PIECE_BYTES);
        AtomicLong before = new AtomicLong();
        pieces.acquireUninterruptibly(under);
        try {
            store.fetch(
                    object.name(),
                    object.bytes(),
                    out,
                    now -> {
                        come.addAndGet(now - before.getAndSet(now));
                        if (isStopped) {
                            throw new CancellationException("another object cannot come");
                        }
                    });
        } finally {
            pieces.release(under);
        }
    }

    /**
     * Takes away what killed commands left where a copy comes, and what is in its way: a folder of
     * copies where there is an object now, or a copy where there is a folder now.
     */
    private void clear(Path file, Set<Path> swept) throws IOException {
        for (Path up = file.getParent();
                up != null && !up.equals(folder) && swept.add(up);
                up = up.getParent()) {
            if (Files.isRegularFile(up)) {
                Files.deleteIfExists(origin(up));
                Files.deleteIfExists(up);
            }
            AtomicFile.sweep(up);
        }
        if (swept.add(folder)) {
            AtomicFile.sweep(folder);
        }
        if (Files.isDirectory(file)) {
            AtomicFolder.delete(file);
        }
    }

    private boolean isHere(StoredObject object) throws IOException {
        Path file = object.in(folder);
        try {
            return Files.size(file) == object.bytes()
                    && Json.parse(Files.readAllBytes(origin(file)), Origin.class)
                            .equals(origin(object));
        } catch (FileSystemException e) {
            return false; // None is there, or a copy is where its folder is to be.
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
