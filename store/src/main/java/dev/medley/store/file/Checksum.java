package dev.medley.store.file;

import dev.medley.base.memory.SpanHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes a checksum, piece by piece. XXH64 finds damage at memory speed and guards checkpoints;
 * SHA-256 also names what it is of, and guards models and downloads (measured:
 * docs/checkpoints.md).
 *
 * <p>Thread: an instance belongs to one thread at a time.
 */
public interface Checksum {
    /** The checksums that Medley writes or compares. */
    enum Kind {
        XXH64,
        SHA256,
        MD5
    }

    /** Takes in the remaining bytes of {@code bytes}, whose position stays as it is. */
    void update(ByteBuffer bytes);

    /** Lower-case hexadecimal digits; ends the checksum. */
    String hex();

    /** A fresh checksum. */
    static Checksum start(Kind kind) {
        return switch (kind) {
            case XXH64 -> new OfSpans(new SpanHash());
            case SHA256 -> new OfJdk(digest("SHA-256"));
            case MD5 -> new OfJdk(digest("MD5"));
        };
    }

    /** The checksum of a file. */
    static String of(Path file, Kind kind) throws IOException {
        Checksum checksum = start(kind);
        ByteBuffer piece = ByteBuffer.allocateDirect(HashingChannel.PIECE_BYTES);
        try (FileChannel channel = FileChannel.open(file)) {
            while (channel.read(piece.clear()) >= 0) {
                checksum.update(piece.flip());
            }
        }
        return checksum.hex();
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }

    /** {@link SpanHash}. */
    record OfSpans(SpanHash hash) implements Checksum {
        @Override
        public void update(ByteBuffer bytes) {
            hash.update(bytes);
        }

        @Override
        public String hex() {
            return hash.hex();
        }
    }

    /** The JDK's own digests. */
    record OfJdk(MessageDigest digest) implements Checksum {
        @Override
        public void update(ByteBuffer bytes) {
            digest.update(bytes.duplicate());
        }

        @Override
        public String hex() {
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}
