package dev.medley.tenant.audit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.OwnFolder;
import dev.medley.base.time.Clock;
import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds entries to the log of requests. An entry is on the disk when its method returns; where it
 * cannot be brought there the method throws, and the request is to be refused. Each line holds the
 * hash of the one before. A file beside it, {@code .head}, names the last entry. A full file gets
 * another name, and the chain goes on in a new one.
 *
 * <p>Thread: any.
 */
public final class AuditLog implements AutoCloseable {
    private static final long MS = 1000;
    private static final long DAY_MS = 24L * 60 * 60 * MS;

    private final AuditLock lock;
    private final Path file;
    private final AuditRotation rotation;
    private FileChannel out;
    private final FileChannel headOut;
    private final SteadyTime time;
    private AuditHead head;
    private long endBytes;

    /** Entries that could not be written since the last one that could. */
    private long unwritten;

    /** As the last note of the clock says. */
    private long behindMs;

    private AuditLog(
            AuditLock lock,
            Path file,
            AuditRotation rotation,
            FileChannel[] channels,
            AuditScan found,
            SteadyTime time) {
        this.lock = lock;
        this.file = file;
        this.rotation = rotation;
        this.out = channels[0];
        this.headOut = channels[1];
        this.time = time;
        this.head = found.head();
        this.endBytes = found.goodBytes() + found.tornBytes();
    }

    /**
     * Opens a log, or begins it. What a power failure tore is noted; so is each request that began
     * and never ended.
     *
     * @param each told all entries that are there
     * @throws ConfigException if another process writes it, or it is not what was written
     */
    public static AuditLog open(Path name, Clock clock, Consumer<AuditEntry> each)
            throws IOException {
        return open(name, AuditRotation.USUAL, clock, each);
    }

    /** The same, with files of another size, or of which fewer stay. */
    public static AuditLog open(
            Path name, AuditRotation rotation, Clock clock, Consumer<AuditEntry> each)
            throws IOException {
        NamedFile.require(name);
        Path folder = name.toAbsolutePath().getParent();
        ConfigException.check(
                folder != null && Files.isDirectory(folder),
                "%s: its folder is not there: make it, or name another file",
                name);
        Path file = AuditLock.onlyName(name);
        AuditLock lock = AuditLock.take(file);
        try {
            return opened(file, rotation, lock, clock, each);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static AuditLog opened(
            Path file,
            AuditRotation rotation,
            AuditLock lock,
            Clock clock,
            Consumer<AuditEntry> each)
            throws IOException {
        boolean isNew =
                AuditFiles.full(file).isEmpty() && (!Files.exists(file) || Files.size(file) == 0);
        AuditHead known = headBeside(file);
        FileChannel out =
                FileChannel.open(file, EnumSet.of(CREATE, WRITE), OwnFolder.only("rw-------"));
        AuditScan found = AuditScan.of(file, known, each);
        String broken = found.broken();
        if (broken == null && !isNew && known == null) {
            broken = headFile(file) + " is not there, which says how far the log had gone";
        }
        if (broken != null) {
            out.close();
            throw new ConfigException(
                    "%s: this log of requests is not what was written: %s. Keep it to be looked at,"
                                    .formatted(file, broken)
                            + " and give --audit another file");
        }
        if (known == null) {
            AtomicFile.write(headFile(file), text(AuditHead.NONE));
        }
        FileChannel headOut = FileChannel.open(headFile(file), WRITE);
        AuditLog log =
                new AuditLog(
                        lock,
                        file,
                        rotation,
                        new FileChannel[] {out, headOut},
                        found,
                        new SteadyTime(clock, found.lastMs()));
        try {
            log.begin(found);
        } catch (IOException e) {
            log.closeFiles();
            throw e;
        }
        return log;
    }

    private void begin(AuditScan found) throws IOException {
        if (found.tornBytes() > 0) {
            note(found);
        }
        for (AuditEntry each : found.open().values()) {
            add(
                    AuditKind.LOST,
                    each.number(),
                    each.ask(),
                    "began, never ended",
                    new Figures(0, 0, "unknown"));
        }
    }

    /** Leaves torn bytes as they are, and says how many they are and what their hash is. */
    private synchronized void note(AuditScan found) throws IOException {
        long bytes = found.tornBytes() + (found.isTornEnded() ? 0 : 1);
        if (!found.isTornEnded()) {
            out.write(ByteBuffer.wrap(new byte[] {'\n'}), endBytes);
            endBytes++;
        }
        add(
                AuditKind.NOTE,
                0,
                AuditAsk.ofLog(AuditScan.TORN),
                "the bytes before this line were torn, and are left as they are",
                new Figures(0, bytes, found.tornHash()));
    }

    private record Figures(long rows, long bytes, String outcome) {
        static final Figures NONE = new Figures(0, 0, "");
    }

    /** A request is allowed: returns its number. */
    public long began(AuditAsk ask, String why) throws IOException {
        return add(AuditKind.BEGAN, 0, ask, why, Figures.NONE);
    }

    /** The answer of a request is about to leave, and was charged so many rows and bytes. */
    public void sends(long began, AuditAsk ask, long rows, long bytes) throws IOException {
        add(AuditKind.SENDS, began, ask, "", new Figures(rows, bytes, ""));
    }

    /** A request has ended. */
    public void ended(long began, AuditAsk ask, long rows, long bytes, String outcome)
            throws IOException {
        add(AuditKind.ENDED, began, ask, "", new Figures(rows, bytes, outcome));
    }

    /**
     * A request was refused, and why.
     *
     * @param began its number, if it had been allowed so far; 0 otherwise
     */
    public void denied(long began, AuditAsk ask, String why) throws IOException {
        add(AuditKind.DENIED, began, ask, why, Figures.NONE);
    }

    /** Says something of the log, or of who writes it. */
    public void note(String action, String why) throws IOException {
        add(AuditKind.NOTE, 0, AuditAsk.ofLog(action), why, Figures.NONE);
    }

    private synchronized long add(
            AuditKind kind, long of, AuditAsk ask, String why, Figures figures) throws IOException {
        if (unwritten > 0) {
            put(
                    entry(
                            AuditKind.NOTE,
                            0,
                            AuditAsk.ofLog("unwritten"),
                            "%d entries could not be written before this one".formatted(unwritten),
                            Figures.NONE));
            unwritten = 0;
        }
        noteClock();
        AuditEntry entry = entry(kind, of, ask, why, figures);
        put(entry);
        if (endBytes >= rotation.fileBytes() && goesOn()) {
            removeOldest(rotation.keptFiles());
        }
        return entry.number();
    }

    /**
     * Goes on in a new file, whose first entry says what it follows. Where that cannot be, as on a
     * full disk, the log stays in the file that it has, and nobody's request fails of it.
     */
    private boolean goesOn() {
        try {
            Path full = AuditFiles.retire(file);
            FileChannel next;
            try {
                next = created();
            } catch (IOException e) {
                Files.move(full, file, StandardCopyOption.ATOMIC_MOVE);
                return false;
            }
            try (FileChannel before = out) {
                out = next;
                endBytes = 0;
            }
            note(
                    new AuditAsk("", "file", "", ""),
                    "goes on from %s, whose last entry is %d"
                            .formatted(full.getFileName(), head.number()),
                    head.toString());
            return true;
        } catch (IOException e) {
            return false; // Its chain holds, wherever the next entry goes.
        }
    }

    private FileChannel created() throws IOException {
        FileChannel next =
                FileChannel.open(file, EnumSet.of(CREATE_NEW, WRITE), OwnFolder.only("rw-------"));
        try {
            AuditFiles.sync(file);
            return next;
        } catch (IOException e) {
            try (next) {
                Files.deleteIfExists(file);
            }
            throw e;
        }
    }

    private void note(AuditAsk ask, String why, String outcome) throws IOException {
        put(entry(AuditKind.NOTE, 0, ask, why, new Figures(0, 0, outcome)));
    }

    /**
     * Removes the oldest full files, so that {@code kept} stay; a note of each is on the disk
     * before it goes. Those with entries of today stay, since quotas count them. Returns how many
     * went.
     */
    public synchronized int removeOldest(int kept) {
        int gone = 0;
        try {
            List<Path> full = List.copyOf(AuditFiles.full(file).values());
            for (Path each : full.subList(0, Math.max(0, full.size() - kept))) {
                AuditLine.Read last = AuditFiles.last(each);
                if (last == null || last.entry().atMs() / DAY_MS >= time.nowMs() / DAY_MS) {
                    return gone;
                }
                note(
                        AuditAsk.ofLog(AuditScan.REMOVED),
                        "%s is removed, whose last entry is %d"
                                .formatted(each.getFileName(), last.entry().number()),
                        new AuditHead(last.entry().number(), last.hash()).toString());
                Files.delete(each);
                gone++;
            }
        } catch (IOException e) {
            return gone; // What stays goes the next time: it lies on the chain still.
        }
        return gone;
    }

    /** Times of entries never go back; where the machine's clock does, a note says so. */
    private void noteClock() throws IOException {
        long nowBehindMs = time.behindMs();
        long forwardMs = time.takeForwardMs();
        if (forwardMs > 0) {
            noteClock("the clock of the machine was put forward by %d s".formatted(forwardMs / MS));
        }
        if (nowBehindMs > 0 != behindMs > 0) {
            noteClock(
                    nowBehindMs == 0
                            ? "the clock of the machine is that of these entries again"
                            : "the clock of the machine is %d s behind that of these entries"
                                    .formatted(nowBehindMs / MS));
        }
        behindMs = nowBehindMs;
    }

    private void noteClock(String why) throws IOException {
        put(entry(AuditKind.NOTE, 0, AuditAsk.ofLog("clock"), why, Figures.NONE));
    }

    private AuditEntry entry(AuditKind kind, long of, AuditAsk ask, String why, Figures figures) {
        return new AuditEntry(
                head.number() + 1,
                time.nowMs(),
                kind,
                of,
                ask,
                why,
                figures.rows(),
                figures.bytes(),
                figures.outcome(),
                head.hash());
    }

    private void put(AuditEntry entry) throws IOException {
        AuditLine.Written line = AuditLine.write(entry);
        try {
            ByteBuffer bytes = ByteBuffer.wrap(line.bytes());
            while (bytes.hasRemaining()) {
                out.write(bytes, endBytes + bytes.position());
            }
            out.force(false);
        } catch (IOException e) {
            unwritten++;
            try {
                out.truncate(endBytes); // Nobody was told that it is there.
            } catch (IOException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
        endBytes += line.text().length();
        head = new AuditHead(entry.number(), line.hash());
        writeHead();
    }

    /** Not forced: after a power failure it may name an earlier entry, never a later one. */
    private void writeHead() throws IOException {
        headOut.write(ByteBuffer.wrap(text(head)), 0);
    }

    /** As long as any other head, so that one takes the place of another in one write. */
    private static byte[] text(AuditHead head) {
        return "%018d:%s\n"
                .formatted(head.number(), head.hash())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The time as entries have it. */
    public SteadyTime time() {
        return time;
    }

    /** The last entry. */
    public synchronized AuditHead head() {
        return head;
    }

    static Path headFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".head");
    }

    /** What the file beside a log says; null without one. */
    static @Nullable AuditHead headBeside(Path file) throws IOException {
        Path beside = headFile(file);
        return Files.exists(beside)
                ? AuditHead.of(
                        new String(NamedFile.bytes(beside, 200), StandardCharsets.ISO_8859_1))
                : null;
    }

    private void closeFiles() throws IOException {
        try (FileChannel last = out;
                headOut) {
            headOut.force(false);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        try (lock) {
            closeFiles();
        }
    }
}
