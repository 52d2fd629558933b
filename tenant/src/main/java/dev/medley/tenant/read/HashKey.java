package dev.medley.tenant.read;

import static dev.medley.base.ConfigException.check;

import dev.medley.tenant.TenantCaller;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Holds the key of hashed columns, from which each tenant gets one of its own: equal values of two
 * tenants have different hashes. The tenant is the caller's attribute {@code tenant}, or the caller
 * where he has none.
 */
public final class HashKey {
    private static final int LEAST_BYTES = 16;
    private static final int BLOCK_BYTES = 64;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;
    private static final String TENANT = "tenant";

    private final byte[] bytes;

    /** At least 16 bytes long. */
    public HashKey(byte[] bytes) {
        check(
                bytes.length >= LEAST_BYTES,
                "hash_key: %d bytes are too few to keep hashes from being guessed: write %d or"
                        + " more, as from openssl rand -hex 32",
                bytes.length,
                LEAST_BYTES);
        this.bytes = bytes.clone();
    }

    /**
     * Both pads of HMAC-SHA-256 (RFC 2104) under the key of the caller's tenant, in hexadecimal.
     */
    List<String> pads(TenantCaller caller) {
        Object tenant = caller.attributes().get(TENANT);
        String owner = tenant == null ? "caller:" + caller.name() : "tenant:" + tenant;
        byte[] key = Arrays.copyOf(hmac(owner.getBytes(StandardCharsets.UTF_8)), BLOCK_BYTES);
        return List.of(padded(key, OUTER), padded(key, INNER));
    }

    private static String padded(byte[] key, byte with) {
        byte[] pad = key.clone();
        for (int i = 0; i < pad.length; i++) {
            pad[i] ^= with;
        }
        return HexFormat.of().formatHex(pad);
    }

    private byte[] hmac(byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    @Override
    public String toString() {
        return "a key of %d bytes".formatted(bytes.length);
    }
}
