package dev.medley.connect.landing;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotManifest;
import dev.medley.connect.snapshot.SnapshotPart;
import dev.medley.connect.snapshot.SnapshotVersion;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.ScratchFolder;
import dev.medley.store.object.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the snapshot of one table in an object store: objects of the same names as the files of its
 * folder. Parts are put before the manifest that names them, and removed after it no longer does,
 * so whoever reads the store finds one version whole, wherever a sync was cut off.
 *
 * <p>Exact as long as one sync at a time goes on with it, which its loop's lock sees to. A folder
 * and a store of which each has a version that the other lacks are refused.
 *
 * <p>Thread: one.
 */
public final class StoredSnapshot implements AutoCloseable {
    private static final String MANIFEST = "manifest.json";

    private final SnapshotFolder folder;
    private final StoreUrl url;
    private final ObjectStore store;

    private StoredSnapshot(SnapshotFolder folder, StoreUrl url, ObjectStore store) {
        this.folder = folder;
        this.url = url;
        this.store = store;
    }

    /**
     * Asks nothing of the store yet.
     *
     * @param place where all snapshots are, {@code s3://BUCKET/FOLDER}
     * @param table its folder there
     * @param environment a variable's value, null if it is not set: the store's keys
     */
    public static StoredSnapshot of(
            SnapshotFolder folder,
            String place,
            String table,
            UnaryOperator<@Nullable String> environment) {
        StoreUrl all = StoreUrl.of("snapshots", place);
        String below = all.folder().isEmpty() ? table : all.folder() + "/" + table;
        StoreUrl url = new StoreUrl(all.scheme(), all.bucket(), below);
        return new StoredSnapshot(folder, url, ObjectStore.open(url, environment));
    }

    /**
     * Brings what the store has and the folder lacks, as on a machine that has not been here.
     *
     * @throws ConfigException if both have gone on without the other
     * @throws IOException if the store does not answer, or gives other bytes than were put
     */
    public void pull() throws IOException {
        Optional<SnapshotManifest> there = stored();
        if (there.isEmpty()) {
            return;
        }
        Optional<SnapshotManifest> here = folder.manifest();
        if (here.isPresent() && isOlderOrSame(there.get(), here.get())) {
            return;
        }
        ConfigException.check(
                here.isEmpty() || isOlderOrSame(here.get(), there.get()),
                "%s and %s have each gone on without the other: remove the folder, to go on with"
                        + " what the store has, or the objects, to go on with the folder's",
                folder.path(),
                url);
        Map<String, SnapshotPart> known = here.map(StoredSnapshot::parts).orElse(Map.of());
        for (SnapshotPart part : parts(there.get()).values()) {
            Path file = folder.path().resolve(part.file());
            if (!part.equals(known.get(part.file())) || !Files.exists(file)) {
                fetch(part, file);
            }
        }
        AtomicFile.write(folder.path().resolve(MANIFEST), store.read(MANIFEST));
    }

    private void fetch(SnapshotPart part, Path file) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        try (ScratchFolder scratch = ScratchFolder.beside(file)) {
            Path copy = scratch.path().resolve("part");
            store.fetch(part.file(), part.bytes(), copy, bytes -> {});
            if (!Checksum.of(copy, Checksum.Kind.XXH64).equals(part.checksum())) {
                throw new IOException(
                        "%s/%s: its bytes are not those that were put there: bring it back from a copy"
                                .formatted(url, part.file()));
            }
            AtomicFile.publish(copy, file);
        }
    }

    /**
     * Puts what the folder has and the store lacks.
     *
     * @throws IOException if the store does not take it; the next call puts the rest
     */
    public void push() throws IOException {
        Optional<SnapshotManifest> here = folder.manifest();
        if (here.isEmpty()) {
            return;
        }
        Optional<SnapshotManifest> there = stored();
        ConfigException.check(
                there.isEmpty() || isOlderOrSame(there.get(), here.get()),
                "%s: another sync has gone on here meanwhile: sync again",
                url);
        byte[] manifest = Files.readAllBytes(folder.path().resolve(MANIFEST));
        if (there.isPresent() && Arrays.equals(manifest, store.read(MANIFEST))) {
            return;
        }
        Map<String, SnapshotPart> known = there.map(StoredSnapshot::parts).orElse(Map.of());
        for (SnapshotPart part : parts(here.get()).values()) {
            if (!part.equals(known.get(part.file()))) {
                store.put(part.file(), folder.path().resolve(part.file()), bytes -> {});
            }
        }
        store.write(MANIFEST, manifest);
        for (String file : known.keySet()) {
            if (!here.get().hasPart(file)) {
                store.delete(file);
            }
        }
    }

    private Optional<SnapshotManifest> stored() throws IOException {
        return store.look(MANIFEST).isEmpty()
                ? Optional.empty()
                : Optional.of(SnapshotFolder.manifest(url.toString(), store.read(MANIFEST)));
    }

    /** Whether {@code later} is {@code early} or has gone on from it. */
    private static boolean isOlderOrSame(SnapshotManifest early, SnapshotManifest later) {
        SnapshotVersion last = early.latest();
        return early.syncs() <= later.syncs()
                && later.versions().stream()
                        .anyMatch(
                                version ->
                                        version.number() == last.number()
                                                && version.rows() == last.rows()
                                                && version.rowsChecksum()
                                                        .equals(last.rowsChecksum())
                                                && version.knownAtMicros() == last.knownAtMicros());
    }

    private static Map<String, SnapshotPart> parts(SnapshotManifest manifest) {
        Map<String, SnapshotPart> parts = new HashMap<>();
        manifest.versions().forEach(v -> v.parts().forEach(part -> parts.put(part.file(), part)));
        return parts;
    }

    @Override
    public void close() {
        store.close();
    }
}
