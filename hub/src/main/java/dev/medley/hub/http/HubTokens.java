package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.hub.http.HubCaller.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Knows callers by their tokens: the file {@code tokens.json} of the hub's folder, mode 600, which
 * is made with one token for each role, and read again when it has changed. Comparing takes the
 * same time whatever is wrong.
 *
 * <p>Thread: any.
 */
public final class HubTokens {
    private final Path file;
    private List<Known> known;
    private long readMillis;

    /** Holds one token. */
    record Known(String token, String name, Role role) {}

    /** Holds the file. */
    record TokenFile(List<Known> tokens) {}

    private HubTokens(Path file) {
        this.file = file;
        known = read();
    }

    /** The tokens of a hub's folder. */
    public static HubTokens in(Path folder) {
        Path file = folder.resolve("tokens.json");
        if (!Files.exists(file)) {
            make(file);
        }
        return new HubTokens(file);
    }

    private static void make(Path file) {
        String user = System.getProperty("user.name", "user");
        List<Known> tokens =
                List.of(
                        new Known(draw(), user, Role.ADMIN),
                        new Known(draw(), "agents", Role.AGENT),
                        new Known(draw(), "viewers", Role.VIEWER));
        try {
            Path draft =
                    Files.createTempFile(
                            file.getParent(),
                            ".tokens-",
                            "",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, Json.pretty(new TokenFile(tokens)) + "\n");
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String draw() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private List<Known> read() {
        try {
            readMillis = Files.getLastModifiedTime(file).toMillis();
            return Json.read(file, TokenFile.class).tokens();
        } catch (IOException | RuntimeException e) {
            throw new ConfigException(
                    "%s: cannot be read as tokens (%s); each has token, name and role"
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    /** Whose token that is; empty if nobody's. */
    public synchronized Optional<HubCaller> callerOf(String token) {
        try {
            if (Files.getLastModifiedTime(file).toMillis() != readMillis) {
                known = read();
            }
        } catch (IOException | ConfigException e) {
            // Half-edited: the tokens that were known stay good until it can be read.
        }
        byte[] given = token.getBytes(StandardCharsets.UTF_8);
        HubCaller found = null;
        for (Known one : known) {
            byte[] other = one.token().getBytes(StandardCharsets.UTF_8);
            if (MessageDigest.isEqual(other, given) && !one.token().isEmpty()) {
                found = new HubCaller(one.name(), one.role());
            }
        }
        return Optional.ofNullable(found);
    }

    /** The first token of a role, for this user's own commands. */
    public synchronized String of(Role role) {
        return known.stream()
                .filter(one -> one.role() == role)
                .map(Known::token)
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "%s: holds no token of role %s".formatted(file, role)));
    }
}
