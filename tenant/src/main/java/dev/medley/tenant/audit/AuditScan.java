package dev.medley.tenant.audit;

import dev.medley.base.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from its first line to its last, over all of its files, and follows the chain. Bytes
 * that are no entry are fine where the next entry is the note that counts and hashes them, as it is
 * written after a power failure. A log may begin later than with its first entry where a note in it
 * says that the files before were removed. One pass; memory for the requests that have not ended.
 *
 * <p>Thread: one.
 */
final class AuditScan {
    static final String TORN = "torn";

    /** Action of the note of a file that was removed; its outcome is the last entry in that. */
    static final String REMOVED = "removed";

    /** Damage that is longer is not what a power failure leaves. */
    private static final int MOST_TORN_BYTES = 8 * AuditLine.MOST_BYTES;

    private static final int PIECE_BYTES = 1 << 16;

    private final Consumer<AuditEntry> each;
    private final @Nullable AuditHead asked;
    private final Map<Long, AuditEntry> open = new TreeMap<>();
    private final Set<String> removed = new HashSet<>();
    private AuditHead head = AuditHead.NONE;

    /** What its first entry follows; null before that was read. */
    private @Nullable AuditHead start;

    private Path file = Path.of("");
    private @Nullable Path fileBefore;
    private int files;
    private long firstMs;
    private long lastMs;
    private long lost;
    private long tornBefore;
    private @Nullable String broken;
    private boolean isAskedFound;

    private MessageDigest torn = Sha256.digest();
    private long tornBytes;
    private boolean isTornEnded;
    private long line;
    private long goodBytes;

    private AuditScan(@Nullable AuditHead asked, Consumer<AuditEntry> each) {
        this.asked = asked;
        this.each = each;
        this.isAskedFound = asked == null || asked.equals(AuditHead.NONE);
    }

    /**
     * Reads all files of a log, to their end or to the first line that cannot be, be it that
     * somebody writes it.
     *
     * @param asked a head that has to be in it; null for none
     */
    static AuditScan of(Path log, @Nullable AuditHead asked, Consumer<AuditEntry> each)
            throws IOException {
        AuditScan scan = new AuditScan(asked, each);
        int number = 0;
        boolean isWhole = false;
        while (!isWhole && scan.broken == null) {
            // The one that is written is opened before others are listed: it may become full.
            try (InputStream last = AuditFiles.read(log)) {
                try (AuditFiles.Full full = AuditFiles.openBehind(log, number)) {
                    for (Map.Entry<Path, InputStream> file : full.files().entrySet()) {
                        scan.take(file.getKey(), file.getValue());
                    }
                    isWhole = full.files().isEmpty();
                    number = full.last();
                }
                if (isWhole) {
                    scan.take(log, last);
                }
            }
        }
        if (scan.broken == null) {
            scan.broken = scan.wrongAtItsEnds();
        }
        return scan;
    }

    private void take(Path next, InputStream in) throws IOException {
        if (broken != null) {
            return;
        }
        files++;
        if (tornBytes > 0) {
            broken = "%sends with %d bytes that are no entry".formatted(where(), tornBytes);
            return;
        }
        fileBefore = line > 0 ? file : fileBefore;
        file = next;
        line = 0;
        goodBytes = 0;
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE_BYTES];
        for (int n = in.read(piece); n >= 0 && broken == null; n = in.read(piece)) {
            take(piece, n, rest);
        }
        if (rest.size() > 0 && broken == null) {
            tear(rest.toByteArray());
            isTornEnded = false;
        }
    }

    /** Why it cannot begin where it does, or end; null if it can. */
    private @Nullable String wrongAtItsEnds() {
        if (start != null && !start.equals(AuditHead.NONE) && !removed.contains(start.toString())) {
            return "it begins with entry %d, and no entry says that those before were removed"
                    .formatted(start.number() + 1);
        }
        if (asked == null
                || isAskedFound
                || asked.equals(start)
                || removed.contains(asked.toString())) {
            return null;
        }
        if (start != null && asked.number() < start.number()) {
            return "entry %d, which the head names, was removed with the files of before entry %d"
                            .formatted(asked.number(), start.number() + 1)
                    + ": give the head of a later day";
        }
        return "it ends with entry %d, and its head names entry %d: what was at its end was"
                        .formatted(head.number(), asked.number())
                + " changed or cut off";
    }

    /** Begins what is said of a line of a log of several files. */
    private String where() {
        return fileBefore == null ? "" : file.getFileName() + ": ";
    }

    /** The next bytes; {@code rest} is what was before them of a line that has not ended. */
    private void take(byte[] piece, int bytes, ByteArrayOutputStream rest) {
        int from = 0;
        for (int i = 0; i < bytes && broken == null; i++) {
            if (piece[i] == '\n') {
                rest.write(piece, from, i - from);
                from = i + 1;
                requireShort(rest);
                if (broken == null) {
                    take(rest.toByteArray());
                }
                rest.reset();
            }
        }
        rest.write(piece, from, bytes - from);
        requireShort(rest);
    }

    private void requireShort(ByteArrayOutputStream rest) {
        if (broken == null && rest.size() > AuditLine.MOST_BYTES) {
            broken = "%sline %d is longer than any entry".formatted(where(), line + 1);
        }
    }

    private void take(byte[] bytes) {
        line++;
        AuditLine.Read read = AuditLine.read(bytes);
        if (read == null) {
            tear(bytes);
            torn.update((byte) '\n');
            tornBytes++;
            isTornEnded = true;
            return;
        }
        AuditEntry entry = read.entry();
        broken = wrong(entry);
        if (broken != null) {
            return;
        }
        goodBytes += tornBytes + bytes.length + 1;
        if (tornBytes > 0) {
            tornBefore++;
            torn = Sha256.digest();
            tornBytes = 0;
        }
        follow(entry, read.hash());
        each.accept(entry);
    }

    private void tear(byte[] bytes) {
        torn.update(bytes);
        tornBytes += bytes.length;
        if (tornBytes > MOST_TORN_BYTES) {
            broken = "%sline %d and those behind it are no entries".formatted(where(), line);
        }
    }

    /** Why an entry cannot come next; null if it can. */
    private @Nullable String wrong(AuditEntry entry) {
        if (start == null && entry.number() > 0) {
            start = new AuditHead(entry.number() - 1, entry.previous());
            head = start;
        }
        if (entry.number() != head.number() + 1 || !entry.previous().equals(head.hash())) {
            return line == 1 && fileBefore != null
                    ? "%s begins with entry %d, which does not follow entry %d, the last of %s: a"
                                    .formatted(
                                            file.getFileName(),
                                            entry.number(),
                                            head.number(),
                                            fileBefore.getFileName())
                            + " file between them is missing, or one of them was cut"
                    : "%sline %d holds entry %d, which does not follow entry %d: what was between"
                                    .formatted(where(), line, entry.number(), head.number())
                            + " was changed, removed or put elsewhere";
        }
        if (entry.atMs() < lastMs) {
            return "%sline %d: its time is before that of the entry before"
                    .formatted(where(), line);
        }
        if (tornBytes > 0) {
            String found = HexFormat.of().formatHex(copied(torn).digest());
            boolean isNoted =
                    entry.kind() == AuditKind.NOTE
                            && entry.ask().action().equals(TORN)
                            && entry.bytes() == tornBytes
                            && entry.outcome().equals(found);
            return isNoted
                    ? null
                    : "%sline %d follows bytes that are no entry, and does not note them"
                            .formatted(where(), line);
        }
        return null;
    }

    private static MessageDigest copied(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every Java copies SHA-256", e);
        }
    }

    private void follow(AuditEntry entry, String hash) {
        head = new AuditHead(entry.number(), hash);
        firstMs = start != null && entry.number() == start.number() + 1 ? entry.atMs() : firstMs;
        lastMs = entry.atMs();
        if (head.equals(asked)) {
            isAskedFound = true;
        } else if (asked != null && head.number() == asked.number()) {
            broken = "entry %d is not the one that the head names".formatted(head.number());
        }
        switch (entry.kind()) {
            case BEGAN -> open.put(entry.number(), entry);
            case ENDED, DENIED -> open.remove(entry.of());
            case LOST -> {
                open.remove(entry.of());
                lost++;
            }
            case NOTE -> {
                if (entry.ask().action().equals(REMOVED)) {
                    removed.add(entry.outcome());
                }
            }
            default -> {}
        }
    }

    AuditHead head() {
        return head;
    }

    /** Entries that were removed with whole files. */
    long removed() {
        return start == null ? 0 : start.number();
    }

    /** In so many files it is. */
    int files() {
        return files;
    }

    long firstMs() {
        return firstMs;
    }

    long lastMs() {
        return lastMs;
    }

    /** Requests that began and have not ended, by number. */
    Map<Long, AuditEntry> open() {
        return open;
    }

    /** Requests of which a later start noted that they never ended. */
    long lost() {
        return lost;
    }

    /** How many stretches of torn bytes were noted. */
    long tornBefore() {
        return tornBefore;
    }

    /** Why it is not what was written; null where nothing is wrong. */
    @Nullable String broken() {
        return broken;
    }

    /** Up to here its last file is a chain. */
    long goodBytes() {
        return goodBytes;
    }

    /** Behind the last entry. */
    long tornBytes() {
        return tornBytes;
    }

    /** The note of the bytes behind the last entry, if they end as a line does. */
    String tornHash() {
        MessageDigest whole = copied(torn);
        if (!isTornEnded) {
            whole.update((byte) '\n');
        }
        return HexFormat.of().formatHex(whole.digest());
    }

    boolean isTornEnded() {
        return isTornEnded;
    }
}
