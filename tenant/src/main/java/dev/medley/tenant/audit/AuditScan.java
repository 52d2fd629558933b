package dev.medley.tenant.audit;

import dev.medley.base.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from its first line to its last and follows the chain. Bytes that are no entry are
 * fine where the next entry is the note that counts and hashes them, as it is written after a power
 * failure. One pass; memory for the requests that have not ended.
 *
 * <p>Thread: one.
 */
final class AuditScan {
    static final String TORN = "torn";

    /** Damage that is longer is not what a power failure leaves. */
    private static final int MOST_TORN_BYTES = 8 * AuditLine.MOST_BYTES;

    private static final int PIECE_BYTES = 1 << 16;

    private final Consumer<AuditEntry> each;
    private final @Nullable AuditHead asked;
    private final Map<Long, AuditEntry> open = new TreeMap<>();
    private AuditHead head = AuditHead.NONE;
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
     * Reads all of {@code file}, to its end or to the first line that cannot be.
     *
     * @param asked a head that has to be in it; null for none
     */
    static AuditScan of(Path file, @Nullable AuditHead asked, Consumer<AuditEntry> each)
            throws IOException {
        AuditScan scan = new AuditScan(asked, each);
        try (InputStream in = Files.newInputStream(file)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            byte[] piece = new byte[PIECE_BYTES];
            for (int n = in.read(piece); n >= 0 && scan.broken == null; n = in.read(piece)) {
                scan.take(piece, n, line);
            }
            if (line.size() > 0 && scan.broken == null) {
                scan.tear(line.toByteArray());
                scan.isTornEnded = false;
            }
        }
        if (asked != null && !scan.isAskedFound && scan.broken == null) {
            scan.broken =
                    "it ends with entry %d, and its head names entry %d: what was at its end was"
                                    .formatted(scan.head.number(), asked.number())
                            + " changed or cut off";
        }
        return scan;
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
            broken = "line %d is longer than any entry".formatted(line + 1);
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
            broken = "line %d and those behind it are no entries".formatted(line);
        }
    }

    /** Why an entry cannot come next; null if it can. */
    private @Nullable String wrong(AuditEntry entry) {
        if (entry.number() != head.number() + 1 || !entry.previous().equals(head.hash())) {
            return "line %d holds entry %d, which does not follow entry %d: what was between was"
                            .formatted(line, entry.number(), head.number())
                    + " changed, removed or put elsewhere";
        }
        if (entry.atMs() < lastMs) {
            return "line %d: its time is before that of the entry before".formatted(line);
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
                    : "line %d follows bytes that are no entry, and does not note them"
                            .formatted(line);
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
        firstMs = head.number() == 1 ? entry.atMs() : firstMs;
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
            default -> {}
        }
    }

    AuditHead head() {
        return head;
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

    /** Up to here it is a chain. */
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

    /** On which line the last bytes are. */
    long line() {
        return line;
    }
}
