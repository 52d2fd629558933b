package dev.medley.net.door;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes HMAC-SHA256. */
final class Hmac {
    static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private Hmac() {}

    static Mac with(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    /** Of some words, which say what it is for, and what follows. */
    static byte[] of(byte[] key, String words, byte[]... more) {
        Mac mac = with(key);
        mac.update(words.getBytes(StandardCharsets.UTF_8));
        for (byte[] each : more) {
            mac.update(each);
        }
        return mac.doFinal();
    }
}
