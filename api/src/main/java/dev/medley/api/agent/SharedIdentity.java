package dev.medley.api.agent;

import dev.medley.base.time.Clock;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.net.tls.JoinCredentials;
import dev.medley.store.file.AtomicFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Makes what the machines of one engine know each other by: a certificate that they share, and a
 * token.
 */
public final class SharedIdentity {
    private static final int TOKEN_BYTES = 32;

    private SharedIdentity() {}

    /**
     * The file {@code identity.p12} of a new authority, which is thrown away once it has signed, in
     * Base64. Takes about a second.
     */
    public static String certificate(Clock clock) {
        try {
            Path draft = Files.createTempDirectory("medley-identity-");
            try {
                ClusterFolder.Made made =
                        new ClusterFolder(draft.resolve("certs"), clock)
                                .make(List.of("shared"), ClusterFolder.MOST_DAYS);
                Path identity = made.machines().get(0).folder().resolve(JoinCredentials.IDENTITY);
                return Base64.getEncoder().encodeToString(Files.readAllBytes(identity));
            } finally {
                AtomicFolder.delete(draft);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file {@code token} with a new one, in Base64. */
    public static String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        String token = HexFormat.of().formatHex(bytes) + "\n";
        return Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.US_ASCII));
    }
}
