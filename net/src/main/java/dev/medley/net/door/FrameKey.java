package dev.medley.net.door;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/**
 * Signs the frames of one direction of a connection, each with its place in the order: none can be
 * added, left out, repeated or moved.
 *
 * <p>Thread: one at a time.
 */
public final class FrameKey {
    /** Bytes of a signature. */
    public static final int SIGNATURE_BYTES = 16;

    private final Mac mac;
    private long frames;

    FrameKey(byte[] key) {
        mac = Hmac.with(key);
    }

    /** The signature of the next frame. */
    public byte[] sign(byte[] frame) {
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(frames++).flip());
        return Arrays.copyOf(mac.doFinal(frame), SIGNATURE_BYTES);
    }

    /** Whether the next frame is this one. */
    public boolean isSigned(byte[] frame, byte[] signature) {
        return MessageDigest.isEqual(sign(frame), signature);
    }
}
