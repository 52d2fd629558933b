package dev.medley.data.dataset;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec;
import dev.medley.data.shard.ShardFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps prepared sets in a cache on disk. A set is a folder named by its key; it is made under
 * another name and renamed when it is whole. A stamp leads from files that have not changed to
 * their key without reading them. Sets that nobody uses go when the limit is reached, the longest
 * unused first.
 *
 * <p>Several processes may use one cache: whoever renames first wins, the others take what is
 * there.
 */
final class PreparedFolder {
    private static final String VALUE = "prepared.json";
    private static final String USED = "used";
    private static final String TEMPORARY = "tmp-";

    private final Path root;

    PreparedFolder(Path root) {
        this.root = root;
        try {
            Files.createDirectories(stamps());
        } catch (IOException e) {
            throw new ConfigException(
                    "the data cache %s cannot be made: %s; name another folder or free some room"
                            .formatted(root, e),
                    e);
        }
    }

    /** The key that a stamp leads to. */
    Optional<String> keyOf(String stamp) throws IOException {
        try {
            return Optional.of(Files.readString(stamps().resolve(stamp)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** The prepared set of that key, if it is here and its files have their lengths. */
    Optional<PreparedData> find(String key, DataSpec spec) throws IOException {
        Path folder = root.resolve(key);
        if (!Files.exists(folder.resolve(VALUE))) {
            return Optional.empty();
        }
        PreparedData data = Json.read(folder.resolve(VALUE), PreparedData.class);
        if (!isWhole(folder, data.train()) || !isWhole(folder, data.validation())) {
            delete(folder);
            return Optional.empty();
        }
        touch(folder);
        return Optional.of(data.in(folder, spec));
    }

    /** Makes a set with {@code work} and puts it in place, or leaves nothing. */
    PreparedData make(String key, DataSpec spec, Work work) throws IOException {
        sweep();
        Path temporary = Files.createTempDirectory(root, TEMPORARY);
        try (InUse unused = InUse.making(temporary)) {
            PreparedData data = work.prepare(temporary);
            Files.write(temporary.resolve(VALUE), Json.bytes(data));
            touch(temporary);
            evict(spec.cache().diskBytes() - bytes(temporary));
            publish(temporary, root.resolve(key));
            return data.in(root.resolve(key), spec);
        } finally {
            if (Files.exists(temporary)) {
                delete(temporary);
            }
        }
    }

    /** What is done in a temporary folder. */
    @FunctionalInterface
    interface Work {
        PreparedData prepare(Path folder) throws IOException;
    }

    /** Remembers that unchanged files with this stamp have that key. */
    void stamp(String stamp, String key) throws IOException {
        Path temporary = Files.createTempFile(stamps(), TEMPORARY, "");
        Files.writeString(temporary, key);
        Files.move(temporary, stamps().resolve(stamp), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void publish(Path temporary, Path target) throws IOException {
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another process was faster with the same key, and so with the same content.
            if (!Files.exists(target.resolve(VALUE))) {
                throw e;
            }
        }
    }

    private static boolean isWhole(Path folder, ShardFile file) throws IOException {
        if (file.samples() == 0) {
            return true;
        }
        Path path = folder.resolve(file.name());
        return Files.exists(path) && Files.size(path) >= file.endByte();
    }

    /** Removes what killed processes left: their locks are gone. */
    private void sweep() throws IOException {
        for (Path folder : folders()) {
            if (folder.getFileName().toString().startsWith(TEMPORARY) && InUse.isNobody(folder)) {
                delete(folder);
            }
        }
    }

    /**
     * Removes the sets that were not used for the longest time until those in use and others fit.
     */
    private void evict(long limitBytes) throws IOException {
        List<Path> sets = new ArrayList<>();
        long total = 0;
        for (Path folder : folders()) {
            if (Files.exists(folder.resolve(USED))
                    && !folder.getFileName().toString().startsWith(TEMPORARY)) {
                sets.add(folder);
                total += bytes(folder);
            }
        }
        sets.sort(Comparator.comparing(PreparedFolder::lastUsed));
        for (Path set : sets) {
            if (total <= limitBytes) {
                return;
            }
            if (InUse.isNobody(set)) {
                total -= bytes(set);
                delete(set);
            }
        }
    }

    private static java.nio.file.attribute.FileTime lastUsed(Path folder) {
        try {
            return Files.getLastModifiedTime(folder.resolve(USED));
        } catch (IOException e) {
            return java.nio.file.attribute.FileTime.fromMillis(0);
        }
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.list(root)) {
            return all.filter(Files::isDirectory).filter(p -> !p.equals(stamps())).toList();
        }
    }

    private static long bytes(Path folder) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    /** The file system's own clock tells when a set was used last. */
    private static void touch(Path folder) {
        try {
            Files.write(folder.resolve(USED), new byte[] {1});
        } catch (IOException e) {
            // A cache that cannot be written can still be read.
            return;
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private Path stamps() {
        return root.resolve("stamps");
    }
}
