package dev.medley.tenant.door;

import dev.medley.base.Sha256;
import dev.medley.base.time.Clock;
import dev.medley.store.file.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps extracts for some minutes, so that a client that reads a file piece by piece reads one
 * file. A key names the caller, its attributes, the policies and the state of the source; nobody
 * else's extract can be found by it. The folder is this user's alone, has nothing of an earlier
 * process, and is removed at the end.
 *
 * <p>Thread: any; one extract is made by one, and whoever wants the same waits for it.
 */
final class ExtractCache implements AutoCloseable {
    /** Whoever reads piece by piece reads one file for so long, and no older one is kept. */
    private static final long MOST_MS = 10 * 60 * 1000;

    private static final long MOST_BYTES = 8L << 30;

    private final Path folder;
    private final Clock clock;
    private final AtomicLong names = new AtomicLong();

    /** The longest unused is the first. */
    private final Map<List<String>, Held> held = new LinkedHashMap<>(16, 0.75f, true);

    ExtractCache(Clock clock) throws IOException {
        this.folder = TemporaryFolder.make("door");
        this.clock = clock;
    }

    /** Makes a file, and says how many rows are in it. */
    interface Making {
        long rows(Path into) throws IOException;
    }

    /** An extract that is not removed before it is closed. */
    final class Held implements AutoCloseable {
        private final Path file = folder.resolve("extract-" + names.incrementAndGet());
        private volatile @Nullable DoorExtract extract;
        private int users;
        private boolean isGone;

        DoorExtract extract() {
            DoorExtract made = extract;
            if (made == null) {
                throw new IllegalStateException("used before it was made");
            }
            return made;
        }

        @Override
        public void close() {
            synchronized (held) {
                users--;
                removeIfUnused(this);
            }
        }
    }

    /**
     * The extract of a key, made if it is not there.
     *
     * @param name of the object
     */
    Held hold(List<String> key, String name, Making making) throws IOException {
        Held own;
        synchronized (held) {
            tidy();
            own = held.computeIfAbsent(key, k -> new Held());
            own.users++;
        }
        try {
            synchronized (own) {
                if (own.extract == null) {
                    own.extract = made(own.file, name, making);
                }
            }
            return own;
        } catch (IOException | RuntimeException | Error e) {
            synchronized (held) {
                held.remove(key, own);
                own.isGone = true;
            }
            own.close();
            throw e;
        }
    }

    private DoorExtract made(Path file, String name, Making making) throws IOException {
        Files.deleteIfExists(file);
        long rows = making.rows(file);
        MessageDigest hash = Sha256.digest();
        long bytes = 0;
        byte[] piece = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                hash.update(piece, 0, n);
                bytes += n;
            }
        }
        String sha256 = HexFormat.of().formatHex(hash.digest());
        return new DoorExtract(name, file, rows, bytes, sha256, clock.wallMillis());
    }

    /** Lets go of what is old, and of the longest unused while all is too much. */
    private void tidy() {
        long nowMs = clock.wallMillis();
        long bytes = 0;
        for (Held each : held.values()) {
            bytes += each.extract == null ? 0 : each.extract().bytes();
        }
        List<Held> gone = new ArrayList<>();
        for (Iterator<Held> all = held.values().iterator(); all.hasNext(); ) {
            Held each = all.next();
            DoorExtract extract = each.extract;
            if (extract != null
                    && (bytes > MOST_BYTES || Math.abs(nowMs - extract.madeMs()) > MOST_MS)) {
                bytes -= extract.bytes();
                all.remove();
                gone.add(each);
            }
        }
        for (Held each : gone) {
            each.isGone = true;
            removeIfUnused(each);
        }
    }

    private static void removeIfUnused(Held each) {
        if (each.isGone && each.users == 0) {
            try {
                Files.deleteIfExists(each.file);
            } catch (IOException e) {
                each.isGone = true; // It goes with its folder.
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
