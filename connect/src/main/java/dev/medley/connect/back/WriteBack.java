package dev.medley.connect.back;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import dev.medley.base.Sha256;
import dev.medley.base.time.Clock;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Brings rows to a destination so that it has each once, whatever is cut off. Its folder keeps a
 * hash of what each row had when it was written; only rows that differ are sent. It is updated
 * behind the destination, so a cut makes rows be sent again, which changes nothing there, and never
 * be left out. Rows that the destination refused are kept as dead letters and sent again the next
 * time.
 *
 * <p>Thread: one; a lock keeps other processes away.
 */
public final class WriteBack implements AutoCloseable {
    private static final int LARGEST_NOTE_BYTES = 1 << 30;

    private final Path folder;
    private final Destination destination;
    private final Clock clock;
    private final FileChannel lockFile;
    private final KeyedLog ledger;
    private final KeyedLog letters;
    private String shape = "";
    private long written;
    private long failed;

    /** What was under way when a process was cut off. */
    private record UnderWay(JsonNode note, String shape, List<BackRow> rows) {}

    private WriteBack(
            Path folder,
            Destination destination,
            Clock clock,
            FileChannel lockFile,
            KeyedLog ledger,
            KeyedLog letters) {
        this.folder = folder;
        this.destination = destination;
        this.clock = clock;
        this.lockFile = lockFile;
        this.ledger = ledger;
        this.letters = letters;
    }

    /** Opens the folder of a destination, which is made where it is not there. */
    public static WriteBack open(Path folder, Destination destination, Clock clock)
            throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(
                        folder.resolve("lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        KeyedLog ledger = null;
        try {
            ConfigException.check(
                    isLocked(channel),
                    "%s: another write-back to %s is under way: wait until it ends",
                    folder,
                    destination.name());
            ledger = KeyedLog.open(folder.resolve("ledger.log"));
            KeyedLog letters = KeyedLog.open(folder.resolve("dead-letters.log"));
            return new WriteBack(folder, destination, clock, channel, ledger, letters);
        } catch (IOException | RuntimeException e) {
            if (ledger != null) {
                ledger.close();
            }
            channel.close();
            throw e;
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** Sends what the destination does not have as it is. */
    public BackReport write(BackRows rows) throws IOException {
        begin();
        Chunk chunk = new Chunk();
        Set<String> seen = new HashSet<>();
        long[] unchanged = {0};
        rows.forEach(
                row -> {
                    ConfigException.check(
                            !row.key().isBlank(),
                            "a row for %s has no value in its key %s: leave such rows out",
                            destination.name(),
                            destination.table().key());
                    ConfigException.check(
                            seen.add(row.key()),
                            "two rows for %s have the key '%s': give each key once",
                            destination.name(),
                            row.key());
                    if (hash(row).equals(ledger.get(row.key()))) {
                        unchanged[0]++;
                    } else {
                        chunk.add(row);
                    }
                });
        chunk.send();
        for (String key : List.copyOf(letters.all().keySet())) {
            if (!seen.contains(key)) {
                letters.set(key, null); // The row is gone: nobody wants it there any more.
            }
        }
        letters.settle();
        return new BackReport(seen.size(), unchanged[0], written, failed);
    }

    /** Sends all dead letters again, as they were. */
    public BackReport replay() throws IOException {
        begin();
        Chunk chunk = new Chunk();
        List<DeadLetter> all = deadLetters();
        for (DeadLetter letter : all) {
            ConfigException.check(
                    letter.columns().equals(destination.table().columns()),
                    "the dead letter of '%s' has the columns %s, now %s are written: sync instead",
                    letter.key(),
                    letter.columns(),
                    destination.table().columns());
            chunk.add(letter.row());
        }
        chunk.send();
        return new BackReport(all.size(), 0, written, failed);
    }

    /** What the destination refused and has not taken since. */
    public List<DeadLetter> deadLetters() {
        return letters.all().values().stream()
                .map(json -> Json.parse(json, DeadLetter.class))
                .toList();
    }

    private void begin() throws IOException {
        written = 0;
        failed = 0;
        destination.open();
        shape = destination.identity() + Json.line(destination.table());
        Path file = noteFile();
        if (!Files.exists(file)) {
            return;
        }
        UnderWay underWay;
        try {
            underWay = Json.parse(NamedFile.bytes(file, LARGEST_NOTE_BYTES), UnderWay.class);
        } catch (JacksonException e) {
            throw new ConfigException(
                    file + ": is damaged; it said what was under way. Remove it once nothing is",
                    e);
        }
        // Rows of other columns are found out about, but do not count as these.
        boolean isSame = underWay.shape().equals(shape);
        Told told = new Told(underWay.rows(), isSame);
        destination.recover(underWay.note(), underWay.rows(), told);
        told.settle();
        Files.delete(file);
    }

    private Path noteFile() {
        return folder.resolve("under-way.json");
    }

    private String hash(BackRow row) {
        byte[] text = (shape + Json.line(row.values())).getBytes(StandardCharsets.UTF_8);
        return Sha256.hex(text).substring(0, 32);
    }

    /** Collects rows until there are as many as the destination takes. */
    private final class Chunk {
        private final List<BackRow> rows = new ArrayList<>();

        void add(BackRow row) throws IOException {
            rows.add(row);
            if (rows.size() >= destination.mostRows()) {
                send();
            }
        }

        void send() throws IOException {
            if (!rows.isEmpty()) {
                // What is cut off may be written or not: until it is told, nobody knows what is
                // there.
                for (BackRow row : rows) {
                    ledger.set(row.key(), null);
                }
                ledger.settle();
                Told told = new Told(List.copyOf(rows), true);
                destination.send(List.copyOf(rows), told);
                told.settle();
                rows.clear();
            }
        }
    }

    /** Keeps what a destination tells. */
    private final class Told implements RowOutcomes {
        private final List<BackRow> rows;
        private final boolean counts;

        Told(List<BackRow> rows, boolean counts) {
            this.rows = rows;
            this.counts = counts;
        }

        @Override
        public void written(BackRow row) {
            if (counts) {
                ledger.set(row.key(), hash(row));
                letters.set(row.key(), null);
                written++;
            }
        }

        @Override
        public void failed(BackRow row, RowFailure failure) {
            if (counts) {
                String before = letters.get(row.key());
                int attempts = before == null ? 0 : Json.parse(before, DeadLetter.class).attempts();
                DeadLetter letter =
                        new DeadLetter(
                                row.key(),
                                destination.table().columns(),
                                row.values(),
                                failure.code(),
                                failure.reason(),
                                attempts + 1,
                                clock.wallMillis());
                letters.set(row.key(), Json.line(letter));
                failed++;
            }
        }

        @Override
        public void settle() throws IOException {
            letters.settle();
            ledger.settle();
        }

        @Override
        public void underWay(@Nullable JsonNode note) throws IOException {
            if (note == null) {
                settle();
                Files.deleteIfExists(noteFile());
            } else {
                AtomicFile.write(noteFile(), Json.bytes(new UnderWay(note, shape, rows)));
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (lockFile;
                ledger;
                letters) {
            destination.close();
        }
    }
}
