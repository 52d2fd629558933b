package dev.medley.net.link;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs hellos with the run's token as the key. An eavesdropper on a plain link learns the
 * signature of one hello, and nothing with which to sign another. Safe on any thread.
 */
final class RunKey {
    static final int SIGNATURE_BYTES = 32;
    static final int NONCE_BYTES = 16;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    RunKey(String runToken) {
        key = new SecretKeySpec(runToken.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /** Bytes that were never before in a hello. */
    byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** Of all bytes between position and limit, which stay. */
    byte[] sign(ByteBuffer said) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(said.duplicate());
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    boolean hasSigned(ByteBuffer said, byte[] signature) {
        return MessageDigest.isEqual(sign(said), signature);
    }
}
