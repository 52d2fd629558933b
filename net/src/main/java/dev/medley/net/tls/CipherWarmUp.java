package dev.medley.net.tls;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes the JVM compile the cipher of TLS before connections need it. The fast instructions for
 * AES-GCM are used by code that the optimizing compiler has seen, which is after some thousands of
 * records: until then a megabyte takes 30 ms, from then on 1.5 ms. A worker that exchanges forty
 * records a round would send and receive slowly for hundreds of rounds, and on a machine with a
 * seventh of a core each of them would wait for it.
 */
public final class CipherWarmUp {
    /** Measured: 3,000 are too few, and records of 64 bytes do not do. About 0.1 s of a core. */
    private static final int RECORDS = 6000;

    private static final int RECORD_BYTES = 256;

    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int HEADER_BYTES = 5;
    private static final int TAG_BYTES = 16;

    private static final AtomicBoolean IS_DONE = new AtomicBoolean();

    private CipherWarmUp() {}

    /** The same on a thread of its own, for who has time until then. */
    public static void begin() {
        Thread thread = new Thread(CipherWarmUp::run, "cipher-warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    /** Encrypts and decrypts as TLS does, in place and in arrays; once in a process. */
    public static void run() {
        if (!IS_DONE.compareAndSet(false, true)) {
            return;
        }
        try {
            Cipher sender = Cipher.getInstance("AES/GCM/NoPadding");
            Cipher receiver = Cipher.getInstance("AES/GCM/NoPadding");
            ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES + TAG_BYTES);
            for (int i = 0; i < RECORDS; i++) {
                pass(sender, Cipher.ENCRYPT_MODE, i, record, RECORD_BYTES);
                pass(receiver, Cipher.DECRYPT_MODE, i, record, RECORD_BYTES + TAG_BYTES);
            }
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has AES-GCM", impossible);
        }
    }

    private static void pass(Cipher cipher, int mode, int nonce, ByteBuffer record, int bytes)
            throws GeneralSecurityException {
        byte[] once = ByteBuffer.allocate(NONCE_BYTES).putInt(nonce).array();
        cipher.init(
                mode,
                new SecretKeySpec(new byte[KEY_BYTES], "AES"),
                new GCMParameterSpec(TAG_BYTES * Byte.SIZE, once));
        cipher.updateAAD(new byte[HEADER_BYTES]);
        cipher.doFinal(record.duplicate().clear().limit(bytes), record.duplicate().clear());
    }
}
