package dev.medley.serving.http;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds who may ask: names and tokens, a pair on each line of a file. What a caller shows is
 * compared with every token by its hash, so that the time tells nothing of how much was right.
 *
 * <p>Thread: any.
 */
public final class CallerTokens {
    private static final int SHORTEST = 16;
    private static final int LONGEST = 512;

    private final List<Caller> callers;

    /** A caller, and the hash of its token. */
    private record Caller(String name, String hash) {}

    private CallerTokens(List<Caller> callers) {
        this.callers = List.copyOf(callers);
    }

    /**
     * Reads a file of tokens; empty lines and those that begin with # are passed over.
     *
     * @throws ConfigException if it cannot be read, a line is no pair, a token is short, or a name
     *     is there twice
     */
    public static CallerTokens read(Path file) {
        List<Caller> callers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new ConfigException("--tokens %s: cannot be read: %s".formatted(file, e), e);
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] pair = line.split("\\s+", -1);
            check(
                    pair.length == 2,
                    "%s:%d: a line is a name and a token, with a space between",
                    file,
                    i + 1);
            check(
                    pair[1].length() >= SHORTEST && pair[1].length() <= LONGEST,
                    "%s:%d: the token of '%s' has %d characters: give %d to %d, as openssl rand"
                            + " -hex 32 does",
                    file,
                    i + 1,
                    pair[0],
                    pair[1].length(),
                    SHORTEST,
                    LONGEST);
            check(names.add(pair[0]), "%s:%d: '%s' has two tokens", file, i + 1, pair[0]);
            callers.add(new Caller(pair[0], hash(pair[1])));
        }
        check(!callers.isEmpty(), "--tokens %s: has no token, so nobody could ask", file);
        return new CallerTokens(callers);
    }

    /** Who shows that token; null for nobody. */
    @Nullable String caller(String token) {
        if (token.length() > LONGEST) {
            return null;
        }
        byte[] given = hash(token).getBytes(StandardCharsets.US_ASCII);
        String found = null;
        for (Caller each : callers) {
            byte[] own = each.hash().getBytes(StandardCharsets.US_ASCII);
            found = MessageDigest.isEqual(own, given) ? each.name() : found;
        }
        return found;
    }

    private static String hash(String token) {
        return Sha256.hex(token);
    }
}
