package dev.medley.tensor;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Loads LibTorch's libraries, which the bindings unpack into a folder of the user at first. They
 * lock that folder for one file at a time, and so a process may load a library while another is
 * still writing what that one links to: of three that began together on a fresh machine about one
 * in two ended with SIGBUS (bytedeco/javacpp#608). Here one process unpacks and loads all, and the
 * others wait for it; a mark says that this is done, so that later starts wait for nobody. {@link
 * FoundLibraries} saves them the search, too.
 */
final class NativeLibraries {
    private static final long PATIENCE_NS = 120_000_000_000L;
    private static final long LOOK_AGAIN_NS = 10_000_000;

    private final Path folder;
    private final Path mark;
    private final FoundLibraries found;
    private final Clock clock;

    private NativeLibraries(Path folder, String version, Clock clock) {
        this.folder = folder;
        this.found = new FoundLibraries(folder, version);
        this.mark = folder.resolve("medley-" + version + ".unpacked");
        this.clock = clock;
    }

    /**
     * Loads them, of a version.
     *
     * @throws IOException if the folder cannot be written
     * @throws ConfigException if another process holds the folder for two minutes
     * @throws UnsatisfiedLinkError as the bindings do
     */
    static void load(String version) throws IOException {
        Path folder = Loader.getCacheDir().toPath();
        String named = version + "-" + Loader.Detector.getPlatform();
        new NativeLibraries(folder, named, Clock.system()).load();
    }

    private void load() throws IOException {
        if (found.tell()) {
            loadAll();
            return;
        }
        loadAsUnpacked();
        found.keep();
    }

    private void loadAsUnpacked() throws IOException {
        if (areUnpacked()) {
            loadAll();
            return;
        }
        try (FileChannel channel = open();
                FileLock unused = lock(channel)) {
            String last = loadAll();
            if (!areUnpacked()) {
                mark(last);
            }
        }
    }

    /** The path of the library that is loaded last, and which needs all others. */
    private static String loadAll() {
        Loader.load(openblas_nolapack.class);
        return String.valueOf(Loader.load(torch.class));
    }

    /** The mark names the last library: who deletes that unpacks again, and others wait again. */
    private boolean areUnpacked() throws IOException {
        return Files.exists(mark) && Files.exists(Path.of(Files.readString(mark)));
    }

    private void mark(String last) throws IOException {
        Path whole = Files.createTempFile(folder, "medley-", ".new");
        Files.writeString(whole, last);
        Files.move(whole, mark, StandardCopyOption.ATOMIC_MOVE);
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(
                folder.resolve("medley.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private FileLock lock(FileChannel channel) throws IOException {
        long deadlineNs = clock.nowNs() + PATIENCE_NS;
        @Nullable FileLock lock = channel.tryLock();
        while (lock == null) {
            ConfigException.check(
                    clock.nowNs() < deadlineNs,
                    "another process has been unpacking LibTorch into %s for %d s: end it, or name"
                            + " another folder with -Dorg.bytedeco.javacpp.cachedir=FOLDER",
                    folder,
                    PATIENCE_NS / 1_000_000_000);
            LockSupport.parkNanos(this, LOOK_AGAIN_NS);
            lock = channel.tryLock();
        }
        return lock;
    }
}
