package dev.medley.serving.registry;

import dev.medley.base.time.Clock;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Holds copies of models on this machine, by the hash of what they hold. Beyond a bound those go
 * that were wanted least lately, but none that a process here uses: a file lock says so.
 *
 * <p>Thread: any; several processes may use one folder.
 */
final class ModelCache {
    /** The bound of usual use. */
    static final long USUAL_BYTES = 16L << 30;

    /** Of those that a process wanted, so many are kept for it: it may load one again. */
    private static final int MOST_HELD = 8;

    private static final String USED = ".used";

    /** What this process uses, the one that it wanted last at the end. */
    private static final Map<Path, FileChannel> HELD = new LinkedHashMap<>();

    private final Path root;
    private final long mostBytes;

    /** In a folder, which is made. */
    ModelCache(Path root, long mostBytes) {
        this.root = root.toAbsolutePath();
        this.mostBytes = mostBytes;
    }

    /** A file as it has to be. */
    record CachedFile(String name, long bytes, String sha256) {}

    /** Brings a file. */
    interface Source {
        void fetch(CachedFile file, Path into) throws IOException;
    }

    /**
     * The folder of a model; what is not here, or damaged, is fetched.
     *
     * @param from where, for messages
     * @throws IOException also if what comes is not what it has to be
     */
    Path folder(String from, String hash, List<CachedFile> files, Source source)
            throws IOException {
        Path folder = new StoredObject(hash, 0, "").in(root);
        Files.createDirectories(root);
        hold(folder);
        if (!isWhole(folder, files)) {
            AtomicFile.sweep(root);
            long bytes = files.stream().mapToLong(CachedFile::bytes).sum();
            makeRoom(bytes);
            try {
                AtomicFolder.write(folder, bytes, into -> fill(into, from, files, source));
            } catch (WriteFailure e) {
                throw e.getCause() instanceof Damaged damaged ? damaged : e;
            }
        }
        return folder;
    }

    /** Not the disk's fault. */
    private static final class Damaged extends IOException {
        private static final long serialVersionUID = 1L;

        Damaged(String message) {
            super(message);
        }
    }

    private static void fill(Path into, String from, List<CachedFile> files, Source source)
            throws IOException {
        for (CachedFile file : files) {
            Path copy = new StoredObject(file.name(), file.bytes(), "").in(into);
            source.fetch(file, copy);
            String sha256 = Checksum.of(copy, Checksum.Kind.SHA256);
            if (!sha256.equals(file.sha256())) {
                throw new Damaged(
                        "%s%s: damaged on its way or in the store: its SHA-256 is %s, not %s"
                                .formatted(from, file.name(), sha256, file.sha256()));
            }
        }
    }

    private static boolean isWhole(Path folder, List<CachedFile> files) throws IOException {
        for (CachedFile file : files) {
            Path copy = new StoredObject(file.name(), file.bytes(), "").in(folder);
            if (!Files.isRegularFile(copy)
                    || Files.size(copy) != file.bytes()
                    || !Checksum.of(copy, Checksum.Kind.SHA256).equals(file.sha256())) {
                return false;
            }
        }
        return true;
    }

    /** Keeps other processes from taking it away, until others were wanted after it. */
    private static void hold(Path folder) throws IOException {
        synchronized (HELD) {
            FileChannel before = HELD.remove(folder);
            FileChannel channel = before == null ? open(folder) : before;
            if (before == null) {
                locked(channel, true);
            }
            HELD.put(folder, channel);
            Files.setLastModifiedTime(
                    used(folder), FileTime.fromMillis(Clock.system().wallMillis()));
            if (HELD.size() > MOST_HELD) {
                Iterator<FileChannel> oldest = HELD.values().iterator();
                oldest.next().close();
                oldest.remove();
            }
        }
    }

    private void makeRoom(long bytes) throws IOException {
        synchronized (HELD) {
            List<Path> others = new ArrayList<>();
            long total = bytes;
            try (Stream<Path> all = Files.list(root)) {
                for (Path folder : all.filter(Files::isDirectory).toList()) {
                    total += size(folder);
                    if (!HELD.containsKey(folder)
                            && !String.valueOf(folder.getFileName()).startsWith(".")) {
                        others.add(folder);
                    }
                }
            }
            others.sort(Comparator.comparingLong(ModelCache::wantedMillis));
            for (Path folder : others) {
                if (total <= mostBytes) {
                    return;
                }
                long freed = size(folder);
                try (FileChannel channel = open(folder)) {
                    if (locked(channel, false)) {
                        AtomicFolder.delete(folder);
                        Files.deleteIfExists(used(folder));
                        total -= freed;
                    }
                }
            }
        }
    }

    private static FileChannel open(Path folder) throws IOException {
        return FileChannel.open(
                used(folder),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /** Whether a lock was got; on a file system without any, nobody has one. */
    private static boolean locked(FileChannel channel, boolean isShared) {
        try {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, isShared);
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static Path used(Path folder) {
        return folder.resolveSibling(folder.getFileName() + USED);
    }

    private static long wantedMillis(Path folder) {
        try {
            return Files.getLastModifiedTime(used(folder)).toMillis();
        } catch (IOException e) {
            return 0; // Nobody knows: it goes first.
        }
    }

    private static long size(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
